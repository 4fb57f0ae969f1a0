// Any bytes as a recording: it is refused with an Error, or replayed into every format with an account that adds up.
#include "rec/recording.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <numeric>

#include "base/error.h"
#include "follow/follower.h"
#include "follow/wire.h"
#include "render/formats.h"

namespace strata {
namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

std::vector<std::unique_ptr<Sink>> null_sinks() {
  std::vector<std::unique_ptr<Sink>> sinks;
  for (const auto make : {make_text_sink, make_json_sink, make_perfetto_sink, make_record_sink})
    sinks.push_back(make(Writer(Fd(open("/dev/null", O_WRONLY)), "nowhere")));
  return sinks;
}

uint64_t sum(const std::vector<std::pair<std::string, uint64_t>> &counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0},
                         [](uint64_t n, const auto &c) { return n + c.second; });
}

void require_balance(const Account &a, uint64_t shown) {
  const uint64_t known = a.completed + a.pending + a.truncated + sum(a.failed);
  require(a.sampled == known + sum(a.lost));
  require(known <= shown && shown <= a.sampled);
}

// What was read is written and read again without a change.
void require_round_trip(const std::string &file) {
  Recording recording(file);
  for (WireRecord record; recording.next(kFollowWires, record);) {
    const std::string line = to_line(*record.wire, record.bytes.data());
    require(from_line(kFollowWires, line).bytes == record.bytes);
  }
}

void replay(const std::string &file) {
  const auto sinks = null_sinks();
  Recording recording(file);
  uint64_t shown = 0;
  for (const auto &sink : sinks)
    sink->begin({.program = recording.program(), .clocks = recording.clocks(), .columns = {}, .shown = {}});
  const Replayed run = replay_follow(recording, [&](const Sample &sample) {
    ++shown;
    for (const auto &sink : sinks) sink->sample(sample);
  });
  for (const auto &sink : sinks) {
    sink->loss(run.losses);
    sink->summary(run.summary);
    sink->end();
  }
  require_balance(run.summary.account, shown);
}

}  // namespace
}  // namespace strata

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const int fd = memfd_create("recording", 0);
  static const std::string file = "/proc/self/fd/" + std::to_string(fd);
  strata::require(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == static_cast<ssize_t>(size));
  for (const auto step : {strata::require_round_trip, strata::replay}) {
    try {
      step(file);
    } catch (const strata::Error &) {
    }
  }
  return 0;
}
