// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whatever hops come: nothing crashes, every sample ends once, its layers are its total, and the account adds up; and
// who is taken for the one that served. What is right for the hops of a kernel is in tests/follow.
#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/test.h"
#include "follow/query/hops.h"
#include "follow/query/path.h"
#include "follow/query/test.h"
#include "follow/query/tracker.h"
#include "follow/query/waits.h"
#include "follow/query/wire.h"
#include "follow/test.h"
#include "kern/syscall.h"

namespace strata {
namespace {

// Hops of one request, each 1 us after the other, as two threads see it that were on a CPU three times before.
class Threads {
 public:
  Threads &read(uint32_t tid = kReader) { return own(QUERY_READ, tid); }
  Threads &answer(uint32_t tid, uint32_t flags = QUERY_BY_TASK) { return own(QUERY_SEND, tid, flags); }
  Threads &wake(uint32_t tid, uint32_t other, std::string_view call = "futex") {
    query_hop &hop = next(threads_, QUERY_WAKE, tid);
    hop.other_tid = other;
    hop.call = call.empty() ? -1 : static_cast<int32_t>(syscall_number(call));
    return *this;
  }
  Threads &sleeps_since(uint64_t ns, std::string_view call) {  // of the last wait: before it was woken
    query_hop &hop = threads_.back();
    hop.out_ns -= ns;
    hop.call = static_cast<int32_t>(syscall_number(call));
    return *this;
  }
  Threads &other(uint32_t tid, uint64_t sock = 7) {
    next(threads_, QUERY_OTHER, tid).sock = sock;
    return *this;
  }
  Threads &wait(uint32_t tid, bool told = true) {
    ++arrivals_[tid];
    now_ns_ += 1000;
    if (!told) return *this;
    query_hop &hop = next(threads_, QUERY_WAIT, tid);
    hop.out_ns = hop.ts_ns - 500;
    hop.wake_ns = hop.ts_ns - 100;
    return *this;
  }
  [[nodiscard]] ServedBy served() const { return served_by(own_, threads_, now_ns_); }
  [[nodiscard]] std::string grade() const { return std::string(outcome_of(served().grade).key); }

 private:
  Threads &own(uint32_t kind, uint32_t tid, uint32_t flags = 0) {
    next(own_, kind, tid).flags = flags;
    return *this;
  }
  query_hop &next(std::vector<query_hop> &hops, uint32_t kind, uint32_t tid) {
    query_hop &hop = hops.emplace_back();
    hop.kind = kind;
    hop.tid = tid;
    hop.ts_ns = now_ns_ += 1000;
    hop.arrivals = 3 + arrivals_[tid];
    return hop;
  }

