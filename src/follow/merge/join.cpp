// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/merge/join.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/ending.h"
#include "follow/ranges.h"
#include "follow/recv/hops.h"
#include "follow/send/hops.h"

namespace strata {
namespace {

constexpr Field kHost{.decode = {.type = Type::kText}, .key = "host", .title = "", .help = "the host"};
constexpr Field kSameHost = hidden(kHost);  // as that of the hop before
constexpr Field kSender{.decode = {.type = Type::kText}, .key = "host", .title = "ON", .help = "the sender's host"};
constexpr Field kReceiver{
    .decode = {.type = Type::kText}, .key = "peer_host", .title = "TO HOST", .help = "the receiver's host"};
constexpr Field kReaderName{
    .decode = {.type = Type::kText}, .key = "peer_comm", .title = "READER", .help = "the reader's name"};
constexpr Field kReaderPid{
    .decode = {.type = Type::kInteger}, .key = "peer_tgid", .title = "READER PID", .help = "the reader's process"};
constexpr Field kFollowed{.decode = {.type = Type::kInteger},
                          .key = "joined_bytes",
                          .title = "JOINED",
                          .unit = Unit::kBytes,
                          .help = "in segments that were followed on the other host"};
constexpr Field kOffset{.decode = {.type = Type::kInteger},
                        .key = "clock_offset_ns",
                        .title = "CLOCK",
                        .help = "how far the receiver's clock is ahead, ns",
                        .hidden = true};
constexpr Field kError{.decode = {.type = Type::kInteger},
                       .key = "clock_error_ns",
                       .title = "CLOCK ERROR",
                       .unit = Unit::kNs,
                       .help = "how far from that it may be, in either direction",
                       .hidden = true};

constexpr const Outcome *kOutcomes[] = {&kCompleted, &kNotRead, &kNotAcknowledged, &kAlone, &kCutOff,
                                        &kOtherTime, &kLost};
constexpr std::string_view kSize = "size_bytes", kDevice = "device", kNetwork = "network", kPeerDevice = "peer device",
                           kPeerTcp = "peer tcp", kPeerBacklog = "peer backlog";
constexpr std::string_view kLayers[] = {"syscall",     "tcp",       "window", "congestion", "qdisc",     kDevice,
                                        kNetwork,      kPeerDevice, kPeerTcp, kPeerBacklog, kOutOfOrder, kArrivalQueue,
                                        kReaderWakeUp, kCpuWait,    kReader,  "retransmit", "drop",      "ack"};

uint64_t number_of(const std::vector<NamedValue> &fields, std::string_view key) {
  const Value *value = value_of(fields, key);
  const auto *number = value != nullptr ? std::get_if<uint64_t>(value) : nullptr;
  return number != nullptr ? *number : 0;
}

std::string text_of(const std::vector<NamedValue> &fields, std::string_view key) {
  const Value *value = value_of(fields, key);
  const auto *text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return text != nullptr ? *text : "";
}

bool has(const std::vector<NamedValue> &fields, std::string_view key) {
  const Value *value = value_of(fields, key);
  return value != nullptr && !is_nothing(*value);
}

bool has_bytes(const Hop &hop) { return has(hop.fields, kHopBytes.key); }
uint64_t begin_of(const Hop &hop) { return number_of(hop.fields, kHopOffset.key); }
uint64_t end_of(const Hop &hop) { return begin_of(hop) + number_of(hop.fields, kHopBytes.key); }

// Bytes of a stream, by the sequence number of the first. Of a call that has not returned those that were seen.
struct Bytes {
  static constexpr uint64_t kMost = uint64_t{1} << 31;

  uint32_t first = 0;
  uint64_t size = 0;

