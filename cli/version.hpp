#pragma once

namespace touchstone::cli {

/// Version and commit of this build, such as "0.1.0 (commit 3ff476fa2b1c)". "-dirty" after the commit: the
/// tree had changes that no commit has. "(commit unknown)": the sources were no git checkout.
extern const char* const k_version;

}  // namespace touchstone::cli
