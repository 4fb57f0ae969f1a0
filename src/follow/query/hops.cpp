// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/hops.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "follow/query/upstream.h"
#include "follow/query/waits.h"
#include "follow/query/wire.h"
#include "follow/sequence.h"
#include "kern/errno.h"
#include "kern/inet.h"
#include "kern/syscall.h"
#include "model/traceparent.h"

namespace strata {
namespace {

constexpr Field kLabel{
    .decode = {.type = Type::kText}, .key = "label", .title = "", .help = "of a query: what it asks for (--label)"};
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
                            .help = "name of the thread that let go of the lock"};
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
        arrived_(records.start.hop.kind == QUERY_ARRIVE || is_unix()),
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

  [[nodiscard]] bool is_unix() const { return records_.start.path[0] != 0; }
  [[nodiscard]] std::string_view serving_layer() const;
  [[nodiscard]] std::string name_of(uint32_t tid) const;
  void add_own(const query_hop &hop);
  void add_arrival(const query_hop &hop);
  void add_wait(const query_hop &wait, const Stretch &part, const WaitLayers &layers,
                const query_upstream *upstream = nullptr);
  void add_reader();
  void add_server(const Stretch &part);
  void add_path();
  [[nodiscard]] std::vector<Stretch> unread() const;
  void add_client();
  [[nodiscard]] std::string server_end() const;
  [[nodiscard]] std::string client_end() const;
  void fill_fields();

  const QueryRecords &records_;
  Sample &sample_;
  const ServedBy served_;
  // The first ones.
  const query_hop *read_ = nullptr, *received_ = nullptr, *client_ = nullptr;
  bool arrived_, answered_ = false;
  uint64_t arrived_ns_;
  uint32_t requested_ = 0, sent_ = 0;  // bytes
  uint64_t pieces_ = 1;
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
      requested_ = std::max(requested_, hop.hi - request);
      add_up_to(kRequestLayer, "more", hop, request);
      return;
    case QUERY_MORE:
      return add_arrival(hop);
    case QUERY_READ:
      arrived_ = true;
      requested_ = std::max(requested_, hop.hi - request);
      add_up_to(read_ == nullptr ? kQueue : serving_layer(), "read", hop, request);
      if (read_ == nullptr) read_ = &hop;
      return;
    case QUERY_SEND:
      sent_ = hop.hi - answer;
      add_up_to(hop.flags & QUERY_BY_TASK || !answered_ ? serving_layer() : kHeld, "answer", hop, answer);
      answered_ = true;
      if (is_unix() && received_ == nullptr) received_ = &hop;  // at once
      return;
    case QUERY_RETRANSMIT:
      add(kRetransmit, "retransmit", hop);
      return;
    case QUERY_RECEIVE:
      sent_ = std::max(sent_, hop.hi - answer);
      add_up_to(answered_ ? kNetwork : serving_layer(), "receive", hop, answer);
      if (received_ == nullptr) received_ = &hop;
      return;
    case QUERY_CLIENT_READ:
      sent_ = std::max(sent_, hop.hi - answer);
      // Of a connection whose client has closed its half, TCP does not tell what it receives.
      add_up_to(answered_ || received_ != nullptr || client_ != nullptr ? kClient : serving_layer(), "read", hop,
                answer);
      if (client_ == nullptr) client_ = &hop;
      return;
    case QUERY_ACK:
      if (received_ != nullptr) return;  // here, where its reader is seen
      add_up_to(kAck, "acknowledge", hop, answer);
      return;
    case QUERY_CLOSE:
      if (answered_ || received_ != nullptr || client_ != nullptr) return;
      if (Hop &close = add(arrived_ && read_ == nullptr ? kQueue : kServer, "close", hop); hop.result != 0)
        close.fields.push_back({&kError, errno_name(-hop.result)});
      return;
    default:
      return;
  }
}