  explicit Bytes(const Sample &sample)
      : first(static_cast<uint32_t>(number_of(sample.fields, kSequence.key))), size(number_of(sample.fields, kSize)) {
    if (!has(sample.fields, kSize))
      for (const Hop &hop : sample.hops) size = std::max(size, end_of(hop));
    if (size >= kMost) size = 0;
  }
};

// When each byte of a send passed a point for the first time: of a hop that goes further than those before.
class Passed {
 public:
  void add(uint64_t end, uint64_t ns) {
    if (ends_.empty() || end > ends_.back().first) ends_.emplace_back(end, ns);
  }
  // 0: it is not known.
  [[nodiscard]] uint64_t at(uint64_t place) const {
    const auto found = std::ranges::upper_bound(ends_, place, {}, [](const auto &one) { return one.first; });
    return found != ends_.end() ? found->second : 0;
  }

 private:
  std::vector<std::pair<uint64_t, uint64_t>> ends_;  // and the time, 0 if it was not the first one
};

// Where and when the bytes of a send were under way.
struct Passage {
  uint64_t begun_ns;
  Passed queued, left, acknowledged;

  explicit Passage(const Sample &send) : begun_ns(send.start_ns) {
    uint64_t again = 0;  // what is given to the driver of these was so before
    for (const Hop &hop : send.hops) {
      if (hop.name == kAgain) again = std::max(again, end_of(hop));
      if (hop.name == kToDevice) queued.add(end_of(hop), hop.ts_ns);
      if (hop.name == kToDriver) left.add(end_of(hop), end_of(hop) > again ? hop.ts_ns : 0);
      if (hop.name == kAcknowledged) acknowledged.add(end_of(hop), hop.ts_ns);
    }
  }
  // When a byte left the sender at the earliest: its driver had it, its device, or its call began.
  [[nodiscard]] uint64_t left_ns(uint64_t place) const {
    if (const uint64_t ns = left.at(place); ns != 0) return ns;
    const uint64_t ns = queued.at(place);
    return ns != 0 ? ns : begun_ns;
  }
};

// When TCP had a segment that it can have acknowledged then; 0: it did not, or it had those bytes before.
uint64_t taken_ns(const Sample &segment) {
  const auto &outcome = segment.outcome;
  if (outcome != &kCompleted && outcome != &kSegmentNotRead && outcome != &kCutOff) return 0;
  for (const Hop &hop : segment.hops)
    if (hop.name == "receive" && (hop.layer == kArrivalTcp || hop.layer == kBacklog)) return hop.ts_ns;
  return 0;
}

// A send and a segment that has some of its bytes.
struct Pair {
  size_t send, segment;
  int64_t place;    // of the segment's first byte among the send's
  uint64_t lo, hi;  // of the bytes that they share, among the send's
};

std::string_view layer_of(const Hop &hop) {
  if (hop.name == "arrive") return kNetwork;
  return hop.layer == kDevice       ? kPeerDevice
         : hop.layer == kArrivalTcp ? kPeerTcp
         : hop.layer == kBacklog    ? kPeerBacklog
                                    : hop.layer;
}

// People see the host where it is another one than before.
void show_host(const Hop &last, Hop &hop) {
  NamedValue &host = hop.fields.back();
  if (host.value != last.fields.back().value) host.column = &kHost;
}

// Where both ends are on one host, the sender's hops have the receiving end, too: the receiver has more of it.
void drop_receiving_end(std::vector<Hop> &hops) {
  if (std::ranges::none_of(hops, [](const Hop &hop) { return hop.layer == kPeerTcp; })) return;
  std::erase_if(
      hops, [](const Hop &hop) { return hop.layer == kPeerTcp || hop.layer == kArrivalQueue || hop.layer == kDevice; });
}

// Where the segments of a connection are, by the sequence number of the first byte.
struct Segments {
  std::vector<std::pair<uint32_t, size_t>> firsts;  // in order, and which it is
  uint64_t longest = 0;