  std::vector<query_hop> own_, threads_;
  std::map<uint32_t, uint64_t> arrivals_;
  uint64_t now_ns_ = 1'000'000;
};

}  // namespace

TEST_CASE("a request is its own where its reader answers and deals with nobody else") {
  CHECK(Threads().read().answer(kReader).grade() == "own");
  CHECK(Threads().read().wait(kReader).wait(kReader).answer(kReader).grade() == "own");
  CHECK(Threads().other(kReader).read().answer(kReader).other(kReader).grade() == "own");  // before and after
  CHECK(Threads().read().other(kBystander).answer(kReader).grade() == "own");
}

TEST_CASE("a thread that dealt with others meanwhile is shared with them, each once") {
  CHECK(Threads().read().other(kReader).answer(kReader).grade() == "shared");
  CHECK(Threads().read().other(kReader, 7).other(kReader, 8).other(kReader, 7).answer(kReader).served().others == 2);
  // Between two writes of one answer, too.
  CHECK(Threads().read().answer(kReader).other(kReader).answer(kReader).grade() == "shared");
}

TEST_CASE("a worker serves a request if the reader woke it, and it answers before it deals with another one") {
  const ServedBy served = Threads().read().wake(kReader, kWorker).wait(kWorker).answer(kWorker).served();
  CHECK(served.grade == Grade::kOwn);
  REQUIRE(served.path.size() == 2);
  CHECK(served.path[0].tid == kReader);
  CHECK(served.path[1].tid == kWorker);
  CHECK(Threads().read().answer(kWorker).grade() == "times");
  CHECK(Threads().read().wake(kBystander, kWorker).answer(kWorker).grade() == "times");
  CHECK(Threads().read().wake(kReader, kBystander).answer(kWorker).grade() == "times");
  CHECK(Threads().wake(kReader, kWorker).read().answer(kWorker).grade() == "times");
  // An interrupt that the reader met woke it, and what that ended is work that it had already.
  CHECK(Threads().read().wake(kReader, kWorker, "").wait(kWorker).answer(kWorker).grade() == "times");
  const auto woken_in = [](std::string_view call) {
    return Threads().read().wake(kReader, kWorker).wait(kWorker).sleeps_since(5000, call).answer(kWorker).grade();
  };
  CHECK(woken_in("clock_nanosleep") == "times");
  CHECK(woken_in("futex") == "own");
  CHECK(woken_in("epoll_pwait") == "own");
  CHECK(Threads().read().wake(kReader, kWorker).other(kWorker).answer(kWorker).grade() == "times");
  CHECK(Threads().read().wake(kReader, kWorker).other(kWorker).wake(kReader, kWorker).answer(kWorker).grade() == "own");
  CHECK(Threads().read().other(kReader).wake(kReader, kWorker).answer(kWorker).grade() == "shared");
  CHECK(Threads().read().wake(kReader, kWorker).other(kReader).answer(kWorker).grade() ==
        "own");  // no more its own matter
}

TEST_CASE("nothing is attributed where a wait was missed, or it is not known who wrote") {
  CHECK(Threads().read().wait(kReader, false).answer(kReader).grade() == "times");
  CHECK(Threads().read().wait(kReader).wait(kReader, false).wait(kReader).answer(kReader).grade() == "times");
  CHECK(Threads().read().wait(kReader, false).wake(kReader, kWorker).wait(kWorker).answer(kWorker).grade() == "times");
  CHECK(Threads().read().wake(kReader, kWorker).wait(kWorker).wait(kWorker, false).answer(kWorker).grade() == "times");
  CHECK(Threads().read().answer(kReader, 0).grade() == "times");
  CHECK(Threads().read(kReader).read(kWorker).answer(kWorker).grade() == "times");
  CHECK(Threads().answer(kReader).grade() == "times");
  CHECK(Threads().grade() == "times");
  CHECK(Threads().read().wait(kReader).wait(kReader).grade() == "own");  // not answered so far
  CHECK(Threads().read().wait(kReader, false).wait(kReader).grade() == "times");
}

TEST_CASE("a wait is what its system call says, and how it ended") {
  CHECK(layer_of_wait(wait_in("futex", "futex")) == "lock");
  CHECK(layer_of_wait(wait_in("clock_nanosleep")) == "sleep");
  CHECK(layer_of_wait(wait_in("recvfrom", "sendto")) == "socket");
  CHECK(layer_of_wait(wait_in("epoll_pwait", "sendto")) == "socket");
  CHECK(layer_of_wait(wait_in("epoll_pwait", "kill")) == "lock");
  CHECK(layer_of_wait(wait_in("fdatasync", {}, QUERY_DEEP)) == "disk");
  CHECK(layer_of_wait(wait_in("read", {}, QUERY_IO | QUERY_DEEP)) == "disk");
  CHECK(layer_of_wait(wait_in("read", {}, QUERY_DEEP)) == "wait");
  CHECK(layer_of_wait(wait_in("wait4")) == "wait");
  CHECK(layer_of_wait(wait_in("")) == "page fault");
  CHECK(layer_of_wait(wait_in("", {}, QUERY_IO)) == "disk");
  CHECK(layer_of_wait(wait_in("futex", {}, QUERY_PREEMPTED)) == "run queue");
}

TEST_CASE("who released a lock is said only where the waker's own call does that") {
  CHECK(is_released(wait_in("futex", "futex")));
  CHECK(is_released(wait_in("epoll_pwait", "kill")));
  CHECK_FALSE(is_released(wait_in("futex")));                  // a timer
  CHECK_FALSE(is_released(wait_in("futex", "write")));         // whom the timer's interrupt met
  CHECK_FALSE(is_released(wait_in("epoll_pwait", "sendto")));  // whom the packet's met
  CHECK(is_released(wait_in("epoll_pwait", "sendto", QUERY_BY_WAKER)));
  CHECK_FALSE(is_released(wait_in("recvfrom", {}, QUERY_BY_WAKER)));
  CHECK_FALSE(
      is_released(wait_in("epoll_pwait", "epoll_pwait", QUERY_BY_WAKER)));  // which passes on what it does not take
}

TEST_CASE("requests end once, their layers add up, and so does their account, under random hops") {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](uint64_t n) { return static_cast<uint32_t>(random() % n); };
    std::map<uint64_t, int> ended;
    bool adds_up = true;
    QueryTracker tracker([&](const Sample &sample) {
      ++ended[sample.id];
      adds_up = adds_up && sample.hops.front().ts_ns <= sample.hops.back().ts_ns;
    });
    uint64_t now_ns = 1'000'000, samples = 0;
    INFO("seed " << seed);
    for (int i = 0; i < 300; ++i) {
      query_start record = {};
      query_hop &hop = record.hop;
      hop.kind = below(QUERY_KINDS + 1);
      hop.ts_ns = now_ns += below(8) == 0 ? below(400'000'000) : below(1000);
      hop.sock = 1 + below(3);
      hop.flags = below(16) | (below(2) != 0 ? QUERY_FROM_CLIENT : 0);
      hop.lo = kRequest;
      hop.hi = (below(2) != 0 ? kRequest : kAnswer) + below(200);
      record.answer = kAnswer;
      hop.id = begins_sample(hop) ? ++samples : below(samples + 2);
      hop.tid = kReader + below(3);
      hop.other_tid = kReader + below(3);
      hop.out_ns = now_ns - below(2000);
      hop.wake_ns = below(3) == 0 ? 0 : now_ns - below(2000);
      hop.call = static_cast<int32_t>(below(300)) - 2;
      hop.other_call = static_cast<int32_t>(below(300)) - 2;
      hop.arrivals = below(4) == 0 ? below(100) : static_cast<uint64_t>(i);
      tracker.on_record(&record, begins_sample(hop) ? sizeof(record) : sizeof(hop));
      REQUIRE(tracker.collector().ended() == ended.size());
    }
    tracker.end(samples + seed % 3, {{"ring buffer full", seed % 5}});
    CHECK(adds_up);
    CHECK(ended.size() == samples);
    for (const auto &[id, times] : ended) CHECK(times == 1);
    CHECK(tracker.collector().account().sampled == samples + seed % 3);
    CHECK(sum_of_outcomes(tracker.collector().account()) == samples + seed % 3);
  }
}

