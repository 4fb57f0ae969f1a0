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

}  // namespace strata