  // Those that may have some of these bytes.
  template <typename Each>
  void each_near(const Bytes &bytes, const Each &each) const {
    const uint32_t from = bytes.first - static_cast<uint32_t>(longest);
    const uint64_t span = longest + bytes.size;
    auto at = std::ranges::lower_bound(firsts, std::pair<uint32_t, size_t>(from, 0));
    for (size_t n = 0; n < firsts.size(); n++, ++at) {
      if (at == firsts.end()) at = firsts.begin();
      if (static_cast<uint32_t>(at->first - from) >= span) return;
      each(at->second);
    }
  }
};

class Join {
 public:
  Join(const HostSamples &sender, const HostSamples &receiver)
      : sender_(sender), receiver_(receiver), shift_ns_(ahead(receiver.clocks) - ahead(sender.clocks)) {}

  void find_pairs();
  [[nodiscard]] ClockOffset fit();  // and leaves out pairs of another time
  void finish(const ClockOffset &offset, Collector &collector) const;
  [[nodiscard]] size_t connections() const { return met_.size(); }
  [[nodiscard]] size_t segments() const { return segments_of(pairs_).size(); }
  [[nodiscard]] size_t others() const;

 private:
  static uint64_t ahead(const Clocks &clocks) { return clocks.realtime_ns - clocks.monotonic_ns; }
  static std::set<size_t> segments_of(std::span<const Pair> pairs);

  void add_segments();
  void pair_send(size_t send, const Segments &segments);
  // A time of the receiver, as if its clock were the sender's. Times of a hostile recording are not added up.
  [[nodiscard]] int64_t as_sender(uint64_t ns) const {
    constexpr int64_t kMost = int64_t{1} << 61;
    return std::clamp(static_cast<int64_t>(ns + shift_ns_), -kMost, kMost);
  }
  [[nodiscard]] OffsetBounds bounds_of(const Pair &pair, const Passage &passage) const;
  void add_hops(Sample &sample, const Pair &pair, const ClockOffset &offset) const;
  [[nodiscard]] Sample joined(std::span<const Pair> pairs, const ClockOffset &offset) const;
  void count_alone(size_t send, Collector &collector) const;

