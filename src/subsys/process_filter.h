// The filters for tasks (bpf/lib/core/filter.h) where no program runs: of a process that is found in /proc.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace strata {

class Object;
class Session;

// All pass unless session.filters_tasks(). A process passes -t if the thread is one of its own. The object must
// outlive the answer.
std::function<bool(uint32_t tgid, const std::string &comm)> process_filter(const Session &session,
                                                                           const Object &object);

}  // namespace strata
