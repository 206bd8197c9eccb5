#pragma once

#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <seccomp.h>
#include <spawn.h>
#include <sys/prctl.h>

// The actions of libseccomp are macros with arguments, which Swift does not import.
static inline uint32_t seccomp_action_errno(uint16_t number) { return SCMP_ACT_ERRNO(number); }
static inline uint32_t seccomp_action_kill_process(void) { return SCMP_ACT_KILL_PROCESS; }
static inline uint32_t seccomp_action_allow(void) { return SCMP_ACT_ALLOW; }

// Permits a system call where the masked bits of one argument have a value.
static inline int seccomp_allow_masked(scmp_filter_ctx context, int call, unsigned argument, uint64_t mask,
                                       uint64_t value) {
    return seccomp_rule_add(context, SCMP_ACT_ALLOW, call, 1, SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, mask, value));
}

// The flag of clone(2) that a thread has and a process has not.
static inline uint64_t clone_thread_flag(void) { return CLONE_THREAD; }

// The only prctl(2) that JavaScriptCore's threads need.
static inline uint64_t prctl_set_name_option(void) { return PR_SET_NAME; }

// Declared by glibc under _GNU_SOURCE alone, which Swift's import of the C library does not define.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int pthread_setattr_default_np(const pthread_attr_t *attributes);
