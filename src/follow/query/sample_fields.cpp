// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/sample_fields.h"

#include <cstdint>
#include <string>

#include "base/text.h"
#include "follow/query/hops.h"
#include "follow/query/wire.h"
#include "kern/inet.h"
#include "model/traceparent.h"

namespace strata {
namespace {

constexpr Field kLocal{
    .decode = {.type = Type::kText},
    .key = "local",
    .title = "LOCAL",
    .help = "address and port of the server's end, or its unix socket; with --client of the client's"};
constexpr Field kRemote{.decode = {.type = Type::kText},
                        .key = "remote",
                        .title = "REMOTE",
                        .help = "of the other end; of a unix socket the client's process"};
constexpr Field kRequest{.decode = {.type = Type::kInteger},
                         .key = "request_bytes",
                         .title = "REQUEST",
                         .unit = Unit::kBytes,
                         .help = "of a query: of the request"};
constexpr Field kAnswer{.decode = {.type = Type::kInteger},
                        .key = "answer_bytes",
                        .title = "ANSWER",
                        .unit = Unit::kBytes,
                        .help = "of a query: of the answer"};
constexpr Field kPieces{.decode = {.type = Type::kInteger},
                        .key = "pieces",
                        .title = "PIECES",
                        .help = "of a query: in which it arrived, a long one, or several at once"};
constexpr Field kGrade{.decode = {.type = Type::kText},
                       .key = "grade",
                       .title = "GRADE",
                       .help =
                           "of a query: what is known of who served it: own, shared (with others), times (nothing), "
                           "elsewhere (it was on another machine)",
                       .hidden = true};
constexpr Field kTraceparent{
    .decode = {.type = Type::kText},
    .key = kTraceparentKey,
    .title = "TRACEPARENT",
    .help = "of a query by HTTP: the header of that name, which joins it to a trace (--label)"};
constexpr Field kOthers{.decode = {.type = Type::kInteger},
                        .key = "shared_with",
                        .title = "SHARED WITH",
                        .help = "of a query: other clients' connections that its threads dealt with meanwhile"};
constexpr Field kComm{
    .decode = {.type = Type::kText}, .key = "comm", .title = "BY", .help = "name of the thread that read it"};
constexpr Field kTgid{.decode = {.type = Type::kInteger}, .key = "tgid", .title = "PID", .help = "its process"};
constexpr Field kTid{
    .decode = {.type = Type::kInteger}, .key = "tid", .title = "TID", .help = "the thread", .hidden = true};
constexpr Field kClientComm{.decode = {.type = Type::kText},
                            .key = "client_comm",
                            .title = "FOR",
                            .help = "of a query: name of the thread that read the answer, or asked, on this machine"};
constexpr Field kClientTid{.decode = {.type = Type::kInteger},
                           .key = "client_tid",
                           .title = "CLIENT TID",
                           .help = "the same thread",
                           .hidden = true};

constexpr Field kMinRtt{
    .decode = {.type = Type::kInteger},
    .key = "min_rtt_ns",
    .title = "MIN RTT",
    .unit = Unit::kNs,
    .help = "of a query with --client: the shortest round trip to the server that TCP has measured lately"};

std::string server_end(const query_start &start) {
  const sock_ends &ends = start.ends;
  return is_unix(start) ? cstr(start.path) : endpoint_text({ends.local_hi, ends.local_lo}, ends.local_port);
}

std::string client_end(const query_start &start) {
  const sock_ends &ends = start.ends;
  return is_unix(start) ? "pid " + std::to_string(start.hop.tgid)
                        : endpoint_text({ends.remote_hi, ends.remote_lo}, ends.remote_port);
}

}  // namespace

const Field kQueryLabel{
    .decode = {.type = Type::kText}, .key = "label", .title = "", .help = "of a query: what it asks for (--label)"};

std::vector<NamedValue> query_sample_fields(const QueryRecords &records, const ServedBy &served,
                                            const RequestSeen &seen) {
  const query_hop &start = records.start.hop;
  const std::string server = server_end(records.start), client = client_end(records.start);
  const bool known = seen.read != nullptr, sent_here = start.kind == QUERY_CLIENT_SEND && start.tid != 0;
  const query_hop *asker = seen.client == nullptr && sent_here ? &start : seen.client;
  const uint32_t rtt_us = seen.received != nullptr ? seen.received->min_rtt_us : 0;
  return {
      {&kQueryLabel, records.label.empty() ? Value() : Value(records.label)},
      {&kLocal, is_from_client(start) ? client : server},
      {&kRemote, is_from_client(start) ? server : client},
      {&kRequest, uint64_t{seen.request_bytes}},
      {&kAnswer, uint64_t{seen.answer_bytes}},
      {&kPieces, seen.pieces > 1 ? Value(seen.pieces) : Value()},
      {&kComm, known ? Value(cstr(seen.read->comm)) : Value()},
      {&kTgid, known ? Value(uint64_t{seen.read->tgid}) : Value()},
      {&kTid, known ? Value(uint64_t{seen.read->tid}) : Value()},
      {&kClientComm, asker != nullptr ? Value(cstr(asker->comm)) : Value()},
      {&kClientTid, asker != nullptr ? Value(uint64_t{asker->tid}) : Value()},
      {&kMinRtt, rtt_us != 0 && rtt_us != UINT32_MAX ? Value(uint64_t{rtt_us} * 1000) : Value()},
      {&kGrade, std::string(outcome_of(served.grade).key)},
      {&kOthers, served.grade == Grade::kShared ? Value(uint64_t{served.others}) : Value()},
      {&kTraceparent, records.traceparent.empty() ? Value() : Value(records.traceparent)},
  };
}

namespace {

constexpr const Field *kOfSample[] = {&kQueryLabel, &kLocal,  &kRemote, &kRequest, &kAnswer,
                                      &kPieces,     &kComm,   &kTgid,   &kTid,     &kClientComm,
                                      &kClientTid,  &kMinRtt, &kGrade,  &kOthers,  &kTraceparent};

}  // namespace

const std::span<const Field *const> kQuerySampleColumns = kOfSample;

}  // namespace strata
