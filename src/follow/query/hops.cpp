// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/hops.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "follow/disk_fields.h"
#include "follow/query/disk_request.h"
#include "follow/query/sample_fields.h"
#include "follow/query/upstream.h"
#include "follow/query/waits.h"
#include "follow/query/wire.h"
#include "follow/sequence.h"
#include "kern/errno.h"
#include "kern/inet.h"
#include "kern/syscall.h"

namespace strata {
namespace {

// Without a title the value speaks for itself in text.
constexpr Field kCall{.decode = {.type = Type::kText},
                      .key = "call",
                      .title = "",
                      .help = "the system call that the thread left its CPU in"};
constexpr Field kUpstream{.decode = {.type = Type::kText},
                          .key = "upstream",
                          .title = "UPSTREAM",
                          .help = "of a query: another server, which was asked in turn"};
constexpr Field kReleasedBy{.decode = {.type = Type::kText},
                            .key = "released_by",
                            .title = "RELEASED BY",
                            .help =
                                "name of the thread that let go of the lock, wrote to the unix socket or pipe, or "
                                "passed the end of a wait for a disk on"};
constexpr Field kReleasedByTid{
    .decode = {.type = Type::kInteger}, .key = "released_by_tid", .title = "TID", .help = "the same thread"};
constexpr Field kUpTo{.decode = {.type = Type::kInteger},
                      .key = "up_to_bytes",
                      .title = "UP TO",
                      .unit = Unit::kBytes,
                      .help = "of the request or of the answer, from its first byte"};
constexpr Field kError{
    .decode = {.type = Type::kText}, .key = "error", .title = "ERROR", .help = "the socket's, when it ended"};

constexpr std::string_view kRequestLayer = "request", kQueue = "socket queue", kCpu = "cpu", kSharedLayer = "shared",
                           kServer = "server", kUpstreamLayer = "upstream", kHeld = "held", kNetwork = "network",
                           kWakeUp = "wake-up", kClient = "client", kAck = "ack", kRetransmit = "retransmit";

constexpr std::string_view kDown[] = {kRequestLayer, kQueue,       kCpu,        kRunQueue,      kQuota,   kDisk,
                                      kMemory,       kLock,        kSocketWait, kUpstreamLayer, kSleep,   kPageFault,
                                      kOtherWait,    kSharedLayer, kServer,     kHeld,          kNetwork, kWakeUp,
                                      kClient,       kAck,         kRetransmit};
constexpr const Outcome *kOutcomes[] = {&kAnsweredOwn, &kAnsweredShared, &kAnsweredTimes, &kAnsweredElsewhere,
                                        &kNotAnswered, &kCutOff,         &kLost};

std::string_view attributed_layer(const Hop &hop) { return hop.layer; }

// Nothing that happened at the server's socket was seen, as it would have been here.
bool is_elsewhere(const QueryRecords &records) {
  constexpr uint32_t kAtServer[] = {QUERY_MORE, QUERY_READ, QUERY_SEND};
  return is_from_client(records.start.hop) && std::ranges::none_of(records.own, [&](const query_hop &hop) {
           return std::ranges::count(kAtServer, hop.kind) != 0;
         });
}

ServedBy served(const QueryRecords &records, uint64_t end_ns) {
  if (is_elsewhere(records)) return {.grade = Grade::kElsewhere};
  return records.cut ? ServedBy{} : served_by(records.own, records.threads, end_ns);
}

// In which a thread is before it leaves its CPU, until it is woken, and until it has one again.
struct WaitLayers {
  std::string_view before, sleep, wait_for_cpu;
};

// Of the client's thread, which TCP wakes when the answer is there: its waits for a CPU are not the server's.
WaitLayers client_layers_of(const query_hop &wait) {
  const std::string_view cause = layer_of_wait(wait);
  if (cause == kSocketWait || wait.call == QUERY_NO_CALL) return {kClient, kWakeUp, kWakeUp};
  return {kClient, cause, kClient};
}

std::string remote_of(const query_upstream &upstream) {
  return endpoint_text({upstream.ends.remote_hi, upstream.ends.remote_lo}, upstream.ends.remote_port);
}

// What the thread was in when it left its CPU: nothing of its own code.
void name_call(Hop &hop, const query_hop &wait) {
  if (wait.call >= 0) hop.fields.push_back({&kCall, syscall_name(static_cast<uint64_t>(wait.call))});
}

// Builds the hops of one request.
class Story {
 public:
  Story(const QueryRecords &records, Sample &sample)
      : records_(records),
        sample_(sample),
        served_(served(records, last_ns())),
        arrived_(records.start.hop.kind == QUERY_ARRIVE || is_unix(records_.start)),
        arrived_ns_(records.start.hop.ts_ns) {}