namespace {

constexpr uint64_t kQuiet = QueryTracker::kQuietNs;

}  // namespace

TEST_CASE("a label is recorded when a read tells it, and is the sample's, of a run and of its replay") {
  Request run, replay;
  std::string recorded;
  const auto take = [&](const RecordType &type, const void *name) {
    recorded += to_line(type, name, type.size) + "\n";
    CHECK(replay.tracker.on_name(type, name));
  };
  query_words words = {};
  words.hop.kind = QUERY_READ;
  words.hop.id = 1;
  words.hop.flags = QUERY_HAS_WORDS;
  constexpr std::string_view kBytes = "GET /a?secret HTTP/1.1\r\n";
  words.n = words.size = static_cast<uint32_t>(kBytes.copy(words.bytes, sizeof(words.bytes)));
  run.tracker.name_first(&words, take);
  run.tracker.name_first(&words, take);  // the same again
  words.hop.id = 2;                      // not under way
  run.tracker.name_first(&words, take);
  CHECK(recorded == "query_label id=1 text=GET%20/a\n");
  for (Request *request : {&run, &replay}) {
    request->put(QUERY_SEND, kAnswer + 100, Request::kStart + 10);
    request->tracker.end(1, {});
    REQUIRE(request->samples.size() == 1);
    CHECK(std::get<std::string>(request->samples[0].fields[0].value) == "GET /a");
    REQUIRE(request->tracker.collector().labels().size() == 1);
    CHECK(request->tracker.collector().labels()[0].label == "GET /a");
  }
}

