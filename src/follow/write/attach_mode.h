// The two modes of attaching to the chain of a write or a read, and which of them this host permits.
#pragma once

#include <span>
#include <string_view>

#include "bpf/object.h"
#include "follow/wire.h"

namespace strata {

// Of the same programs, which a constant tells what they are for.
extern const std::span<const Hook> kWriteHooks, kReadHooks;
extern const std::span<const std::string_view> kWritePathHooks, kReadPathHooks;  // as Chain::path_hooks

follow_attach_mode choose_write_mode(Object &object, std::string_view via);  // as Chain::choose_attach_mode
follow_attach_mode choose_read_mode(Object &object, std::string_view via);

}  // namespace strata
