// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a request's time is told as beside its server's own: other servers, a quota, memory, the reader's way to a CPU.
#include "follow/query/upstream.h"

#include <string>
#include <vector>

#include "base/test.h"
#include "follow/query/test.h"
#include "follow/query/waits.h"
#include "follow/query/wire.h"

namespace strata {
namespace {

constexpr uint64_t kStart = Begun::kStart;

struct Asked {
  uint64_t sock = 7;
  uint32_t tid = kReader;
  uint64_t came_ns = 0;  // 0: just before
  uint32_t flags = 0;
  uint64_t port = 0;  // 0: the socket's own
};

query_upstream asked(uint32_t kind, uint64_t ts_ns, const Asked &with = {}) {
  query_upstream asked = {};
  asked.hop.kind = kind;
  asked.hop.ts_ns = ts_ns;
  asked.hop.tid = with.tid;
  asked.hop.sock = with.sock;
  asked.hop.wake_ns = with.came_ns != 0 ? with.came_ns : ts_ns;
  asked.hop.flags = with.flags;
  asked.ends.remote_lo = 0x0000ffff0a000005;
  asked.ends.remote_port = static_cast<uint32_t>(5400 + (with.port != 0 ? with.port : with.sock));
  return asked;
}

// kReader sends to, or reads from, another server at 10.0.0.5.
void ask(Begun &request, uint32_t kind, uint64_t ts_ns, const Asked &with = {}) {
  const query_upstream one = asked(kind, ts_ns, with);
  request.tracker.on_record(&one, sizeof(one));
}

std::string upstreams(const Begun &request) {
  std::string text;
  for (const Hop &hop : request.samples.at(0).hops)
    if (const Value *value = value_of(hop.fields, "upstream")) text += std::get<std::string>(*value) + " ";
  return text;
}

void answer(Begun &request, uint64_t ts_ns) {
  request.put(QUERY_SEND, kAnswer + 100, ts_ns);
  request.put(QUERY_NEXT, 0, ts_ns + 100);
  REQUIRE(request.samples.size() == 1);
}

}  // namespace

TEST_CASE("a wait is for the server whose answer is read next") {
  Request request;
  ask(request, QUERY_UPSTREAM_SEND, kStart + 10);
  ask(request, QUERY_UPSTREAM_SEND, kStart + 11);  // a long request
  request.wait(kReader, kStart + 20, kStart + 500);
  request.wait(kReader, kStart + 511, kStart + 512, QUERY_PREEMPTED);
  ask(request, QUERY_UPSTREAM_READ, kStart + 530);
  ask(request, QUERY_UPSTREAM_SEND, kStart + 540, {.sock = 8});
  ask(request, QUERY_UPSTREAM_READ, kStart + 541, {.sock = 8});  // which had answered
  answer(request, kStart + 600);
  CHECK(request.story() ==
        "request arrive 0\nsocket queue read 1\ncpu ask 10\ncpu sleep 20\nupstream woken 500\nrun queue run 510\n"
        "cpu preempted 511\nrun queue run 522\ncpu ask 540\ncpu answer 600\n");
  CHECK(upstreams(request) == "10.0.0.5:5407 10.0.0.5:5407 10.0.0.5:5408 ");
}

TEST_CASE("a wait after which the thread sleeps again, or reads more of the request, is for no other server") {
  Request request;
  ask(request, QUERY_UPSTREAM_SEND, kStart + 10);
  request.wait(kReader, kStart + 20, kStart + 30);
  SECTION("sleeps again") { request.wait(kReader, kStart + 50, kStart + 60); }
  SECTION("more of the request") { request.put(QUERY_READ, kRequest + 10, kStart + 45); }
  SECTION("sends on") { ask(request, QUERY_UPSTREAM_SEND, kStart + 45, {.sock = 8}); }
  SECTION("of a server that it has not asked") { ask(request, QUERY_UPSTREAM_READ, kStart + 45, {.sock = 8}); }
  SECTION("another thread") { ask(request, QUERY_UPSTREAM_READ, kStart + 45, {.tid = kBystander}); }
  request.put(QUERY_READ, kRequest + 10, kStart + 75);
  ask(request, QUERY_UPSTREAM_READ, kStart + 80);
  answer(request, kStart + 100);
  CHECK(request.story().find("upstream woken 30\n") == std::string::npos);
  CHECK(request.story().find("socket woken 30\n") != std::string::npos);
}

TEST_CASE("a wait is for no server whose answer had come before it") {
  constexpr uint64_t kMs = 1'000'000;
  query_hop wait = wait_in(GENERATE("recvfrom", "epoll_pwait"));  // of another socket, or a timer
  wait.tid = kReader;
  wait.out_ns = 20 * kMs;
  wait.wake_ns = 40 * kMs;
  wait.ts_ns = 41 * kMs;
  const auto [came_ms, is_for_it] = GENERATE(table<uint64_t, bool>({{10, false}, {30, false}, {40, true}, {41, true}}));
  const query_upstream steps[] = {asked(QUERY_UPSTREAM_SEND, 10 * kMs),
                                  asked(QUERY_UPSTREAM_READ, 42 * kMs, {.came_ns = came_ms * kMs})};
  INFO(came_ms);
  CHECK((UpstreamRequests(kReader, steps, {}, {}).waited_for(wait) == &steps[1]) == is_for_it);
}

TEST_CASE("what a connection is made for is what is sent on it first") {
  query_hop wait = wait_in("connect");
  wait.tid = kReader;
  query_upstream one = asked(QUERY_UPSTREAM_SEND, 5, {.flags = QUERY_FIRST});
  const auto waited_for = [&] { return UpstreamRequests(kReader, {&one, 1}, {}, {}).waited_for(wait); };
  CHECK(waited_for() == &one);
  wait.call = wait_in("recvfrom").call;
  CHECK(waited_for() == nullptr);
  wait.call = wait_in("connect").call;
  one.hop.flags = 0;  // another one, of before, as this one was refused
  CHECK(waited_for() == nullptr);
}

TEST_CASE("a connection at the address of an earlier one is another one") {
  const query_upstream steps[] = {asked(QUERY_UPSTREAM_SEND, 1, {.flags = QUERY_FIRST}), asked(QUERY_UPSTREAM_SEND, 2),
                                  asked(QUERY_UPSTREAM_SEND, 3, {.flags = QUERY_FIRST}),
                                  asked(QUERY_UPSTREAM_SEND, 4, {.port = 9})};
  CHECK(UpstreamRequests(kReader, steps, {}, {}).begun().size() == 3);
}

TEST_CASE("of a request that asks too often it is not known who served it") {
  Request request;
  for (uint64_t i = 0; i <= QueryTracker::kMostHops; ++i) ask(request, QUERY_UPSTREAM_SEND, kStart + 10 + i);
  answer(request, kStart + 100'000);
  CHECK(request.samples[0].outcome == &kAnsweredTimes);
}

TEST_CASE("what a client does with other servers is not the request's") {
  Begun request(QUERY_CLIENT_SEND);
  request.put(QUERY_READ, kRequest + 10, kStart + 1);
  ask(request, QUERY_UPSTREAM_SEND, kStart + 10, {.tid = kBystander});
  ask(request, QUERY_UPSTREAM_READ, kStart + 20, {.tid = kBystander});
  answer(request, kStart + 100);
  CHECK(upstreams(request).empty());
}

TEST_CASE("a quota is told apart from the run queue, want of memory from the disk") {
  CHECK(layer_of_wait(wait_in("", {}, QUERY_PREEMPTED | QUERY_QUOTA)) == "quota");
  CHECK(layer_of_cpu_wait(wait_in("", {}, QUERY_QUOTA)) == "quota");
  CHECK(layer_of_cpu_wait(wait_in("")) == "run queue");
  CHECK(layer_of_wait(wait_in("", {}, QUERY_IO | QUERY_MEMORY)) == "memory");
  CHECK(layer_of_wait(wait_in("futex", {}, QUERY_QUOTA)) == "lock");
}

TEST_CASE("a reader whom the request woke wants a CPU before it reads") {
  const bool here = GENERATE(true, false);  // its client
  Begun request(here ? QUERY_CLIENT_SEND : QUERY_ARRIVE);
  if (here) request.put(QUERY_MORE, kRequest + 10, kStart + 5);
  const std::string begin = here ? "request send 0\nnetwork arrive 5\n" : "request arrive 0\n";
  query_hop delivered = {};
  delivered.kind = QUERY_DELIVER;
  delivered.id = 1;
  delivered.other_tid = kReader;
  delivered.ts_ns = kStart + 6;
  const uint32_t flags = GENERATE(0U, uint32_t{QUERY_QUOTA});
  SECTION("told of") {
    request.tracker.on_record(&delivered, sizeof(delivered));
    request.wait(kReader, kStart + 7, kStart + 7, flags);
    request.put(QUERY_READ, kRequest + 10, kStart + 20);
    answer(request, kStart + 100);
    CHECK(request.story() == begin + "socket queue woken 7\n" + std::string(flags != 0 ? "quota" : "run queue") +
                                 " run 17\nsocket queue read 20\ncpu answer 100\n");
  }
  SECTION("for something else") {
    request.wait(kReader, kStart + 7, kStart + 7, flags);
    request.put(QUERY_READ, kRequest + 10, kStart + 20);
    answer(request, kStart + 100);
    CHECK(request.story() == begin + "socket queue read 20\ncpu answer 100\n");
  }
}

TEST_CASE("a trace that a recording has made up is none") {
  Request request;
  query_label label = {.id = 1, .text = "GET /", .traceparent = {}};
  const std::string trace = GENERATE("x", "00-4bf9", "00-00000000000000000000000000000000-0000000000000000-01");
  trace.copy(label.traceparent, sizeof(label.traceparent) - 1);
  CHECK(request.tracker.on_name(kQueryLabelRecord, &label));
  answer(request, kStart + 100);
  CHECK(std::holds_alternative<std::monostate>(*value_of(request.samples[0].fields, "traceparent")));
}

}  // namespace strata
