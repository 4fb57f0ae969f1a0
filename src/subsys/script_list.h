// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which probes there are, as `strata run -l` shows them.
#pragma once

#include <string>

namespace strata {

namespace expr {
struct Program;
}
class Session;

// A line for each that the pattern matches ("kprobe:vfs_*", "tracepoint:sched:*", "uprobe:/bin/sh:*", "*open*"), with
// its arguments below it if these are asked for; of "struct task_*" its members. Throws a usage Error if there is none.
std::string list_of_probes(const Session &session, const std::string &pattern, bool arguments);

// Those of a program.
std::string list_of_places(const Session &session, const expr::Program &program, bool arguments);

// A line for each static probe of programs (USDT) whose "PROVIDER:NAME" the pattern matches, in the file or library of
// --lib, or in all files of the process of --pid; with its places and arguments below it. Throws Error if there is
// none.
std::string list_of_static_probes(const Session &session, const std::string &pattern, bool arguments);

// The first of them, by --limit, each with what is below it.
std::string first_probes(const Session &session, const std::string &list);

}  // namespace strata