  Grade describe();

 private:
  [[nodiscard]] uint64_t last_ns() const {
    uint64_t ns = records_.start.hop.ts_ns;
    for (const std::vector<query_hop> *hops : {&records_.own, &records_.threads})
      if (!hops->empty()) ns = std::max<uint64_t>(ns, hops->back().ts_ns);
    return ns;
  }
  Hop &add(std::string_view layer, const char *name, const query_hop &of, uint64_t ts_ns) {
    return sample_.hops.emplace_back(
        Hop{.layer = layer, .name = name, .ts_ns = ts_ns, .cpu = of.cpu, .tid = of.tid, .comm = cstr(of.comm)});
  }
  Hop &add(std::string_view layer, const char *name, const query_hop &of) { return add(layer, name, of, of.ts_ns); }
  Hop &add_up_to(std::string_view layer, const char *name, const query_hop &of, uint32_t first) {
    Hop &hop = add(layer, name, of);
    hop.fields.push_back({&kUpTo, uint64_t{of.hi - first}});
    return hop;
  }

  [[nodiscard]] std::string_view serving_layer() const;
  [[nodiscard]] std::string name_of(uint32_t tid) const;
  void add_own(const query_hop &hop);
  void add_arrival(const query_hop &hop);
  void add_wait(const query_hop &wait, const Stretch &part, const WaitLayers &layers,
                const query_upstream *upstream = nullptr);
  void add_issue(const query_block &block, const query_hop &wait, const Stretch &part, std::string_view layer);
  void add_reader();
  void add_server(const Stretch &part);
  void add_path();
  [[nodiscard]] std::vector<Stretch> unread() const;
  void add_client();

