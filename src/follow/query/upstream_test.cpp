// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a request's time is told as beside its server's own: other servers, a quota, memory, the reader's way to a CPU.
#include "follow/query/upstream.h"

#include <string>
#include <vector>

#include "base/test.h"
#include "follow/query/test.h"
#include "follow/query/waits.h"

namespace strata {
namespace {

constexpr uint64_t kStart = Begun::kStart;

// kReader sends to, or reads from, another server at 10.0.0.5.
void ask(Begun &request, uint32_t kind, uint64_t ts_ns, uint64_t sock = 7, uint32_t tid = kReader) {
  query_upstream asked = {};
  asked.hop.kind = kind;
  asked.hop.ts_ns = ts_ns;
  asked.hop.tid = tid;
  asked.hop.sock = sock;
  asked.ends.remote_lo = 0x0000ffff0a000005;
  asked.ends.remote_port = static_cast<uint32_t>(5400 + sock);
  request.tracker.on_record(&asked, sizeof(asked));
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
  ask(request, QUERY_UPSTREAM_SEND, kStart + 540, 8);
  ask(request, QUERY_UPSTREAM_READ, kStart + 541, 8);  // which had answered
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
  SECTION("sends on") { ask(request, QUERY_UPSTREAM_SEND, kStart + 45, 8); }
  SECTION("another thread") { ask(request, QUERY_UPSTREAM_READ, kStart + 45, 7, kBystander); }
  request.put(QUERY_READ, kRequest + 10, kStart + 75);
  ask(request, QUERY_UPSTREAM_READ, kStart + 80);
  answer(request, kStart + 100);
  CHECK(request.story().find("upstream woken 30\n") == std::string::npos);
  CHECK(request.story().find("socket woken 30\n") != std::string::npos);
}

TEST_CASE("what a connection is made for is what is sent on it") {
  query_hop wait = wait_in("connect");
  wait.tid = kReader;
  query_upstream asked = {};
  asked.hop.kind = QUERY_UPSTREAM_SEND;
  asked.hop.tid = kReader;
  asked.hop.ts_ns = 5;
  CHECK(upstream_of(wait, {&asked, 1}, {}, {}) == &asked);
  wait.call = wait_in("recvfrom").call;
  CHECK(upstream_of(wait, {&asked, 1}, {}, {}) == nullptr);
  asked.hop.kind = QUERY_UPSTREAM_READ;
  CHECK(upstream_of(wait, {&asked, 1}, {}, {}) == &asked);
  wait.call = wait_in("futex").call;
  CHECK(upstream_of(wait, {&asked, 1}, {}, {}) == nullptr);
}

TEST_CASE("what a client does with other servers is not the request's") {
  Begun request(QUERY_CLIENT_SEND);
  request.put(QUERY_READ, kRequest + 10, kStart + 1);
  ask(request, QUERY_UPSTREAM_SEND, kStart + 10, 7, kBystander);
  ask(request, QUERY_UPSTREAM_READ, kStart + 20, 7, kBystander);
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
  Begun request(QUERY_CLIENT_SEND);
  request.put(QUERY_MORE, kRequest + 10, kStart + 5);
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
    CHECK(request.story() == "request send 0\nnetwork arrive 5\nsocket queue woken 7\n" +
                                 std::string(flags != 0 ? "quota" : "run queue") +
                                 " run 17\nsocket queue read 20\ncpu answer 100\n");
  }
  SECTION("for something else") {
    request.wait(kReader, kStart + 7, kStart + 7, flags);
    request.put(QUERY_READ, kRequest + 10, kStart + 20);
    answer(request, kStart + 100);
    CHECK(request.story() == "request send 0\nnetwork arrive 5\nsocket queue read 20\ncpu answer 100\n");
  }
}

}  // namespace strata
