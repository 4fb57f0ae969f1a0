#include "render/percentiles.h"

#include "render/value.h"

namespace strata {

std::string count_text(uint64_t count) { return std::to_string(count) + (count == 1 ? " value" : " values"); }

std::string percentiles_text(const Field &column, const Histogram &values, const Clocks &clocks) {
  std::string text;
  for (const Percentile &one : kPercentiles) {
    text +=
        (text.empty() ? "" : ", ") + std::string(one.name) + " " + value_text(column, values.percentile(one.p), clocks);
  }
  return text;
}

}  // namespace strata
