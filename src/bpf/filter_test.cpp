// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/filter.h"

#include <unistd.h>

#include <thread>

#include "base/error.h"
#include "base/test.h"

namespace strata {

namespace {

// What the request is refused with; empty if it is not.
std::string refusal(FilterRequest request) {
  try {
    const Filter filter(std::move(request));
    return "";
  } catch (const Error &error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a living process and its thread pass, others are named") {
  const auto self = static_cast<uint32_t>(getpid());
  CHECK(refusal({.tgids = {self}}).empty());
  CHECK(refusal({.tids = {self}}).empty());
  CHECK(refusal({.tgids = {self, 2147483647}}) == "no such process: 2147483647");
  CHECK(refusal({.tids = {4294967295}}) == "no such thread: 4294967295");
  CHECK(refusal({.tgids = {0}}) == "no such process: 0");
}

TEST_CASE("a thread is no process") {
  std::string text;
  uint32_t tid = 0;
  std::thread([&] {
    tid = static_cast<uint32_t>(gettid());
    text = refusal({.tgids = {tid}});
  }).join();
  CHECK(text.find("try: -t " + std::to_string(tid)) != std::string::npos);
}

TEST_CASE("a name has as many bytes as the kernel keeps") {
  CHECK(refusal({.comms = {"exactly15bytes_"}}).empty());
  CHECK(refusal({.comms = {"fits", "sixteen_bytes_xx"}}).find("sixteen_bytes_xx") != std::string::npos);
  CHECK_FALSE(refusal({.comms = {""}}).empty());
}

TEST_CASE("a cgroup is a directory of cgroup v2") {
  CHECK(refusal({.cgroup = "/proc/self"}).find("not a directory of cgroup v2: /proc/self") == 0);
  CHECK(refusal({.cgroup = "/no/such"}) == "cannot open the cgroup /no/such: No such file or directory");
}

}  // namespace strata
