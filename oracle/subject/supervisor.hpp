#pragma once

#include <sys/types.h>

/// The process between this program and a subject. A descendant of the subject that loses its parent becomes
/// a child of this process (PR_SET_CHILD_SUBREAPER), even in another session or process group.
namespace touchstone::oracle {

/// Waits until the subject ends or SIGTERM arrives, then kills all descendants. Ends as the subject did, with
/// the same exit code or signal; after SIGTERM, with exit code 0. Requires: the calling process is a child
/// subreaper with one thread; it blocks all signals; the subject is its child. Makes system calls only, as it
/// runs after a fork in a process that had threads.
[[noreturn]] void supervise(pid_t subject);

}  // namespace touchstone::oracle