  const QueryRecords &records_;
  Sample &sample_;
  const ServedBy served_;
  RequestSeen seen_;
  bool arrived_, answered_ = false;
  uint64_t arrived_ns_;
};

// Where a thread on the path is while it does not wait.
std::string_view Story::serving_layer() const {
  if (served_.path.empty()) return kServer;
  return served_.grade == Grade::kShared ? kSharedLayer : kCpu;
}

void Story::add_own(const query_hop &hop) {
  const uint32_t request = records_.start.hop.lo, answer = records_.start.answer;
  switch (hop.kind) {
    case QUERY_CLIENT_MORE:
      if (hop.hi == records_.start.hop.hi) return;  // says what they are
      seen_.request_bytes = std::max(seen_.request_bytes, hop.hi - request);
      add_up_to(kRequestLayer, "more", hop, request);
      return;
    case QUERY_MORE:
      return add_arrival(hop);
    case QUERY_READ:
      arrived_ = true;
      seen_.request_bytes = std::max(seen_.request_bytes, hop.hi - request);
      add_up_to(seen_.read == nullptr ? kQueue : serving_layer(), "read", hop, request);
      if (seen_.read == nullptr) seen_.read = &hop;
      return;
    case QUERY_SEND:
      seen_.answer_bytes = hop.hi - answer;
      add_up_to(hop.flags & QUERY_BY_TASK || !answered_ ? serving_layer() : kHeld, "answer", hop, answer);
      answered_ = true;
      if (is_unix(records_.start) && seen_.received == nullptr) seen_.received = &hop;  // at once
      return;
    case QUERY_RETRANSMIT:
      add(kRetransmit, "retransmit", hop);
      return;
    case QUERY_RECEIVE:
      seen_.answer_bytes = std::max(seen_.answer_bytes, hop.hi - answer);
      add_up_to(answered_ ? kNetwork : serving_layer(), "receive", hop, answer);
      if (seen_.received == nullptr) seen_.received = &hop;
      return;
    case QUERY_CLIENT_READ:
      seen_.answer_bytes = std::max(seen_.answer_bytes, hop.hi - answer);
      // Of a connection whose client has closed its half, TCP does not tell what it receives.
      add_up_to(answered_ || seen_.received != nullptr || seen_.client != nullptr ? kClient : serving_layer(), "read",
                hop, answer);
      if (seen_.client == nullptr) seen_.client = &hop;
      return;
    case QUERY_ACK:
      if (seen_.received != nullptr) return;  // here, where its reader is seen
      add_up_to(kAck, "acknowledge", hop, answer);
      return;
    case QUERY_CLOSE:
      if (answered_ || seen_.received != nullptr || seen_.client != nullptr) return;
      if (Hop &close = add(arrived_ && seen_.read == nullptr ? kQueue : kServer, "close", hop); hop.result != 0)
        close.fields.push_back({&kError, errno_name(-hop.result)});
      return;
    default:
      return;
  }
}

// At the server. What was sent there from here has its first piece arrive from the network.
void Story::add_arrival(const query_hop &hop) {
  const uint32_t request = records_.start.hop.lo;
  seen_.request_bytes = std::max(seen_.request_bytes, hop.hi - request);
  if (arrived_) {
    ++seen_.pieces;
    add_up_to(seen_.read == nullptr ? kRequestLayer : serving_layer(), "more", hop, request);
  } else {
    arrived_ = true;
    arrived_ns_ = hop.ts_ns;
    add_up_to(kNetwork, "arrive", hop, request);
  }
}

std::string Story::name_of(uint32_t tid) const {
  const auto hop = std::ranges::find(records_.own, tid, &query_hop::tid);
  return hop == records_.own.end() ? std::string() : cstr(hop->comm);
}

// Of a request that the thread waits for already, when the disk has it.
void Story::add_issue(const query_block &block, const query_hop &wait, const Stretch &part, std::string_view layer) {
  const uint64_t ns = block.hop.out_ns;
  if (ns <= wait.out_ns || ns >= wait.wake_ns || ns <= part.from_ns || ns >= part.to_ns) return;
  Hop &issue = add(layer, "issue", wait, ns);
  issue.comm = name_of(wait.tid);
  if (block.hop.other_tid == 0) return;
  issue.tid = block.hop.other_tid;
  issue.comm = cstr(block.hop.other_comm);
}

// Its thread leaves its CPU, is woken, and has one again. Of one that slept before it was known nothing is told before
// it was woken, nor what it waited for, unless what arrived woke it.
void Story::add_wait(const query_hop &wait, const Stretch &part, const WaitLayers &layers,
                     const query_upstream *upstream) {
  if (wait.ts_ns <= part.from_ns || wait.out_ns >= part.to_ns) return;
  const bool slept = !(wait.flags & QUERY_PREEMPTED), is_whole = !slept || wait.out_ns != wait.wake_ns;
  const std::string comm = name_of(wait.tid);
  if (wait.out_ns > part.from_ns && is_whole)
    add(layers.before, slept ? "sleep" : "preempted", wait, wait.out_ns).comm = comm;
  const uint64_t woken_ns = wait.wake_ns != 0 ? wait.wake_ns : wait.ts_ns;
  const DiskRequest *request = waited_for(records_.disk_requests, wait);
  if (request != nullptr && is_whole) add_issue(request->block, wait, part, layers.sleep);
  const bool is_for_arrival = layers.sleep == kWakeUp || layers.sleep == kQueue;
  if (slept && (is_whole || is_for_arrival) && woken_ns > part.from_ns) {
    Hop &woken = add(layers.sleep, "woken", wait, std::min(woken_ns, part.to_ns));
    woken.comm = comm;
    name_call(woken, wait);
    if (upstream != nullptr) woken.fields.push_back({&kUpstream, remote_of(*upstream)});
    if (request != nullptr) name_request(woken, *request);
    if (upstream == nullptr && is_released(wait)) {
      woken.fields.push_back({&kReleasedBy, cstr(wait.other_comm)});
      woken.fields.push_back({&kReleasedByTid, uint64_t{wait.other_tid}});
    }
  }
  if (slept && wait.wake_ns == 0) return;
  Hop &run = add(layers.wait_for_cpu, "run", wait, std::min<uint64_t>(wait.ts_ns, part.to_ns));
  run.comm = comm;
  name_call(run, wait);
}

// Who read it was woken for it, or for something else, and wanted a CPU.
void Story::add_reader() {
  const Stretch part = {.tid = seen_.read->tid, .from_ns = arrived_ns_, .to_ns = seen_.read->ts_ns};
  for (const query_hop &hop : records_.threads)
    if (hop.kind == QUERY_WAIT && hop.tid == part.tid) add_wait(hop, part, {kQueue, kQueue, layer_of_cpu_wait(hop)});
}

// What it waited for and asked of others.
void Story::add_server(const Stretch &part) {
  const UpstreamRequests requests(part.tid, records_.upstream, records_.threads, records_.own);
  for (const query_hop &hop : records_.threads) {
    if (hop.kind != QUERY_WAIT || hop.tid != part.tid) continue;
    const query_upstream *upstream = requests.waited_for(hop);
    const bool is_for_disk = waited_for(records_.disk_requests, hop) != nullptr && !(hop.flags & QUERY_MEMORY);
    const std::string_view cause = upstream != nullptr ? kUpstreamLayer : is_for_disk ? kDisk : layer_of_wait(hop);
    add_wait(hop, part, {serving_layer(), cause, layer_of_cpu_wait(hop)}, upstream);
  }
  for (const query_upstream *one : requests.begun())
    if (one->hop.ts_ns > part.from_ns && one->hop.ts_ns < part.to_ns)
      add(serving_layer(), "ask", one->hop).fields.push_back({&kUpstream, remote_of(*one)});
}

// Of a thread that served others, too, that is not told: it may have been for them.
void Story::add_path() {
  if (served_.grade == Grade::kOwn)
    for (const Stretch &part : served_.path) add_server(part);
  if (served_.path.size() < 2) return;
  add(serving_layer(), "hand over", *seen_.read, served_.path[0].to_ns);
}

// While something of the answer lies unread at its client, from when it has come until all of that is read.
std::vector<Stretch> Story::unread() const {
  std::vector<Stretch> parts;
  const query_hop *first = nullptr;
  uint32_t end = 0;
  for (const query_hop &hop : records_.own) {
    if (hop.kind == QUERY_RECEIVE || (is_unix(records_.start) && hop.kind == QUERY_SEND)) {
      if (first == nullptr) first = &hop;
      end = hop.hi;
    } else if (hop.kind == QUERY_CLIENT_READ && first != nullptr) {
      parts.push_back({.tid = hop.tid, .from_ns = first->ts_ns, .to_ns = hop.ts_ns});
      first = is_after(end, hop.hi) ? &hop : nullptr;
    }
  }
  return parts;
}

// Whose answer it is is woken meanwhile, and wants a CPU. What it waits for when it has read all is the server.
void Story::add_client() {
  const std::vector<Stretch> parts = unread();  // which may be many
  for (const std::vector<query_hop> *hops : {&records_.client, &records_.threads})
    for (const query_hop &hop : *hops) {
      if (hop.kind != QUERY_WAIT) continue;
      for (auto part = std::ranges::upper_bound(parts, hop.out_ns, {}, &Stretch::to_ns);
           part != parts.end() && part->from_ns < hop.ts_ns; ++part)
        if (part->tid == hop.tid) add_wait(hop, *part, client_layers_of(hop));
    }
}

Grade Story::describe() {
  const query_hop &start = records_.start.hop;
  sample_.is_client = is_from_client(start);
  seen_.request_bytes = start.hi - start.lo;
  Hop &first = add(kRequestLayer, start.kind == QUERY_ARRIVE ? "arrive" : "send", start);
  if (seen_.request_bytes != 0) first.fields.push_back({&kUpTo, uint64_t{seen_.request_bytes}});
  for (const query_hop &hop : records_.own) add_own(hop);
  if (seen_.read != nullptr) {
    add_reader();
    add_path();
  }
  add_client();
  sample_.fields = query_sample_fields(records_, served_, seen_);
  return served_.grade;
}

constexpr const Field *kOfHop[] = {&kCall,           &kUpstream,   &kReleasedBy, &kReleasedByTid, &kHopDisk,
                                   &kHopIoFlags,     &kHopIoBytes, &kHopSector,  &kDeviceTime,    &kSubmittedBy,
                                   &kSubmittedByTid, &kUpTo,       &kError};

}  // namespace

const Procedure kQueryProcedure = {
    .outcomes = kOutcomes, .layers = kDown, .attributed_layer = attributed_layer, .label = &kQueryLabel};
const std::span<const Field *const> kQueryHopColumns = kOfHop;

const Outcome &outcome_of(Grade grade) {
  switch (grade) {
    case Grade::kOwn:
      return kAnsweredOwn;
    case Grade::kShared:
      return kAnsweredShared;
    case Grade::kElsewhere:
      return kAnsweredElsewhere;
    default:
      return kAnsweredTimes;
  }
}

Grade describe(const QueryRecords &records, Sample &sample) { return Story(records, sample).describe(); }

}  // namespace strata
