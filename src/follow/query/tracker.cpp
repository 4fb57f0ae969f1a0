// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/tracker.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "follow/query/wire.h"
#include "follow/sequence.h"
#include "kern/errno.h"

namespace strata {
namespace {

// Of a request's threads: without one of them it is not known who served it.
template <class T>
void keep(QueryRecords &records, std::vector<T> &hops, const T &hop) {
  records.cut = records.cut || hops.size() == QueryTracker::kMostHops;
  if (!records.cut) hops.push_back(hop);
}

}  // namespace

QueryTracker::QueryTracker(Collector::Done done, const Thresholds &thresholds)
    : collector_(kQueryProcedure, std::move(done), thresholds) {}

void QueryTracker::on_record(const void *record, size_t size) {
  const auto &hop = *static_cast<const query_hop *>(record);
  if (size < sizeof(hop)) return;
  if (hop.ts_ns >= next_look_ns_) {
    on_time(hop.ts_ns);
    next_look_ns_ = hop.ts_ns + kQuietNs / 2;
  }
  if (begins_sample(hop)) {
    if (size >= sizeof(query_start)) start(*static_cast<const query_start *>(record));
    return;
  }
  if (const auto served = serving_.find(hop.tid); served != serving_.end()) {
    const std::set<uint64_t> ids = served->second;  // which a thread that is woken changes
    for (const uint64_t id : ids) {
      if (id == hop.id) continue;
      InFlight &flight = *flights_.find(id);
      if (asks_upstream(hop) && size >= sizeof(query_upstream))
        add_upstream(flight, *static_cast<const query_upstream *>(record));
      else if (hop.kind == QUERY_BLOCK && size >= sizeof(query_block))
        add_disk_request(flight, *static_cast<const query_block *>(record));
      else
        add_of_thread(flight, hop);
    }
  }
  if (InFlight *flight = flights_.find(hop.id)) add(*flight, hop);
}

// Of a record with the bytes that were read, which a recording has no more, or with a disk.
void QueryTracker::name_first(const void *record, const Take &take) {
  const auto &hop = *static_cast<const query_hop *>(record);
  if (hop.kind == QUERY_BLOCK) return disks_.name_first(static_cast<const query_block *>(record)->dev, take);
  constexpr uint32_t kWithWords[] = {QUERY_READ, QUERY_CLIENT_MORE, QUERY_PREPARE, QUERY_PREPARED};
  if (!(hop.flags & QUERY_HAS_WORDS) || std::ranges::count(kWithWords, hop.kind) == 0) return;
  const auto &words = *static_cast<const query_words *>(record);
  if (hop.kind == QUERY_PREPARE || hop.kind == QUERY_PREPARED) return labels_.learn(words);
  InFlight *flight = flights_.find(hop.id);
  if (flight == nullptr) return;
  const std::optional<std::string> text = labels_.label_of(words, flight->words);
  const std::string_view traceparent = traceparent_of(flight->words.first);
  if (!text || (*text == flight->records.label && traceparent == flight->records.traceparent)) return;
  query_label label = {.id = hop.id, .text = {}, .traceparent = {}};
  text->copy(label.text, sizeof(label.text));
  traceparent.copy(label.traceparent, kTraceparentSize);
  on_name(kQueryLabelRecord, &label);
  take(kQueryLabelRecord, &label);
}

bool QueryTracker::on_name(const RecordType &type, const void *name) {
  if (&type != &kQueryLabelRecord) return disks_.on_name(type, name);
  const auto &label = *static_cast<const query_label *>(name);
  if (InFlight *flight = flights_.find(label.id)) {
    flight->records.label = cstr(label.text);
    const std::string traceparent = cstr(label.traceparent);  // which a recording may have made up
    flight->records.traceparent = is_traceparent(traceparent) ? traceparent : std::string();
  }
  return true;
}

void QueryTracker::on_time(uint64_t now_ns) {
  flights_.each([&](InFlight &flight) {
    if (flight.is_over(now_ns)) finish(flight);
  });
}

void QueryTracker::start(const query_start &start) {
  const query_hop &hop = start.hop;
  if (InFlight *old = flights_.find(hop.id)) finish(*old, kLost, "never ended");
  InFlight &flight = flights_.add(hop.id, hop.ts_ns);
  flight.records.start = start;
  flight.last_ns = hop.ts_ns;
  flight.answer_end = flight.acked = flight.client_read = start.answer;
  if (is_from_client(hop)) flight.sample.cgroup = group();
  if (hop.kind == QUERY_CLIENT_SEND && hop.tid != 0) add_thread(flight, hop.tid);
}

void QueryTracker::add(InFlight &flight, const query_hop &hop) {
  if (hop.kind == QUERY_NEXT || flight.is_over(hop.ts_ns)) return finish(flight);
  if (flight.records.own.size() < kMostHops || hop.kind == QUERY_CLOSE) flight.records.own.push_back(hop);
  flight.last_ns = std::max<uint64_t>(flight.last_ns, hop.ts_ns);
  switch (hop.kind) {
    case QUERY_READ:
      if (flight.readers.empty() && !is_from_client(flight.records.start.hop)) flight.sample.cgroup = group();
      flight.readers.insert(hop.tid);
      return add_thread(flight, hop.tid);
    case QUERY_DELIVER:
      return add_thread(flight, hop.other_tid);
    case QUERY_CLIENT_MORE:
      return add_sender(flight, hop);
    case QUERY_RECEIVE:  // of an answer that was not seen where it was sent
    case QUERY_SEND:
      if (!is_after(hop.hi, flight.answer_end)) return;
      flight.answer_end = hop.hi;
      flight.answered_ns = hop.ts_ns;
      return;
    case QUERY_ACK:
      flight.acked = hop.hi;
      return;
    case QUERY_CLIENT_READ:
      flight.client_read = hop.hi;
      if (is_after(flight.answer_end, hop.hi)) return;
      flight.answer_end = hop.hi;
      flight.answered_ns = hop.ts_ns;
      return;
    case QUERY_CLOSE:
      if (flight.answered()) return finish(flight);
      return finish(flight, kCutOff, hop.result != 0 ? errno_name(-hop.result) : "closed without an answer");
    default:
      return;
  }
}

void QueryTracker::add_thread(InFlight &flight, uint32_t tid) {
  if (flight.tids.insert(tid).second) serving_[tid].insert(flight.id);
}

// On a unix socket a request may be read before it is told who has sent it.
void QueryTracker::add_sender(InFlight &flight, const query_hop &hop) {
  query_hop &start = flight.records.start.hop;
  if (start.tid != 0 || flight.records.start.path[0] == 0) return;
  start.tid = hop.tid;
  start.tgid = hop.tgid;
  start.cpu = hop.cpu;
  std::ranges::copy(hop.comm, start.comm);
  add_thread(flight, hop.tid);
}

void QueryTracker::add_of_thread(InFlight &flight, const query_hop &hop) {
  if (hop.kind == QUERY_WAKE && flight.readers.contains(hop.tid)) add_thread(flight, hop.other_tid);
  if (flight.is_client(hop.tid)) {
    if (hop.kind == QUERY_WAIT && flight.answered() && flight.records.client.size() < kMostHops)
      flight.records.client.push_back(hop);
    return;
  }
  keep(flight.records, flight.records.threads, hop);
}

void QueryTracker::add_upstream(InFlight &flight, const query_upstream &asked) {
  if (flight.is_client(asked.hop.tid)) return;
  keep(flight.records, flight.records.upstream, asked);
}

void QueryTracker::add_disk_request(InFlight &flight, const query_block &block) {
  if (flight.is_client(block.hop.tid) || flight.records.disk_requests.size() == kMostHops) return;
  flight.records.disk_requests[{block.hop.tid, block.hop.ts_ns}] = {block, disks_.name(block.dev)};
}

void QueryTracker::remove(const InFlight &flight) {
  for (const uint32_t tid : flight.tids) {
    const auto served = serving_.find(tid);
    served->second.erase(flight.id);
    if (served->second.empty()) serving_.erase(served);
  }
  flights_.remove(flight);
}

void QueryTracker::finish(InFlight &flight) {
  if (!flight.answered()) return finish(flight, kNotAnswered);
  const Grade grade = describe(flight.records, flight.sample);
  collector_.finish(flight.sample, outcome_of(grade), {}, flight.answered_ns);
  remove(flight);
}

void QueryTracker::finish(InFlight &flight, const Outcome &outcome, const std::string &reason) {
  describe(flight.records, flight.sample);
  const uint64_t last_ns = std::ranges::max(flight.sample.hops, {}, &Hop::ts_ns).ts_ns;
  collector_.finish(flight.sample, outcome, reason, last_ns);  // and the client may wait on
  remove(flight);
}

void QueryTracker::end(uint64_t sampled, const std::vector<Loss> &losses) {
  const std::string lost = lost_by(losses, {kQuerySkipped});
  flights_.end_all(collector_, sampled, lost, [&](InFlight &flight) {
    if (!flight.received() && !lost.empty())
      finish(flight, kLost, lost);
    else
      finish(flight);
  });
}

}  // namespace strata
