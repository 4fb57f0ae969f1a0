// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/send/hops.h"

#include <iterator>

#include "base/text.h"
#include "btf/drop_reasons.h"
#include "kern/errno.h"
#include "kern/inet.h"
#include "kern/syscall.h"
#include "rec/names.h"

namespace strata {

namespace {

// Without a title the value speaks for itself in text.
constexpr Field kCall{
    .decode = {.type = Type::kText}, .key = "call", .title = "", .help = "the system call, where it is known"};
constexpr Field kLocal{.decode = {.type = Type::kText},
                       .key = "local",
                       .title = "FROM",
                       .help = "of a send or recv: address and port of this end; of a query, of the server"};
constexpr Field kRemote{.decode = {.type = Type::kText},
                        .key = "remote",
                        .title = "TO",
                        .help = "of a send or recv: address and port of the other end; of a query, of the client"};
constexpr Field kSize{.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .help = "what was sent"};
constexpr Field kComm{.decode = {.type = Type::kText}, .key = "comm", .title = "BY", .help = "the sender's name"};
constexpr Field kTgid{
    .decode = {.type = Type::kInteger}, .key = "tgid", .title = "PID", .help = "the sender's process"};
constexpr Field kTid{
    .decode = {.type = Type::kInteger}, .key = "tid", .title = "TID", .help = "the sender's thread", .hidden = true};
constexpr Field kReturn{.key = "return", .title = "RETURN", .help = "bytes queued, or the error"};
constexpr Field kLimit{.decode = {.type = Type::kText},
                       .key = "limit",
                       .title = "HELD BY",
                       .help = "what kept bytes from being sent: window, cwnd, other (cork, Nagle, pacing, qdisc)"};
constexpr Field kDevice{.decode = {.type = Type::kText}, .key = "dev", .title = "", .help = "the device"};
constexpr Field kReason{
    .decode = {.type = Type::kText}, .key = "reason", .title = "REASON", .help = "why the packet was dropped"};
constexpr Field kBy{.decode = {.type = Type::kText}, .key = "by", .title = "BY", .help = "who reset the connection"};
constexpr Field kMissing{.decode = {.type = Type::kInteger},
                         .key = "missing_bytes",
                         .title = "MISSING",
                         .unit = Unit::kBytes,
                         .help = "of a recv: what had not arrived before it"};
constexpr Field kError{
    .decode = {.type = Type::kText}, .key = "error", .title = "ERROR", .help = "the socket's, when it ended"};

struct Words {
  std::string_view layer;
  std::string_view name;
};

constexpr std::string_view kSyscall = "syscall", kTcp = "tcp", kWindow = "window", kCongestion = "congestion",
                           kQdisc = "qdisc", kPeerTcp = "peer tcp", kQueue = "socket queue", kRetransmit = "retransmit",
                           kDrop = "drop", kAck = "ack";
constexpr std::string_view kWindowLimit = "window", kCwndLimit = "cwnd", kOtherLimit = "other";

constexpr Words words_of(uint32_t kind) {
  switch (kind) {
    case SEND_ENTER:
      return {kSyscall, "enter"};
    case SEND_LEAVE:
      return {kSyscall, "leave"};
    case SEND_QUEUE:
      return {kTcp, kToDevice};
    case SEND_XMIT:
      return {kQdisc, kToDriver};
    case SEND_RETRANSMIT:
      return {kRetransmit, kAgain};
    case SEND_DROP:
      return {kDrop, "drop"};
    case SEND_RECEIVE:
      return {kDeviceLayer, "receive"};
    case SEND_TCP_RECEIVE:
      return {kPeerTcp, "receive"};
    case SEND_READ:
      return {kQueue, "read"};
    case SEND_PEER_CLOSE:
      return {kQueue, "close"};
    case SEND_ACK:
      return {kAck, kAcknowledged};
    case SEND_CLOSE:
      return {kTcp, "close"};
    case SEND_RESET:
      return {kTcp, "reset"};
    case RECV_ARRIVE:
      return {kDeviceLayer, "arrive"};
    case RECV_TCP:
      return {kTcp, "receive"};
    case RECV_READ:
      return {kQueue, "read"};
    case SEND_NEIGHBOUR:
      return {kUdp, "ask"};
    case SEND_SOCKET:
      return {kPeerUdp, kQueued};
    case SEND_DONE:
      return {kDeviceLayer, "sent"};
    default:
      return {"?", "?"};
  }
}

constexpr std::string_view limit_name(uint32_t limit) {
  return limit == LIMIT_WINDOW ? kWindowLimit : limit == LIMIT_CWND ? kCwndLimit : kOtherLimit;
}

// Bytes that waited for the window or for congestion control did not wait in TCP for anything else.
std::string_view attributed_layer(const Hop &hop) {
  if (hop.layer != kTcp) return hop.layer;
  for (const NamedValue &field : hop.fields) {
    if (field.column != &kLimit) continue;
    const auto *limit = std::get_if<std::string>(&field.value);
    if (limit != nullptr && *limit == kWindowLimit) return kWindow;
    if (limit != nullptr && *limit == kCwndLimit) return kCongestion;
  }
  return hop.layer;
}

constexpr const Outcome *kOutcomes[] = {&kCompleted, &kNothingSent, &kNotRead, &kNotAcknowledged,
                                        &kCutOff,    &kFailed,      &kLost};
constexpr std::string_view kDown[] = {kSyscall, kTcp,     kWindow, kCongestion, kQdisc, kDeviceLayer,
                                      kForward, kPeerTcp, kQueue,  kRetransmit, kDrop,  kAck};

bool has_bytes(uint32_t kind) {
  return (kind >= SEND_QUEUE && kind <= SEND_ACK && kind != SEND_PEER_CLOSE) ||
         (kind >= RECV_ARRIVE && kind <= SEND_DONE);
}

}  // namespace

const Field kHopOffset = {.decode = {.type = Type::kInteger},
                          .key = "offset_bytes",
                          .title = "OFFSET",
                          .unit = Unit::kOffset,
                          .help = "among the sample's bytes"};
const Field kHopBytes = {.key = "size_bytes", .title = "", .unit = Unit::kBytes, .help = "of the sample's bytes"};
const Procedure kSendProcedure = {.outcomes = kOutcomes, .layers = kDown, .attributed_layer = attributed_layer};

const std::string &ReasonNames::name(uint32_t reason) {
  const auto [at, is_new] = names_.try_emplace(reason);
  if (is_new) at->second = here_ ? drop_reason_name(reason) : std::to_string(reason);
  return at->second;
}

void ReasonNames::name_first(const send_hop &record, const ChainTracker::Take &take) {
  if (record.kind != SEND_DROP || record.reason == SEND_NO_REASON || !told_.insert(record.reason).second) return;
  reason_name told = {.reason = record.reason, .name = {}};
  name(record.reason).copy(told.name, sizeof(told.name) - 1);
  take(kDropReasonRecord, &told);
}

bool ReasonNames::on_name(const RecordType &type, const void *name) {
  if (&type != &kDropReasonRecord) return false;
  const auto &reason = *static_cast<const reason_name *>(name);
  names_[static_cast<uint32_t>(reason.reason)] = cstr(reason.name);
  return true;
}

std::string resetter_name(const send_hop &record) {
  return record.result == RESET_BY_PEER     ? "the other end"
         : record.result == RESET_BY_SENDER ? "this end"
                                            : "the reader";
}

Hop send_hop_of(const send_hop &record, uint64_t lo, uint64_t hi, ReasonNames &reasons) {
  const Words words = words_of(record.kind);
  Hop hop{.layer = words.layer,
          .name = std::string(words.name),
          .ts_ns = record.ts_ns,
          .cpu = record.cpu,
          .tid = record.tid,
          .comm = cstr(record.comm)};
  if (record.kind == SEND_ENTER && record.call != 0) hop.fields.push_back({&kCall, syscall_name(record.call)});
  if (record.kind == SEND_LEAVE)
    hop.fields.push_back(
        {&kReturn, record.result < 0 ? Value(errno_name(record.result)) : Value(int64_t{record.result})});
  if (record.kind == SEND_LEAVE && record.limit != LIMIT_NONE)
    hop.fields.push_back({&kLimit, std::string(limit_name(record.limit))});
  if (record.kind == SEND_RESET) hop.fields.push_back({&kBy, resetter_name(record)});
  if (record.kind == SEND_CLOSE && record.result != 0) hop.fields.push_back({&kError, errno_name(record.result)});
  if (!has_bytes(record.kind)) return hop;
  hop.fields.push_back({&kHopOffset, lo});
  hop.fields.push_back({&kHopBytes, hi - lo});
  if (record.dev[0] != '\0') hop.fields.push_back({&kDevice, cstr(record.dev)});
  if (record.kind == SEND_DROP && record.reason != SEND_NO_REASON)
    hop.fields.push_back({&kReason, reasons.name(record.reason)});
  return hop;
}

void add_missing(Hop &hop, uint32_t bytes) { hop.fields.push_back({&kMissing, uint64_t{bytes}}); }
void add_limit(Hop &hop, uint32_t limit) { hop.fields.push_back({&kLimit, std::string(limit_name(limit))}); }

constexpr const Field *kOfSample[] = {&kCall, &kLocal, &kRemote, &kSize, &kComm, &kTgid, &kTid, &kSequence};
constexpr const Field *kOfHop[] = {&kCall,   &kReturn, &kLimit, &kHopOffset, &kHopBytes,
                                   &kDevice, &kReason, &kBy,    &kError};
constexpr const Field *kOfDatagram[] = {&kCall, &kReturn, &kHopOffset, &kHopBytes, &kDevice, &kReason};
constexpr const Field *kOfSegment[] = {&kHopOffset, &kHopBytes, &kDevice, &kMissing, &kReason, &kBy};
const std::span<const Field *const> kSendSampleColumns = kOfSample, kSendHopColumns = kOfHop,
                                    kSegmentHopColumns = kOfSegment, kUdpHopColumns = kOfDatagram,
                                    kUdpSendColumns{kOfSample, std::size(kOfSample) - 1};

namespace {

// A UDP socket may have neither before it sends.
Value endpoint_or_none(Address address, uint32_t port) {
  return port != 0 ? Value(endpoint_text(address, port)) : Value();
}

}  // namespace

std::vector<NamedValue> send_fields(const send_start &start) {
  const send_hop &hop = start.hop;
  const sock_ends &ends = start.ends;
  return {
      {&kCall, hop.call != 0 ? Value(syscall_name(hop.call)) : Value()},
      {&kLocal, endpoint_or_none({ends.local_hi, ends.local_lo}, ends.local_port)},
      {&kRemote, endpoint_or_none({ends.remote_hi, ends.remote_lo}, ends.remote_port)},
      {&kSize, Value()},
      {&kComm, cstr(hop.comm)},
      {&kTgid, uint64_t{hop.tgid}},
      {&kTid, uint64_t{hop.tid}},
  };
}

void add_sequence(Sample &sample, uint32_t first) { sample.fields.push_back({&kSequence, uint64_t{first}}); }

void set_sent(Sample &sample, uint64_t bytes) {
  for (NamedValue &field : sample.fields)
    if (field.column == &kSize) field.value = bytes;
}

}  // namespace strata