// At the server. What was sent there from here has its first piece arrive from the network.
void Story::add_arrival(const query_hop &hop) {
  const uint32_t request = records_.start.hop.lo;
  requested_ = std::max(requested_, hop.hi - request);
  if (arrived_) {
    ++pieces_;
    add_up_to(read_ == nullptr ? kRequestLayer : serving_layer(), "more", hop, request);
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
  const bool is_for_arrival = layers.sleep == kWakeUp || layers.sleep == kQueue;
  if (slept && (is_whole || is_for_arrival) && woken_ns > part.from_ns) {
    Hop &woken = add(layers.sleep, "woken", wait, std::min(woken_ns, part.to_ns));
    woken.comm = comm;
    name_call(woken, wait);
    if (upstream != nullptr) woken.fields.push_back({&kUpstream, remote_of(*upstream)});
    if (is_released(wait)) {
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
  const Stretch part = {.tid = read_->tid, .from_ns = arrived_ns_, .to_ns = read_->ts_ns};
  for (const query_hop &hop : records_.threads)
    if (hop.kind == QUERY_WAIT && hop.tid == part.tid) add_wait(hop, part, {kQueue, kQueue, layer_of_cpu_wait(hop)});
}

// What it waited for and asked of others.
void Story::add_server(const Stretch &part) {
  const UpstreamRequests requests(part.tid, records_.upstream, records_.threads, records_.own);
  for (const query_hop &hop : records_.threads) {
    if (hop.kind != QUERY_WAIT || hop.tid != part.tid) continue;
    const query_upstream *upstream = requests.waited_for(hop);
    const std::string_view cause = upstream != nullptr ? kUpstreamLayer : layer_of_wait(hop);
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
  add(serving_layer(), "hand over", *read_, served_.path[0].to_ns);
}

// While something of the answer lies unread at its client, from when it has come until all of that is read.
std::vector<Stretch> Story::unread() const {
  std::vector<Stretch> parts;
  const query_hop *first = nullptr;
  uint32_t end = 0;
  for (const query_hop &hop : records_.own) {
    if (hop.kind == QUERY_RECEIVE || (is_unix() && hop.kind == QUERY_SEND)) {
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

std::string Story::server_end() const {
  const sock_ends &ends = records_.start.ends;
  return is_unix() ? cstr(records_.start.path) : endpoint_text({ends.local_hi, ends.local_lo}, ends.local_port);
}

std::string Story::client_end() const {
  const sock_ends &ends = records_.start.ends;
  return is_unix() ? "pid " + std::to_string(records_.start.hop.tgid)
                   : endpoint_text({ends.remote_hi, ends.remote_lo}, ends.remote_port);
}

void Story::fill_fields() {
  const query_hop &start = records_.start.hop;
  const query_hop *client = client_ == nullptr && start.kind == QUERY_CLIENT_SEND && start.tid != 0 ? &start : client_;
  const bool known = read_ != nullptr;
  const uint32_t rtt_us = received_ != nullptr ? received_->min_rtt_us : 0;
  sample_.fields = {
      {&kLabel, records_.label.empty() ? Value() : Value(records_.label)},
      {&kLocal, sample_.is_client ? client_end() : server_end()},
      {&kRemote, sample_.is_client ? server_end() : client_end()},
      {&kRequest, uint64_t{requested_}},
      {&kAnswer, uint64_t{sent_}},
      {&kPieces, pieces_ > 1 ? Value(pieces_) : Value()},
      {&kComm, known ? Value(cstr(read_->comm)) : Value()},
      {&kTgid, known ? Value(uint64_t{read_->tgid}) : Value()},
      {&kTid, known ? Value(uint64_t{read_->tid}) : Value()},
      {&kClientComm, client != nullptr ? Value(cstr(client->comm)) : Value()},
      {&kClientTid, client != nullptr ? Value(uint64_t{client->tid}) : Value()},
      {&kMinRtt, rtt_us != 0 && rtt_us != UINT32_MAX ? Value(uint64_t{rtt_us} * 1000) : Value()},
      {&kGrade, std::string(outcome_of(served_.grade).key)},
      {&kOthers, served_.grade == Grade::kShared ? Value(uint64_t{served_.others}) : Value()},
      {&kTraceparent, records_.traceparent.empty() ? Value() : Value(records_.traceparent)},
  };
}

Grade Story::describe() {
  const query_hop &start = records_.start.hop;
  sample_.is_client = is_from_client(start);
  requested_ = start.hi - start.lo;
  Hop &first = add(kRequestLayer, start.kind == QUERY_ARRIVE ? "arrive" : "send", start);
  if (requested_ != 0) first.fields.push_back({&kUpTo, uint64_t{requested_}});
  for (const query_hop &hop : records_.own) add_own(hop);
  if (read_ != nullptr) {
    add_reader();
    add_path();
  }
  add_client();
  fill_fields();
  return served_.grade;
}

constexpr const Field *kOfSample[] = {&kLabel,     &kLocal,  &kRemote, &kRequest, &kAnswer,
                                      &kPieces,    &kComm,   &kTgid,   &kTid,     &kClientComm,
                                      &kClientTid, &kMinRtt, &kGrade,  &kOthers,  &kTraceparent};
constexpr const Field *kOfHop[] = {&kCall, &kUpstream, &kReleasedBy, &kReleasedByTid, &kUpTo, &kError};

}  // namespace

const Procedure kQueryProcedure = {
    .outcomes = kOutcomes, .layers = kDown, .attributed_layer = attributed_layer, .label = &kLabel};
const std::span<const Field *const> kQuerySampleColumns = kOfSample, kQueryHopColumns = kOfHop;

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
