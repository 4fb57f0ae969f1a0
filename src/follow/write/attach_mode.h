// The two modes of attaching to the chain of a write or a read, and which of them this host permits.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bpf/object.h"
#include "follow/write/wire.h"

namespace strata {

extern const std::span<const Hook> kFollowHooks, kReadHooks;  // of the same programs

struct AttachMode {
  follow_attach_mode record;  // for the summary and for a recording: where samples begin and end
};

// Enables the hooks of one mode and names the functions to attach to. `via` is auto, functions or tracepoints; throws
// Error if what was asked for is not permitted.
AttachMode choose_attach_mode(Object &object, std::string_view via, bool reading = false);

// The hooks that only such calls pass, sampled or not; the others are needed while a sample is followed.
std::span<const std::string_view> path_hooks(bool reading);

}  // namespace strata