TEST_CASE("of a server elsewhere its client knows when it asked, was answered and woken, and not who served it") {
  Begun request(QUERY_CLIENT_SEND, QUERY_FROM_CLIENT);
  request.put(QUERY_CLIENT_MORE, kRequest + 20, Begun::kStart + 5, 1, kBystander);
  request.put(QUERY_RECEIVE, kAnswer + 100, Begun::kStart + 500);
  request.wait(kBystander, Begun::kStart + 20, Begun::kStart + 510);
  request.put(QUERY_CLIENT_READ, kAnswer + 100, Begun::kStart + 530, 1, kBystander);
  request.put(QUERY_NEXT, 0, Begun::kStart + 900);
  REQUIRE(request.samples.size() == 1);
  CHECK(request.samples[0].outcome == &kAnsweredElsewhere);
  CHECK(request.samples[0].seen_ns == 530);
  CHECK(request.story() ==
        "request send 0\nrequest more 5\nserver receive 500\nwake-up woken 510\nwake-up run 520\nclient read 530\n");
}

TEST_CASE("a request whose client and server are here is told from the one to the other and back") {
  Begun request(QUERY_CLIENT_SEND, GENERATE(0U, uint32_t{QUERY_FROM_CLIENT}));
  request.put(QUERY_MORE, kRequest + 10, Begun::kStart + 5);
  request.put(QUERY_READ, kRequest + 10, Begun::kStart + 50);
  request.put(QUERY_SEND, kAnswer + 100, Begun::kStart + 200);
  request.put(QUERY_RECEIVE, kAnswer + 100, Begun::kStart + 210);
  request.wait(kBystander, Begun::kStart + 20, Begun::kStart + 215);
  request.put(QUERY_CLIENT_READ, kAnswer + 100, Begun::kStart + 230, 1, kBystander);
  request.tracker.end(1, {});
  REQUIRE(request.samples.size() == 1);
  CHECK(request.samples[0].outcome == &kAnsweredOwn);
  CHECK(request.story() ==
        "request send 0\nnetwork arrive 5\nsocket queue read 50\ncpu answer 200\nnetwork receive 210\n"
        "wake-up woken 215\nwake-up run 225\nclient read 230\n");
}

TEST_CASE("a client that does something else when its answer comes keeps it waiting itself") {
  Begun request(QUERY_CLIENT_SEND, QUERY_FROM_CLIENT);
  request.put(QUERY_RECEIVE, kAnswer + 100, Begun::kStart + 500);
  request.put(QUERY_CLIENT_READ, kAnswer + 100, Begun::kStart + 700, 1, kBystander);
  request.put(QUERY_CLOSE, 0, Begun::kStart + 800);
  REQUIRE(request.samples.size() == 1);
  CHECK(request.story() == "request send 0\nserver receive 500\nclient read 700\n");
}

