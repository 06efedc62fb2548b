#pragma once

#include <sys/types.h>

/// The process between us and a subject. Every descendant of the subject that loses its parent becomes a
/// child of this process (PR_SET_CHILD_SUBREAPER), whatever session or process group it moved to.
namespace touchstone::oracle {

/// Waits until the subject ends or SIGTERM comes, kills all descendants, and ends as the subject did: with
/// its exit code or by its signal. After SIGTERM it ends with exit code 0. Requires: the calling process is a
/// child subreaper with one thread; it blocks all signals; the subject is its child. Makes system calls only,
/// as it runs after a fork in a process that had threads.
[[noreturn]] void supervise(pid_t subject);

}  // namespace touchstone::oracle
