// The shape of a distribution: a per-CPU array of slots (bpf/lib/hist.h) becomes a histogram per interval.
#pragma once

#include <span>
#include <string_view>

#include "model/column.h"

namespace strata {

class Object;
class Session;

// `map` is the name of the array, `column` describes its values. The exit status.
int run_histogram(Session &session, Object &object, std::string_view map, const Column &column,
                  std::span<const std::string_view> losses = {});

}  // namespace strata
