// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Structs and arrays as they lie in the memory that is traced, taken apart by their types.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "expr/plan.h"
#include "model/printed.h"

namespace strata {

// Of the fields of a record all must be known, and of those within; what the bytes do not have is zeros. Numbers of
// an enum are their names, where `enums` has them.
Datum data_of_memory(const expr::Type &type, std::span<const std::byte> bytes, const expr::Enums &enums);
// As bpftrace writes it: { .m = 1, .list = [1,2] }. Printable.
std::string text_of_datum(const Datum &datum);
std::string record_text(const std::vector<std::string> &names, const std::vector<std::string> &values);

}  // namespace strata
