// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The types of this host, for programs of the probe language.
#pragma once

#include <string>
#include <vector>

#include "expr/types.h"

namespace strata {

expr::Types kernel_expr_types();  // by BTF of the kernel that runs, and of its modules

// Of a tracepoint's record, by the description that tracefs has of it. __data_loc is a name of the type of those that
// lie behind the others, and have their place in the record.
std::vector<expr::Field> tracepoint_fields(const std::string &format, expr::Types &types);

// What the kernel goes through for a program: functions of it that do nothing, with what a program gets to see of each
// object in a struct bpf_iter__NAME.
inline constexpr const char *kIteratorPrefix = "bpf_iter_";
std::vector<std::string> iterator_names(expr::Types &types);  // "task", by the kernel's symbols
std::vector<expr::Field> iterator_fields(const std::string &name, expr::Types &types);  // none: there is no such one

}  // namespace strata
