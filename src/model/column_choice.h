// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Columns as people name them: by key or by header, in any case, as they stand on the screen.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/field.h"

namespace strata {

// Its place. Throws a usage Error of this option, which lists the keys; `also` those that there would be if they were
// named.
size_t column_named(Schema columns, std::string_view option, std::string_view name,
                    std::span<const std::string_view> also = {});

// The place of one that is there, by its key.
size_t index_of(Schema columns, std::string_view key);

// The values of --columns one after the other: "A,B" shows these; "+A" adds to what is shown without the option, "-A"
// takes away. Throws a usage Error: no such column, or none left.
std::vector<size_t> columns_named(Schema columns, std::span<const std::string> lists, std::vector<size_t> shown,
                                  std::span<const std::string_view> also = {});

}  // namespace strata
