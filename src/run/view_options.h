// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the options say of views and outputs: which view they select, and what it has no use for.
#pragma once

#include <vector>

#include "render/sink.h"

namespace strata {

struct Tool;
struct View;
class Values;

// The view that the options select; nullptr of a tool without views. Throws a usage Error where they select two.
const View *selected_view(const Tool &tool, const Values &values);

// The outputs of a view, or of a tool without. Throws a usage Error where the options ask for what it has not.
std::vector<OutputRequest> requests_of(const Tool &tool, const View *view, const Values &values);

}  // namespace strata