TEST_CASE("a client that has read all that came waits for the server, whatever else wakes it") {
  Begun request(QUERY_CLIENT_SEND);
  request.put(QUERY_MORE, kRequest + 10, Begun::kStart + 5);
  request.put(QUERY_READ, kRequest + 10, Begun::kStart + 50);
  request.put(QUERY_SEND, kAnswer + 60, Begun::kStart + 100);
  request.put(QUERY_RECEIVE, kAnswer + 60, Begun::kStart + 110);
  request.wait(kBystander, Begun::kStart + 20, Begun::kStart + 115);
  request.put(QUERY_CLIENT_READ, kAnswer + 40, Begun::kStart + 130, 1, kBystander);
  request.wait(kBystander, Begun::kStart + 135, Begun::kStart + 140);  // before it reads the rest
  request.put(QUERY_CLIENT_READ, kAnswer + 60, Begun::kStart + 160, 1, kBystander);
  request.wait(kBystander, Begun::kStart + 170, Begun::kStart + 300);  // for something else
  request.put(QUERY_SEND, kAnswer + 100, Begun::kStart + 500);
  request.put(QUERY_RECEIVE, kAnswer + 100, Begun::kStart + 510);
  request.put(QUERY_CLIENT_READ, kAnswer + 100, Begun::kStart + 530, 1, kBystander);
  request.tracker.end(1, {});
  REQUIRE(request.samples.size() == 1);
  CHECK(request.story() ==
        "request send 0\nnetwork arrive 5\nsocket queue read 50\ncpu answer 100\nnetwork receive 110\n"
        "wake-up woken 115\nwake-up run 125\nclient read 130\nclient sleep 135\nwake-up woken 140\nwake-up run 150\n"
        "client read 160\ncpu answer 500\nnetwork receive 510\nclient read 530\n");
}

TEST_CASE("of a client that has closed its half it is known when it read, and before that it waited for the server") {
  Begun request(QUERY_CLIENT_SEND, QUERY_FROM_CLIENT);
  request.put(QUERY_CLIENT_READ, kAnswer + 50, Begun::kStart + 700, 1, kBystander);
  request.put(QUERY_CLIENT_READ, kAnswer + 100, Begun::kStart + 750, 1, kBystander);
  request.put(QUERY_CLOSE, 0, Begun::kStart + 800);
  REQUIRE(request.samples.size() == 1);
  CHECK(request.samples[0].outcome == &kAnsweredElsewhere);
  CHECK(request.story() == "request send 0\nserver read 700\nclient read 750\n");
}

TEST_CASE(
    "what arrives after it was read is more of it") {  // TCP does not tell of data that come with a handshake's end
  Begun request(QUERY_CLIENT_SEND);
  request.put(QUERY_READ, kRequest + 10, Begun::kStart + 50);
  request.put(QUERY_MORE, kRequest + 20, Begun::kStart + 60);
  request.put(QUERY_READ, kRequest + 20, Begun::kStart + 70);
  request.put(QUERY_SEND, kAnswer + 100, Begun::kStart + 200);
  request.put(QUERY_NEXT, 0, Begun::kStart + 900);
  REQUIRE(request.samples.size() == 1);
  CHECK(request.story() == "request send 0\nsocket queue read 50\ncpu more 60\ncpu read 70\ncpu answer 200\n");
}

TEST_CASE("however often its client waits, it is known who served a request") {
  Begun request(QUERY_CLIENT_SEND);
  request.put(QUERY_READ, kRequest + 10, Begun::kStart + 50);
  uint64_t ts_ns = Begun::kStart + 60;
  for (size_t i = 0; i < QueryTracker::kMostHops + 1; ++i, ts_ns += 20) request.wait(kBystander, ts_ns, ts_ns + 5);
  request.put(QUERY_SEND, kAnswer + 100, ts_ns);
  request.put(QUERY_NEXT, 0, ts_ns + 10);
  REQUIRE(request.samples.size() == 1);
  CHECK(request.samples[0].outcome == &kAnsweredOwn);
  CHECK(request.samples[0].hops.size() == 3);
}

