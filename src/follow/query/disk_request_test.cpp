// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/disk_request.h"

#include <string>

#include "base/test.h"
#include "follow/query/test.h"
#include "follow/query/waits.h"

namespace strata {
namespace {

constexpr uint64_t kStart = Begun::kStart;

// A request to disk 8:0 completes, which kReader has submitted, or waits for.
void complete(Begun &request, uint64_t issue_ns, uint64_t ts_ns, uint32_t by = kReader, uint32_t waits = kReader) {
  query_block block = {};
  block.hop.kind = QUERY_BLOCK;
  block.hop.ts_ns = block.hop.wake_ns = ts_ns;
  block.hop.tid = waits;
  block.hop.out_ns = issue_ns;
  block.hop.other_tid = by;
  std::string("writer").copy(block.hop.other_comm, sizeof(block.hop.other_comm));
  block.sector = ts_ns;
  block.bytes = 4096;
  block.dev = 8 << 20;
  request.tracker.on_record(&block, sizeof(block));
}

void answer(Begun &request) {
  request.put(QUERY_SEND, kAnswer + 100, kStart + 1000);
  request.put(QUERY_NEXT, 0, kStart + 1100);
  REQUIRE(request.samples.size() == 1);
}

template <class T>
std::string values(const Begun &request, const char *key) {
  std::string text;
  for (const Hop &hop : request.samples.at(0).hops)
    if (const Value *value = value_of(hop.fields, key)) {
      if constexpr (std::is_same_v<T, std::string>)
        text += std::get<T>(*value) + " ";
      else
        text += std::to_string(std::get<T>(*value)) + " ";
    }
  return text;
}

}  // namespace

TEST_CASE("a wait is for the last request to a disk that completed during it") {
  Request request;
  complete(request, kStart + 80, kStart + 150);
  complete(request, kStart + 90, kStart + 190);
  request.wait(kReader, kStart + 100, kStart + 200, QUERY_DEEP);
  complete(request, kStart + 220, kStart + 250);  // while it ran
  request.wait(kReader, kStart + 300, kStart + 400, QUERY_DEEP);
  answer(request);
  CHECK(values<uint64_t>(request, "sector") == std::to_string(kStart + 190) + " ");
  CHECK(values<uint64_t>(request, "device_ns") == "100 ");
  CHECK(values<std::string>(request, "submitted_by").empty());
  CHECK(request.story() ==
        "request arrive 0\nsocket queue read 1\ncpu sleep 100\ndisk woken 200\nrun queue run 210\n"
        "cpu sleep 300\nwait woken 400\nrun queue run 410\ncpu answer 1000\n");
}

TEST_CASE("a request that its thread waits for is told when the disk has it") {
  Request request;
  complete(request, kStart + 150, kStart + 200, kWorker);
  request.wait(kReader, kStart + 100, kStart + 200, QUERY_DEEP);
  answer(request);
  CHECK(values<uint64_t>(request, "device_ns") == "50 ");
  CHECK(values<std::string>(request, "submitted_by") == "writer ");
  CHECK(request.story() ==
        "request arrive 0\nsocket queue read 1\ncpu sleep 100\ndisk issue 150\ndisk woken 200\nrun queue run 210\n"
        "cpu answer 1000\n");
}

TEST_CASE("a request to a disk of which only the end was seen has no time, and another thread's wait is not for it") {
  Request request;
  complete(request, 0, kStart + 200, 0);
  complete(request, kStart + 150, kStart + 190, kWorker, kWorker);
  request.wait(kReader, kStart + 100, kStart + 200, QUERY_DEEP);
  answer(request);
  CHECK(values<uint64_t>(request, "sector") == std::to_string(kStart + 200) + " ");
  CHECK(values<uint64_t>(request, "device_ns").empty());
  CHECK(values<std::string>(request, "submitted_by").empty());
}

TEST_CASE("a wait for want of memory is that, whatever disk ends it") {
  Request request;
  complete(request, kStart + 150, kStart + 200);
  request.wait(kReader, kStart + 100, kStart + 200, QUERY_DEEP | QUERY_MEMORY);
  answer(request);
  CHECK(request.story().find("memory woken 200") != std::string::npos);
}

TEST_CASE("who ends a wait for a disk is told: a thread of the kernel, or one that syncs") {
  query_hop wait = wait_in("fdatasync", {}, QUERY_DEEP);
  CHECK_FALSE(is_released(wait));
  wait.other_tid = 60;
  CHECK(is_released(wait));
  wait.other_call = -1;  // interrupted
  CHECK_FALSE(is_released(wait));
  wait.other_call = wait_in("fsync").call;
  CHECK(is_released(wait));
}

}  // namespace strata
