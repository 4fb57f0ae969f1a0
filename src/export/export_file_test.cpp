// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/export_file.h"

#include <string>

#include "base/error.h"
#include "base/test.h"
#include "export/push.h"

namespace strata {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;

std::string refusal_of(const std::string &text) {
  try {
    parse_export_file("e.toml", text);
  } catch (const Error &error) {
    return error.exit_status() == kUsageStatus ? error.what() : "another status";
  }
  return "taken";
}

SocketAddress listen_of(const std::string &value) {
  return parse_export_file("e.toml", "listen = " + value + "\ntool = [{name = 'x'}]").listen;
}

PushTarget push_of(const std::string &url) {
  return parse_export_file("e.toml", "push = {url = '" + url + "'}\ntool = [{name = 'x'}]").push;
}

}  // namespace

TEST_CASE("what a file does not say is as usual") {
  const ExportFile file = parse_export_file("e.toml", "[[tool]]\nname = 'runqlat'");
  CHECK(text_of(file.listen) == "127.0.0.1:9435");
  CHECK(file.budget_millionths == 10'000);
  CHECK(file.push.host.empty());
  REQUIRE(file.tools.size() == 1);
  CHECK(file.tools[0].words == std::vector<std::string>{"runqlat"});
  CHECK(file.tools[0].interval_ns == 15 * kSecondNs);
  CHECK(file.tools[0].most_series == 1000);
  CHECK(file.tools[0].place == "e.toml:2:8");
}

TEST_CASE("what is said of all tools is said once") {
  const ExportFile file = parse_export_file("e.toml", R"toml(
interval = 30
max_series = 10
budget = "0.25%"
[[tool]]
run = ["biolatency", "-D"]
[[tool]]
name = "runqlat"
interval = "1m"
max_series = 20
)toml");
  CHECK(file.budget_millionths == 2'500);
  CHECK(file.tools[0].words == std::vector<std::string>{"biolatency", "-D"});
  CHECK(file.tools[0].interval_ns == 30 * kSecondNs);
  CHECK(file.tools[0].most_series == 10);
  CHECK(file.tools[1].interval_ns == 60 * kSecondNs);
  CHECK(file.tools[1].most_series == 20);
}

TEST_CASE("addresses to listen on") {
  CHECK(text_of(listen_of("9436")) == "127.0.0.1:9436");
  CHECK(text_of(listen_of("'9436'")) == "127.0.0.1:9436");
  CHECK(text_of(listen_of("'localhost:1'")) == "127.0.0.1:1");
  CHECK(text_of(listen_of("'0.0.0.0:65535'")) == "0.0.0.0:65535");
  CHECK(text_of(listen_of("'[::1]:80'")) == "[::1]:80");
  for (const char *value : {"0", "65536", "-1", "''", "':9435'", "'::1:9435'", "'[::1]'", "'[1.2.3.4]:5'", "'host:1'",
                            "'1.2.3.4:'", "'1.2.3.4:5x'", "true", "'['", "'[]:1'"})
    CHECK(refusal_of("listen = " + std::string(value) + "\ntool = [{name = 'x'}]").starts_with("e.toml:1:10: listen"));
}

TEST_CASE("where a collector is") {
  CHECK(push_of("http://collector").port == 4318);
  CHECK(push_of("http://localhost:1/a/b/").host == "127.0.0.1");
  CHECK(push_of("http://localhost:1/a/b/").path == "/a/b");
  CHECK(push_of("http://[::1]:1").host == "::1");
  for (const char *url :
       {"", "collector:1", "http://", "http://a:0", "http://a b", "http://[x]:1", "ftp://a", "http:///x"})
    CHECK(refusal_of("push = {url = '" + std::string(url) + "'}\ntool = [{name = 'x'}]").starts_with("e.toml:1:"));
}

TEST_CASE("budgets and durations that are none") {
  for (const char *value : {"1", "'1'", "'%'", "'0%'", "'-1%'", "'nan%'", "'1 %'", "'1%x'", "'inf%'"})
    CHECK(refusal_of("budget = " + std::string(value) + "\ntool = [{name = 'x'}]").starts_with("e.toml:1:10: budget"));
  for (const char *value : {"0", "'0'", "-1", "'1d'", "'999ms'", "'2h'", "1.5", "9223372036854775807"})
    CHECK(refusal_of("interval = " + std::string(value) + "\ntool = [{name = 'x'}]")
              .starts_with("e.toml:1:12: interval"));
}

TEST_CASE("a message is tried again after longer and longer") {
  BackOff back_off;
  for (const uint64_t seconds : {1, 2, 4, 8, 16, 32, 60, 60}) CHECK(back_off.next_ns() == seconds * kSecondNs);
  back_off.succeed();
  CHECK(back_off.next_ns() == kSecondNs);
}

}  // namespace strata