TEST_CASE("on a unix socket an answer is at its client at once") {
  const bool early = GENERATE(false, true);  // it was read before the kernel told who has sent it
  query_start start = {};
  start.hop.kind = QUERY_CLIENT_SEND;
  start.hop.id = 1;
  start.hop.tid = early ? 0 : kBystander;
  start.hop.tgid = kBystander;
  start.hop.ts_ns = Begun::kStart;
  start.hop.hi = 10;
  strcpy(start.path, "/run/s");
  Begun request(start);
  request.put(QUERY_READ, 10, Begun::kStart + 50);
  if (early) request.put(QUERY_CLIENT_MORE, 10, Begun::kStart + 51, 1, kBystander);
  request.put(QUERY_SEND, 100, Begun::kStart + 200);
  request.wait(kBystander, Begun::kStart + 20, Begun::kStart + 205);
  request.put(QUERY_CLIENT_READ, 100, Begun::kStart + 230, 1, kBystander);
  request.put(QUERY_NEXT, 0, Begun::kStart + 900);
  REQUIRE(request.samples.size() == 1);
  CHECK(request.story() ==
        "request send 0\nsocket queue read 50\ncpu answer 200\nwake-up woken 205\nwake-up run 215\nclient read 230\n");
  CHECK(std::get<std::string>(request.samples[0].fields[1].value) == "/run/s");
  CHECK(request.samples[0].hops[0].tid == kBystander);
  CHECK(std::get<std::string>(request.samples[0].fields[2].value) == "pid 12");
}

TEST_CASE("what a client sent without an answer is cut off, or not answered when the run ends") {
  Begun request(QUERY_CLIENT_SEND, QUERY_FROM_CLIENT, GENERATE(0U, kBystander));  // sent by TCP, later, or by a thread
  const Outcome *outcome = &kNotAnswered;
  SECTION("cut off") {
    request.put(QUERY_CLOSE, 0, Begun::kStart + 800);
    outcome = &kCutOff;
  }
  request.tracker.end(1, {});
  REQUIRE(request.samples.size() == 1);
  CHECK(request.samples[0].outcome == outcome);
}

TEST_CASE("an answered request whose connection falls silent is over after a while, a slow one is not") {
  Request request;
  request.tracker.on_time(10 * kQuiet);
  CHECK(request.samples.empty());  // not answered
  request.put(QUERY_SEND, kAnswer + 100, 11 * kQuiet);
  request.tracker.on_time(20 * kQuiet);
  CHECK(request.samples.empty());  // the client has not got it
  request.put(QUERY_ACK, kAnswer + 100, 20 * kQuiet);
  CHECK_FALSE(request.tracker.idle());
  SECTION("by the clock") { request.tracker.on_time(22 * kQuiet); }
  SECTION("by the next record") { request.put(QUERY_SEND, kAnswer + 200, 22 * kQuiet); }
  REQUIRE(request.samples.size() == 1);
  CHECK(request.samples.front().outcome == &kAnsweredOwn);
  CHECK(request.samples.front().total_ns == 20 * kQuiet - Request::kStart);
  CHECK(request.tracker.idle());
}

TEST_CASE("of a request with more hops than are kept it is not known who served it, and all else is") {
  Request request;
  uint64_t ts_ns = Request::kStart + 10;
  for (size_t i = 0; i < QueryTracker::kMostHops + 1; ++i) request.put(QUERY_OTHER, 0, ++ts_ns, 0);
  for (uint32_t i = 1; i < QueryTracker::kMostHops + 10; ++i) request.put(QUERY_SEND, kAnswer + i, ++ts_ns);
  request.put(QUERY_NEXT, 0, ++ts_ns);
  REQUIRE(request.samples.size() == 1);
  CHECK(request.samples.front().outcome == &kAnsweredTimes);
  CHECK(request.samples.front().hops.size() == QueryTracker::kMostHops + 1);
}

TEST_CASE("a record of a request that is too short is not looked at") {
  QueryTracker tracker([](const Sample &) {});
  std::vector<query_hop> hops(1);  // on the heap, so that a sanitizer sees it
  hops[0].kind = QUERY_ARRIVE;
  tracker.on_record(hops.data(), sizeof(query_hop));
  tracker.on_record(hops.data(), sizeof(query_hop) - 1);
  tracker.end(0, {});
  CHECK(tracker.collector().account().sampled == 0);
}

}  // namespace strata
