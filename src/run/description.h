// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program reads before it calls strata: the tools as data, with a JSON Schema of what each prints. All of it
// comes from the tables that parse, run and show: nothing is said twice.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "run/tool.h"

namespace strata {

std::string description_of(const Tool &tool);                                              // strata help --json TOOL
std::string description_of(std::span<const Tool *const> tools, std::string_view version);  // strata help --json

}  // namespace strata
