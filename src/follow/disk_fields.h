// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Fields of hops at a disk. Without a title the value speaks for itself in text.
#pragma once

#include "model/field.h"

namespace strata {

inline constexpr Field kHopDisk{.decode = {.type = Type::kText}, .key = "disk", .title = "", .help = "the whole disk"};
inline constexpr Field kHopSector{.decode = {.type = Type::kInteger},
                                  .key = "sector",
                                  .title = "SECTOR",
                                  .unit = Unit::kSector,
                                  .help = "of 512 bytes"};
inline constexpr Field kHopIoBytes{
    .key = "size_bytes", .title = "", .unit = Unit::kBytes, .help = "of the bio or request"};
inline constexpr Field kHopIoFlags{
    .decode = {.type = Type::kText}, .key = "flags", .title = "", .help = "operation and flags of the bio or request"};

}  // namespace strata
