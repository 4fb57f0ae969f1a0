// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The two modes of attaching to the chain of a write or a read, the one of an fsync, and which of them this host
// permits.
#pragma once

#include <span>
#include <string_view>

#include "bpf/object.h"
#include "follow/wire.h"

namespace strata {

// Of the same programs, which a constant tells what they are for.
extern const std::span<const Hook> kWriteHooks, kReadHooks, kFsyncHooks;
extern const std::span<const std::string_view> kWritePathHooks, kReadPathHooks,
    kFsyncPathHooks;  // as Chain::path_hooks

follow_attach_mode choose_write_mode(Object &object, std::string_view via);  // as Chain::choose_attach_mode
follow_attach_mode choose_read_mode(Object &object, std::string_view via);
follow_attach_mode choose_fsync_mode(Object &object, std::string_view via);

}  // namespace strata
