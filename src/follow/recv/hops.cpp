// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/recv/hops.h"

#include <iterator>

#include "base/text.h"
#include "follow/send/hops.h"
#include "kern/inet.h"

namespace strata {

namespace {

constexpr Field kLocal{
    .decode = {.type = Type::kText}, .key = "local", .title = "TO", .help = "address and port of this end"};
constexpr Field kRemote{
    .decode = {.type = Type::kText}, .key = "remote", .title = "FROM", .help = "address and port of the other end"};
constexpr Field kSize{
    .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .help = "of the segment's or datagram's data"};
constexpr Field kComm{.decode = {.type = Type::kText}, .key = "comm", .title = "BY", .help = "the reader's name"};
constexpr Field kTgid{
    .decode = {.type = Type::kInteger}, .key = "tgid", .title = "PID", .help = "the reader's process"};
constexpr Field kTid{
    .decode = {.type = Type::kInteger}, .key = "tid", .title = "TID", .help = "the reader's thread", .hidden = true};

constexpr const Outcome *kOutcomes[] = {&kCompleted, &kSegmentNotRead, &kDuplicate, &kNotDelivered,
                                        &kOfOthers,  &kDropped,        &kCutOff,    &kLost};
constexpr std::string_view kUp[] = {"device",      kArrivalTcp, kBacklog, kOutOfOrder, kArrivalQueue,
                                    kReaderWakeUp, kCpuWait,    kReader,  "drop"};

std::string_view attributed_layer(const Hop &hop) { return hop.layer; }

constexpr const Field *kOfSample[] = {&kLocal, &kRemote, &kSize, &kComm, &kTgid, &kTid, &kSequence};

}  // namespace

const Procedure kRecvProcedure = {.outcomes = kOutcomes, .layers = kUp, .attributed_layer = attributed_layer};
const std::span<const Field *const> kRecvSampleColumns = kOfSample,
                                    kUdpRecvColumns{kOfSample, std::size(kOfSample) - 1};

void ReaderStep::become(Hop &hop) const {
  if (hop.ts_ns != ts_ns) hop.fields.clear();
  hop.layer = layer;
  hop.name = name;
  hop.ts_ns = ts_ns;
}

std::vector<ReaderStep> reader_steps(const recv_hop &record, uint64_t since_ns) {
  const bool ran = record.run_ns > since_ns && record.run_ns <= record.hop.ts_ns;
  std::vector<ReaderStep> steps;
  if (ran && record.wake_ns > since_ns) steps.push_back({kReaderWakeUp, "woken", record.wake_ns});
  if (ran) steps.push_back({kCpuWait, "run", record.run_ns});
  steps.push_back({ran ? kReader : kArrivalQueue, "read", record.hop.ts_ns});
  return steps;
}

std::vector<NamedValue> recv_fields(const send_start &start, uint64_t size, const send_hop *reader) {
  const sock_ends &ends = start.ends;  // as the sender has them
  return {
      {&kLocal, endpoint_text({ends.remote_hi, ends.remote_lo}, ends.remote_port)},
      {&kRemote, endpoint_text({ends.local_hi, ends.local_lo}, ends.local_port)},
      {&kSize, size},
      {&kComm, reader != nullptr ? Value(cstr(reader->comm)) : Value()},
      {&kTgid, reader != nullptr ? Value(uint64_t{reader->tgid}) : Value()},
      {&kTid, reader != nullptr ? Value(uint64_t{reader->tid}) : Value()},
  };
}

}  // namespace strata
