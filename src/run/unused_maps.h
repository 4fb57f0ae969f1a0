// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Maps that the programs of a tool have for what is not shown: they take no memory.
#pragma once

#include <span>

#include "run/view.h"

namespace strata {

class Object;

// The tables of all views but this one, unless it reads the same.
void shrink_unused_maps(Object &object, std::span<const View> views, const View &shown);

// Where a single histogram is shown: of several neither the map nor the groups (bpf/lib/core/hist_groups.h).
void shrink_groups(Object &object, std::string_view by_map);

}  // namespace strata
