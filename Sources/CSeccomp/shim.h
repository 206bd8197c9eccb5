#pragma once

#include <errno.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <pthread.h>
#include <seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

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

// The flag of mmap(2) that a mapping has whose pages no limit of private memory counts.
static inline uint64_t shared_mapping_flag(void) { return 0x01; }

// Namespaces (namespaces(7)) without a network and without the memory and queues of others; `owned` by a user namespace, which
// those who are not root may make where the kernel permits it. 0, or -1 with errno.
static inline int leave_namespaces(int owned) {
    return (int)syscall(SYS_unshare, (owned ? CLONE_NEWUSER : 0) | CLONE_NEWNET | CLONE_NEWIPC);
}

// capset(2) has no function of the C library.
static inline int give_up_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    return (int)syscall(SYS_capset, &header, none);
}

// tgkill(2), ptrace(2) and process_vm_readv(2), which the tests of the filter try.
static inline int signal_thread(pid_t process, pid_t thread, int signal) {
    return (int)syscall(SYS_tgkill, process, thread, signal);
}
static inline int trace_process(pid_t process) { return (int)syscall(SYS_ptrace, PTRACE_ATTACH, process, 0, 0); }
static inline int read_memory_of_process(pid_t process, const void *address) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)address, 1};
    return (int)syscall(SYS_process_vm_readv, process, &here, 1, &there, 1, 0);
}

// Declared under _GNU_SOURCE alone, as those below.
int setresuid(uid_t real, uid_t effective, uid_t saved);
int setresgid(gid_t real, gid_t effective, gid_t saved);
int setgroups(size_t count, const gid_t *groups);

// Where a load or a store failed (SIGSEGV); a macro in C.
static inline void *fault_address(const siginfo_t *information) { return information ? information->si_addr : 0; }

// Declared by glibc under _GNU_SOURCE alone, which Swift's import of the C library does not define.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int pthread_setattr_default_np(const pthread_attr_t *attributes);
int prlimit(pid_t process, __rlimit_resource_t resource, const struct rlimit *fresh, struct rlimit *old);

// The control messages of unix(7) are made and read by macros.
static inline ssize_t send_with_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {(void *)bytes, count};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// Leaves `descriptor` alone where none came.
static inline ssize_t receive_with_descriptor(int socket, void *bytes, size_t count, int *descriptor) {
    struct iovec part = {bytes, count};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t got = recvmsg(socket, &message, 0);
    struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&message) : 0;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof *descriptor)) {
        memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
    }
    return got;
}
