// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The filters for tasks (bpf/lib/core/filter.h) where no program runs: of a process that is found in /proc.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace strata {

class Object;
class Session;

// All pass unless session.filters_tasks(). A process passes -t if the thread is one of its own. The object must
// outlive the answer.
std::function<bool(uint32_t tgid, const std::string &comm)> process_filter(const Session &session,
                                                                           const Object &object);

// What a tool that looks into processes does so for as its run begins: those of -p, with --tree those below them, or
// all, but strata and the command, which waits: that is looked at when it begins.
std::vector<uint32_t> processes_at_start(const Session &session);

}  // namespace strata
