#pragma once

#include <sys/prctl.h>

// Names the thread that calls it: 15 bytes at most are kept. `prctl` takes any number of arguments, which is not imported.
static inline void realmshift_name_thread(const char *name) { prctl(PR_SET_NAME, name); }