  const HostSamples &sender_;
  const HostSamples &receiver_;
  const uint64_t shift_ns_;  // modulo 1 << 64
  std::map<std::string, Segments> connections_;
  std::set<std::string> met_;
  std::vector<Pair> pairs_, others_;  // in the order of the sends
};

void Join::add_segments() {
  for (size_t i = 0; i < receiver_.samples.size(); i++) {
    const auto &fields = receiver_.samples[i].fields;
    const Bytes bytes(receiver_.samples[i]);
    if (bytes.size == 0) continue;
    Segments &segments = connections_[text_of(fields, "remote") + " " + text_of(fields, "local")];
    segments.firsts.emplace_back(bytes.first, i);
    segments.longest = std::max(segments.longest, bytes.size);
  }
  for (auto &[ends, segments] : connections_) std::ranges::sort(segments.firsts);
}

void Join::pair_send(size_t send, const Segments &segments) {
  const Bytes bytes(sender_.samples[send]);
  const size_t from = pairs_.size();
  segments.each_near(bytes, [&](size_t i) {
    const Bytes segment(receiver_.samples[i]);
    const int64_t place = static_cast<int32_t>(segment.first - bytes.first);
    const int64_t end = std::min(place + static_cast<int64_t>(segment.size), static_cast<int64_t>(bytes.size));
    const int64_t begin = std::max<int64_t>(place, 0);
    if (begin < end) pairs_.push_back({send, i, place, static_cast<uint64_t>(begin), static_cast<uint64_t>(end)});
  });
  std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(from), pairs_.end(),
            [](const Pair &a, const Pair &b) { return a.segment < b.segment; });
}

void Join::find_pairs() {
  add_segments();
  for (size_t i = 0; i < sender_.samples.size() && !ending_begun(); i++) {
    const Sample &send = sender_.samples[i];
    const auto known = connections_.find(text_of(send.fields, "local") + " " + text_of(send.fields, "remote"));
    if (known == connections_.end()) continue;
    met_.insert(known->first);
    if (send.outcome != &kLost && send.outcome != &kFailed)
      pair_send(i, known->second);  // else its bytes are not known
  }
}

// Of the last byte of a segment it is known that TCP did not have it before.
OffsetBounds Join::bounds_of(const Pair &pair, const Passage &passage) const {
  const Sample &segment = receiver_.samples[pair.segment];
  const bool has_last = pair.place + static_cast<int64_t>(Bytes(segment).size) == static_cast<int64_t>(pair.hi);
  const uint64_t last = pair.hi - 1, acked_ns = passage.acknowledged.at(last),
                 had_ns = has_last ? taken_ns(segment) : 0;
  const int64_t arrived_ns = as_sender(segment.start_ns);
  OffsetBounds bounds = {.at_ns = arrived_ns, .high_ns = arrived_ns - static_cast<int64_t>(passage.left_ns(last))};
  if (acked_ns != 0 && had_ns != 0) bounds.low_ns = as_sender(had_ns) - static_cast<int64_t>(acked_ns);
  return bounds;
}

ClockOffset Join::fit() {
  std::vector<OffsetBounds> bounds, agreeing;
  std::optional<Passage> passage;
  for (size_t i = 0; i < pairs_.size(); i++) {
    if (i == 0 || pairs_[i].send != pairs_[i - 1].send) passage.emplace(sender_.samples[pairs_[i].send]);
    bounds.push_back(bounds_of(pairs_[i], *passage));
  }
  const std::vector<bool> agree = that_agree(bounds);
  std::vector<Pair> kept;
  for (size_t i = 0; i < pairs_.size(); i++) {
    (agree[i] ? kept : others_).push_back(pairs_[i]);
    if (agree[i]) agreeing.push_back(bounds[i]);
  }
  pairs_ = std::move(kept);
  return agreeing.empty() ? ClockOffset{.known = false} : offset_of(agreeing);
}

std::set<size_t> Join::segments_of(std::span<const Pair> pairs) {
  std::set<size_t> all;
  for (const Pair &pair : pairs) all.insert(pair.segment);
  return all;
}

size_t Join::others() const {
  std::set<size_t> all = segments_of(others_);
  for (const size_t segment : segments_of(pairs_)) all.erase(segment);
  return all.size();
}

// ---- the samples

// Of a segment that has bytes of other sends, too, only what is about this one's; what leads to a read, with the read.
void Join::add_hops(Sample &sample, const Pair &pair, const ClockOffset &offset) const {
  const auto size = static_cast<int64_t>(Bytes(sample).size);
  const auto within = [size](int64_t place) { return static_cast<uint64_t>(std::clamp<int64_t>(place, 0, size)); };
  std::vector<Hop> leading;
  for (Hop hop : receiver_.samples[pair.segment].hops) {
    const int64_t ns = as_sender(hop.ts_ns);
    const uint64_t from = within(pair.place + static_cast<int64_t>(begin_of(hop)));
    const uint64_t to = within(pair.place + static_cast<int64_t>(end_of(hop)));
    const bool is_of_bytes = has_bytes(hop);
    hop.ts_ns = static_cast<uint64_t>(std::max(ns - offset.at(ns), static_cast<int64_t>(sample.start_ns)));
    for (NamedValue &field : hop.fields) {
      if (field.column == &kHopOffset) field.value = from;
      if (field.column == &kHopBytes) field.value = to - from;
    }
    hop.layer = layer_of(hop);
    hop.fields.push_back({&kSameHost, receiver_.host});
    leading.push_back(std::move(hop));
    if (!is_of_bytes) continue;
    if (from < to) std::ranges::move(leading, std::back_inserter(sample.hops));
    leading.clear();
  }
  std::ranges::move(leading, std::back_inserter(sample.hops));
}

// Whether what was sent was read, its receiver knows.
void set_outcome(Sample &sample, const Sample &segment) {
  if (sample.outcome != &kCompleted) return;
  if (segment.outcome == &kCutOff) sample.reason = segment.reason;
  if (segment.outcome == &kCutOff) sample.outcome = &kCutOff;
  if (segment.outcome == &kSegmentNotRead) sample.outcome = &kNotRead;
}

Sample Join::joined(std::span<const Pair> pairs, const ClockOffset &offset) const {
  Sample sample = sender_.samples[pairs.front().send];
  const uint64_t size = Bytes(sample).size;
  Ranges missing(0, size);
  const Sample *reader = nullptr;
  for (const Pair &pair : pairs) {
    const Sample &segment = receiver_.samples[pair.segment];
    missing.remove(pair.lo, pair.hi);
    if (has(segment.fields, "comm")) reader = &segment;
    set_outcome(sample, segment);
  }
  const auto of_reader = [&](std::string_view key) {
    const Value *value = reader != nullptr ? value_of(reader->fields, key) : nullptr;
    return value != nullptr ? *value : Value();
  };
  const int64_t began_ns = as_sender(receiver_.samples[pairs.front().segment].start_ns);
  const NamedValue more[] = {{&kSender, sender_.host},
                             {&kReceiver, receiver_.host},
                             {&kReaderName, of_reader("comm")},
                             {&kReaderPid, of_reader("tgid")},
                             {&kFollowed, size - missing.bytes()},
                             {&kOffset, offset.known ? Value(offset.at(began_ns)) : Value()},
                             {&kError, offset.known ? Value(offset.error_ns) : Value()}};
  sample.fields.insert(sample.fields.end(), std::begin(more), std::end(more));
  if (missing.empty()) drop_receiving_end(sample.hops);
  for (Hop &hop : sample.hops) hop.fields.push_back({&kSameHost, sender_.host});
  for (const Pair &pair : pairs) add_hops(sample, pair, offset);
  std::ranges::stable_sort(sample.hops, {}, &Hop::ts_ns);
  for (size_t i = 1; i < sample.hops.size(); i++) show_host(sample.hops[i - 1], sample.hops[i]);
  return sample;
}

void Join::count_alone(size_t send, Collector &collector) const {
  const auto other = std::ranges::lower_bound(others_, send, {}, &Pair::send);
  collector.leave_out(other != others_.end() && other->send == send ? kOtherTime : kAlone);
}

void Join::finish(const ClockOffset &offset, Collector &collector) const {
  auto pair = pairs_.begin();
  for (size_t i = 0; i < sender_.samples.size() && !ending_begun(); i++) {
    const auto end = std::find_if(pair, pairs_.end(), [i](const Pair &one) { return one.send != i; });
    if (pair == end) {
      count_alone(i, collector);
      continue;
    }
    Sample sample = joined({pair, end}, offset);
    const Outcome &outcome = *sample.outcome;
    const std::string reason = std::exchange(sample.reason, {});
    collector.finish(sample, outcome, reason, sample.seen_ns != 0 ? sample.start_ns + sample.seen_ns : 0);
    pair = end;
  }
}

constexpr const Field *kOfMerged[] = {&kSender, &kReceiver, &kReaderName, &kReaderPid, &kFollowed, &kOffset, &kError};
constexpr const Field *kOfHop[] = {&kHost};

}  // namespace

const Procedure kMergedProcedure = {.outcomes = kOutcomes, .layers = kLayers, .attributed_layer = [](const Hop &hop) {
                                      return kSendProcedure.attributed_layer(hop);
                                    }};
const std::span<const Field *const> kMergedSampleColumns = kOfMerged, kMergedHopColumns = kOfHop;

Joining join_samples(const HostSamples &sender, const HostSamples &receiver, Collector &collector) {
  Join join(sender, receiver);
  join.find_pairs();
  const ClockOffset offset = join.fit();
  join.finish(offset, collector);
  return {.offset = offset, .connections = join.connections(), .segments = join.segments(), .others = join.others()};
}

}  // namespace strata
