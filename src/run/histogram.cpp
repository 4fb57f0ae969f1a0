// The array only ever grows: an interval is the difference to the one before, so no count is lost by a reset.
#include "run/histogram.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <numeric>

#include "base/error.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "lib/hist_slots.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

class Slots {
 public:
  explicit Slots(int map_fd) : map_fd_(map_fd), per_cpu_(static_cast<size_t>(libbpf_num_possible_cpus())) {}

  // What was added since the last call, as the greatest value of each slot.
  Histogram take() {
    Histogram histogram;
    for (uint32_t slot = 0; slot < HIST_SLOTS; slot++) {
      if (bpf_map_lookup_elem(map_fd_, &slot, per_cpu_.data()) != 0) throw system_error("cannot read the histogram");
      const uint64_t total = std::accumulate(per_cpu_.begin(), per_cpu_.end(), uint64_t{0});
      histogram.add(Histogram::slot_high(slot), total - before_[slot]);
      before_[slot] = total;
    }
    return histogram;
  }

 private:
  int map_fd_;
  std::vector<uint64_t> per_cpu_;
  uint64_t before_[HIST_SLOTS] = {};
};

}  // namespace

int run_histogram(Session &session, Object &object, std::string_view map, const Column &column,
                  std::span<const std::string_view> losses) {
  const Values &values = session.values();
  session.prepare(object);
  Slots slots(object.map_fd(map));
  uint64_t from_ns = monotonic_ns();
  uint64_t intervals = 0;
  const auto put = [&] {
    const uint64_t to_ns = monotonic_ns();
    session.out().distribution(
        {.column = &column, .label = "", .from_ns = from_ns, .to_ns = to_ns, .values = slots.take()});
    from_ns = to_ns;
    if (++intervals == values.number("count")) session.loop().stop();
  };
  if (values.given("interval")) session.loop().every(values.duration_ns("interval"), put);
  object.attach();
  session.run();
  object.detach();
  if (!values.given("count") || intervals < values.number("count")) put();  // the interval that was cut short
  session.report(object.losses(losses));
  return session.finish();
}

}  // namespace strata
