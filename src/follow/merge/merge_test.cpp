// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How far another clock is ahead, of bounds that are known; and which sends meet which segments.
#include <random>
#include <string>
#include <vector>

#include "base/test.h"
#include "follow/merge/clock_offset.h"
#include "follow/merge/join.h"
#include "follow/recv/hops.h"
#include "follow/send/hops.h"
#include "follow/test.h"

namespace strata {
namespace {

constexpr int64_t kMs = 1'000'000, kSecond = 1'000'000'000;

TEST_CASE("the clock is in the middle of what all bounds leave") {
  const OffsetBounds bounds[] = {{.at_ns = 0, .low_ns = 3 * kSecond - 80, .high_ns = 3 * kSecond + 20},
                                 {.at_ns = 5, .low_ns = 3 * kSecond - 10, .high_ns = 3 * kSecond + 90},
                                 {.at_ns = 9, .high_ns = 3 * kSecond + 500}};
  const ClockOffset offset = offset_of(bounds);
  CHECK(offset.known);
  CHECK(offset.fits_all);
  CHECK(offset.at(7) == 3 * kSecond + 5);
  CHECK(offset.error_ns >= 15);
  CHECK(offset.error_ns <= 16);
}

TEST_CASE("without an acknowledgement it is the most that it can be") {
  const OffsetBounds bounds[] = {{.at_ns = 0, .high_ns = -5 * kMs}, {.at_ns = 5, .high_ns = -7 * kMs}};
  const ClockOffset offset = offset_of(bounds);
  CHECK(!offset.known);
  CHECK(offset.at(100) == -7 * kMs);
}

// Segments that take 20 to 900 us each way, over `seconds`, by a clock that is `ahead` and gains `rate`.
std::vector<OffsetBounds> made(int64_t ahead, double rate, int seconds, std::minstd_rand &dice) {
  std::vector<OffsetBounds> bounds;
  std::uniform_int_distribution<int64_t> way(20'000, 900'000);
  for (int64_t at = 0; at < seconds * kSecond; at += kSecond / 20) {
    const int64_t offset = ahead + static_cast<int64_t>(rate * static_cast<double>(at));
    bounds.push_back({.at_ns = at + ahead, .low_ns = offset - way(dice), .high_ns = offset + way(dice)});
  }
  return bounds;
}

TEST_CASE("clocks that drift are followed, and the error is not more than is said") {
  std::minstd_rand dice(7);
  for (const double rate : {0.0, 1e-7, 2e-6, 4e-6, 8e-6, 50e-6, -400e-6, 900e-6}) {
    for (const int64_t ahead : {int64_t{0}, 3 * kSecond, -86'400 * kSecond}) {
      CAPTURE(rate, ahead);
      const std::vector<OffsetBounds> bounds = made(ahead, rate, 100, dice);
      const ClockOffset offset = offset_of(bounds);
      CHECK(offset.known);
      CHECK(offset.fits_all);
      CHECK(offset.error_ns < 1'000'000);
      for (const OffsetBounds &one : bounds) {
        const auto truth = ahead + static_cast<int64_t>(rate * static_cast<double>(one.at_ns - ahead));
        REQUIRE(std::abs(offset.at(one.at_ns) - truth) <= offset.error_ns + 1);
      }
    }
  }
}

TEST_CASE("where both ways always take as long, drift that the bounds hide is in the error") {
  for (const double rate : {0.0, 25e-6, 38e-6}) {
    CAPTURE(rate);
    std::vector<OffsetBounds> bounds;
    for (int64_t at = 0; at <= 5 * kSecond; at += kSecond / 10) {
      const auto truth = static_cast<int64_t>(rate * static_cast<double>(at));
      bounds.push_back({.at_ns = at, .low_ns = truth - 100'000, .high_ns = truth + 100'000});
    }
    const ClockOffset offset = offset_of(bounds);
    for (const OffsetBounds &one : bounds)
      REQUIRE(std::abs(offset.at(one.at_ns) - (one.low_ns + 100'000)) <= offset.error_ns + 1);
  }
}

TEST_CASE("bounds that no clock fits say how far the worst is off") {
  const OffsetBounds bounds[] = {{.at_ns = 0, .low_ns = 0, .high_ns = 10},
                                 {.at_ns = 1, .low_ns = 5'000, .high_ns = 5'010}};
  const ClockOffset offset = offset_of(bounds);
  CHECK(!offset.fits_all);
  CHECK(offset.error_ns > 2'000);
}

TEST_CASE("after a host has slept, bounds are of another time") {
  std::minstd_rand dice(7);
  std::vector<OffsetBounds> bounds = made(0, 0, 10, dice);
  const size_t half = bounds.size() / 2 + 10;
  for (size_t i = half; i < bounds.size(); i++) {
    bounds[i].low_ns += 50 * kMs;
    bounds[i].high_ns += 50 * kMs;
  }
  const std::vector<bool> agree = that_agree(bounds);
  for (size_t i = 0; i < agree.size(); i++) CHECK(agree[i] == (i < half));
}

TEST_CASE("bounds of other bytes are found out") {
  std::minstd_rand dice(7);
  std::vector<OffsetBounds> bounds = made(3 * kSecond, 100e-6, 10, dice);
  const size_t right = bounds.size();
  bounds.push_back({.at_ns = 5 * kSecond, .low_ns = 10 * kSecond, .high_ns = 10 * kSecond + 100});
  bounds.push_back({.at_ns = 5 * kSecond, .low_ns = -10 * kSecond, .high_ns = -10 * kSecond + 100});
  bounds.push_back({.at_ns = 5 * kSecond, .high_ns = -10 * kSecond});
  const std::vector<bool> agree = that_agree(bounds);
  for (size_t i = 0; i < agree.size(); i++) CHECK(agree[i] == (i < right));
}

// ---- samples

constexpr Field kLocal{.key = "local"}, kRemote{.key = "remote"}, kSize{.key = "size_bytes"}, kComm{.key = "comm"};

Hop hop(std::string_view layer, std::string_view name, uint64_t ns, uint64_t from = 0, uint64_t size = 0) {
  Hop one = {.layer = layer, .name = std::string(name), .ts_ns = ns};
  if (size != 0) one.fields = {{&kHopOffset, from}, {&kHopBytes, size}};
  return one;
}

std::vector<NamedValue> fields(const char *local, const char *remote, uint64_t seq, uint64_t size) {
  return {{&kLocal, std::string(local)}, {&kRemote, std::string(remote)}, {&kSize, size}, {&kSequence, seq}};
}

// Given to the driver after 10 us, acknowledged after 200.
Sample send(uint64_t id, uint32_t seq, uint64_t size, uint64_t ns) {
  return {.id = id,
          .outcome = &kCompleted,
          .start_ns = ns,
          .seen_ns = 15'000,
          .fields = fields("a:1", "b:2", seq, size),
          .hops = {hop("syscall", "enter", ns), hop("qdisc", kToDriver, ns + 10'000, 0, size),
                   hop("syscall", "leave", ns + 15'000), hop("ack", kAcknowledged, ns + 200'000, 0, size)}};
}

// Has TCP after 5 us, a reader after 30.
Sample segment(uint64_t id, uint32_t seq, uint64_t size, uint64_t ns) {
  Sample one = {.id = id,
                .outcome = &kCompleted,
                .start_ns = ns,
                .fields = fields("b:2", "a:1", seq, size),
                .hops = {hop("device", "arrive", ns, 0, size), hop(kArrivalTcp, "receive", ns + 5'000, 0, size),
                         hop(kReader, "read", ns + 30'000, 0, size)}};
  one.fields.push_back({&kComm, std::string("server")});
  return one;
}

// By a clock that is 3 s ahead, which has a monotonic one of its own.
constexpr Clocks kHere = {.monotonic_ns = 1'000 * kSecond, .realtime_ns = 1'700'000'000 * uint64_t{kSecond}};
constexpr Clocks kThere = {.monotonic_ns = 50 * kSecond, .realtime_ns = 1'700'000'003 * uint64_t{kSecond}};
constexpr uint64_t kNow = 1'001 * kSecond, kNowThere = 51 * kSecond;

struct Merged {
  std::vector<Sample> samples;
  Account account;
  Joining joining;
};

Merged merged(std::vector<Sample> sends, std::vector<Sample> segments) {
  Merged result;
  Collector collector(kMergedProcedure, [&result](const Sample &sample) { result.samples.push_back(sample); });
  result.joining = join_samples({.host = "here", .clocks = kHere, .samples = std::move(sends)},
                                {.host = "there", .clocks = kThere, .samples = std::move(segments)}, collector);
  result.account = collector.account();
  return result;
}

std::string way(const Sample &sample) {
  std::string text;
  for (const Hop &one : sample.hops)
    text += (text.empty() ? "" : " ") + std::string(one.layer) + ":" + std::to_string((one.ts_ns - kNow) / 1'000);
  return text;
}

uint64_t number(const Sample &sample, std::string_view key) {
  for (const NamedValue &field : sample.fields)
    if (field.column->key == key) return std::get<uint64_t>(field.value);
  return 0;
}

TEST_CASE("a send and its segment are one sample, by the sender's clock") {
  const Merged all = merged({send(1, 100, 50, kNow)}, {segment(1, 100, 50, kNowThere + 60'000)});
  CHECK(all.joining.segments == 1);
  // Sent after 10 us, had by TCP 65 us after a moment that both know, acknowledged after 200.
  CHECK(all.joining.offset.at(0) == 3 * kSecond + (50'000 - 135'000) / 2);
  CHECK(all.joining.offset.error_ns == (50'000 + 135'000) / 2);
  REQUIRE(only_outcome(all.samples) == "completed");
  CHECK(way(all.samples[0]) == "syscall:0 qdisc:10 syscall:15 network:102 peer tcp:107 reader:132 ack:200");
  CHECK(number(all.samples[0], "joined_bytes") == 50);
  CHECK(all.samples[0].seen_ns == 15'000);
  CHECK(all.samples[0].total_ns == 200'000);
}

TEST_CASE("sends and segments meet where they share bytes, also where sequence numbers wrap") {
  const uint32_t first = 0xffffffff - 29;  // 30 bytes before 0
  const Merged all =
      merged({send(1, first, 50, kNow), send(2, first + 50, 10, kNow + 1'000), send(3, first + 60, 70'000, kNow)},
             {segment(1, first + 20, 35, kNowThere + 60'000), segment(2, first + 70'000, 60, kNowThere + 60'000)});
  REQUIRE(all.samples.size() == 3);
  CHECK(number(all.samples[0], "joined_bytes") == 30);
  CHECK(number(all.samples[1], "joined_bytes") == 5);
  CHECK(number(all.samples[2], "joined_bytes") == 60);
  CHECK(all.joining.segments == 2);
  CHECK(all.samples[0].hops[3].fields[0].value == Value(uint64_t{20}));
  CHECK(all.samples[0].hops[3].fields[1].value == Value(uint64_t{30}));
}

TEST_CASE("what meets nothing is counted") {
  Sample failed = send(3, 900, 50, kNow);
  failed.outcome = &kFailed;
  Sample other = segment(2, 300, 50, kNowThere);
  other.fields = fields("b:2", "a:9", 300, 50);  // of another connection
  const Merged all = merged({send(1, 100, 50, kNow), send(2, 300, 50, kNow), failed},
                            {segment(1, 150, 50, kNowThere), other, segment(3, 900, 50, kNowThere)});
  CHECK(all.samples.empty());
  CHECK(all.joining.segments == 0);
  CHECK(all.account.sampled == 3);
  CHECK(all.account.of(kAlone) == 3);
}

TEST_CASE("the same bytes of a stream that has come round are not joined") {
  std::vector<Sample> sends, segments;
  for (uint32_t i = 0; i < 5; i++) {
    sends.push_back(send(i + 1, 100 * i, 50, kNow + i * kMs));
    segments.push_back(segment(i + 1, 100 * i, 50, kNowThere + i * kMs + 60'000));
  }
  segments.push_back(segment(9, 100, 50, kNowThere + 4 * kSecond));
  const Merged all = merged(sends, segments);
  CHECK(all.samples.size() == 5);
  CHECK(all.joining.segments == 5);
  CHECK(all.samples[1].hops.size() == 7);
  CHECK(all.joining.others == 1);
}

TEST_CASE("streams that come round every three seconds stay apart for an hour") {
  std::vector<OffsetBounds> bounds;
  for (int64_t at = 0; at < 4'000 * kSecond; at += 3 * kSecond) {
    bounds.push_back({.at_ns = at, .low_ns = -100'000, .high_ns = 100'000});
    bounds.push_back({.at_ns = at, .low_ns = 3 * kSecond - 100'000, .high_ns = 3 * kSecond + 100'000});
  }
  bounds.push_back({.at_ns = 0, .low_ns = -100'000, .high_ns = 100'000});  // most of them
  const std::vector<bool> agree = that_agree(bounds);
  for (size_t i = 0; i < agree.size(); i++) CHECK(agree[i] == (bounds[i].low_ns < 0));
}

TEST_CASE("of a segment whose head TCP had before, the last byte alone says when it was acknowledged") {
  Sample again = segment(2, 100, 150, kNowThere + 20'500'000);  // the send's bytes once more, and new ones
  const Merged all = merged({send(1, 100, 50, kNow), send(2, 150, 100, kNow + 20'400'000)},
                            {segment(1, 100, 50, kNowThere + 60'000), again});
  CHECK(all.joining.offset.fits_all);
  CHECK(all.joining.segments == 2);
}

TEST_CASE("hops about the bytes of other sends are theirs") {
  Sample gro = segment(1, 100, 100, kNowThere + 60'000);
  gro.hops.back() = hop(kReader, "read", kNowThere + 90'000, 0, 50);
  gro.hops.push_back(hop(kReaderWakeUp, "woken", kNowThere + 10 * kMs));
  gro.hops.push_back(hop(kReader, "read", kNowThere + 11 * kMs, 50, 50));
  const Merged all = merged({send(1, 100, 50, kNow), send(2, 150, 50, kNow)}, {gro});
  REQUIRE(all.samples.size() == 2);
  CHECK(all.samples[0].hops.size() == 7);
  CHECK(all.samples[0].total_ns == 200'000);
  CHECK(all.samples[1].hops.size() == 8);
}

TEST_CASE("whether it was read, the receiver knows") {
  Sample unread = segment(1, 100, 50, kNowThere + 60'000), cut = segment(2, 200, 50, kNowThere + 60'000);
  unread.outcome = &kSegmentNotRead;
  cut.outcome = &kCutOff;
  cut.reason = "closed by the reader";
  const Merged all = merged({send(1, 100, 50, kNow), send(2, 200, 50, kNow)}, {unread, cut});
  REQUIRE(all.samples.size() == 2);
  CHECK(all.samples[0].outcome == &kNotRead);
  CHECK(all.samples[1].outcome == &kCutOff);
  CHECK(all.samples[1].reason == "closed by the reader");
}

TEST_CASE("a call that has not returned has the bytes that were seen") {
  Sample calling = send(1, 100, 50, kNow);
  calling.outcome = &kNotAcknowledged;
  std::erase_if(calling.fields, [](const NamedValue &field) { return field.column == &kSize; });
  CHECK(merged({calling}, {segment(1, 100, 50, kNowThere + 60'000)}).joining.segments == 1);
}

TEST_CASE("a segment that TCP had before says nothing of when it was acknowledged") {
  Sample again = segment(2, 100, 50, kNowThere + 500'000);
  again.outcome = &kDuplicate;
  const Merged all = merged({send(1, 100, 50, kNow)}, {segment(1, 100, 50, kNowThere + 60'000), again});
  CHECK(all.joining.offset.error_ns >= (50'000 + 135'000) / 2);
  CHECK(all.joining.offset.error_ns < 94'000);  // clocks may drift until it came
  CHECK(all.joining.segments == 2);
}

}  // namespace
}  // namespace strata
