// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Heat maps and histograms as text, character by character, and the parts that they are made of. Pages and pictures are
// tested in a browser (tests/lib/browser).
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/test.h"
#include "render/axis.h"
#include "render/heatmap.h"
#include "render/heatmap_picture.h"
#include "render/page.h"
#include "render/shade.h"

namespace strata {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr Field kLat = {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs};
constexpr Field kSize = {.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes};
constexpr Field kCount = {.key = "depth", .title = "DEPTH"};
constexpr Field kDisk = {.key = "disk", .title = "DISK"};

std::string output_of(const std::string &format, void (*fill)(Outputs &)) {
  setenv("TZ", "UTC", 1);
  tzset();
  char name[] = "/tmp/heatmap_test.XXXXXX";
  const Fd file(mkstemp(name));
  const OutputRequest request = {.format = format, .file = name};
  Outputs outputs({&request, 1});
  const RunInfo info = {
      .head = {.program = "strata x", .clocks = {.monotonic_ns = 0, .realtime_ns = 1'700'000'000 * kSecond}},
      .distributions = true};
  outputs.put(info);
  fill(outputs);
  outputs.close(EndReason::kDone);
  CHECK(outputs.complaints().empty());
  std::stringstream text;
  text << std::ifstream(name).rdbuf();
  unlink(name);
  return text.str();
}

void put(Outputs &out, uint64_t second, const Field &column, std::vector<NamedValue> keys,
         std::initializer_list<std::pair<uint64_t, uint64_t>> values) {
  Distribution one = {.column = &column,
                      .keys = std::move(keys),
                      .from_ns = second * kSecond,
                      .to_ns = (second + 1) * kSecond,
                      .values = {}};
  for (const auto &[value, count] : values) one.values.add(Histogram::slot_high(Histogram::slot_of(value)), count);
  out.put(one);
}

void end(Outputs &out, uint64_t second) {
  out.put(Interval{.from_ns = second * kSecond, .to_ns = (second + 1) * kSecond});
}

// The second interval has nothing, the third a value beyond the axis, and then the clock jumps.
void put_one(Outputs &out) {
  put(out, 0, kLat, {}, {{4'000, 7}, {90'000, 300}});
  end(out, 0);
  put(out, 1, kLat, {}, {});
  end(out, 1);
  put(out, 2, kLat, {}, {{900'000'000, 1}});
  end(out, 2);
  put(out, 9, kLat, {}, {{4'000, 1}});
  end(out, 9);
  const Loss loss = {.reason = "table full\n", .count = 3};
  out.put(Losses{{&loss, 1}});
}

void put_two(Outputs &out) {
  put(out, 0, kSize, {{&kDisk, std::string("sda")}}, {{4096, 2}});
  end(out, 0);
  end(out, 1);
  put(out, 2, kSize, {{&kDisk, std::string("a\x1b[31m")}}, {{512, 1000}});
  put(out, 2, kSize, {{&kDisk, std::string("sda")}}, {{4096, 1}, {65'536, 30'000}});
  end(out, 2);
  out.put(Losses());
}

}  // namespace

TEST_CASE("a heat map in text: what is beyond axis or scale makes new ones") {
  CHECK(output_of("heatmap", put_one) ==
        R"(latency: time down, value across, values in a cell as a shade:
  . 1  : 2  - 4  = 8  + 16  * 32  # 64  % 128  @ 256 or more
TIME            |5us    |10us   |20us      |50us   |100us     COUNT   MAX <=
22:13:21 |    -                                  @        |     307   90.1us
22:13:22 |                                                |       0        -

latency: time down, value across, values in a cell as a shade:
  . 1  : 2  - 4  = 8  + 16  * 32  # 64  % 128  @ 256 or more
TIME      |0ns  |1us      |1ms      |1s       |1000s          COUNT   MAX <=
22:13:23 |                          .                     |       1    906ms
         |no values for 6.00s                             |
22:13:30 |        .                                       |       1   4.09us

22:13:20 to 22:13:30, 10.0s; percentiles at most 6.25 % too high
latency: 309 values
p50 90.1us, p90 90.1us, p99 90.1us, p99.9 906ms, max 906ms
lost 3: table full\x0a
)");
}

TEST_CASE("heat maps of several distributions are numbered") {
  CHECK(output_of("heatmap", put_two) ==
        R"(1: size of disk sda
size: time down, value across, values in a cell as a shade:
  . 1  : 2  - 4  = 8  + 16  * 32  # 64  % 128  @ 256 or more
TIME     NR                 |4KiB           |8KiB                COUNT   MAX <=
22:13:21  1 |               :                                |       2  4.25KiB
22:13:22    |                                                |       0        -

2: size of disk $'a\x1b[31m'
size: time down, value across, values in a cell as a shade:
  . 1  : 10  - 100  = 1k  + 10k  * 100k  # 1M  % 10M  @ 100M or more
TIME     NR    |256B   |1KiB   |4KiB   |16KiB  |64KiB            COUNT   MAX <=
22:13:23  2 |      =                                         |    1000     543B
22:13:23  1 |                  .               +             |   30001  68.0KiB

22:13:20 to 22:13:23, 3.00s; percentiles at most 6.25 % too high
1: size of disk sda: 30003 values
p50 68.0KiB, p90 68.0KiB, p99 68.0KiB, p99.9 68.0KiB, max 68.0KiB
2: size of disk $'a\x1b[31m': 1000 values
p50 543B, p90 543B, p99 543B, p99.9 543B, max 543B
)");
}

TEST_CASE("a heat map without any value") {
  CHECK(output_of("heatmap", [](Outputs &) {}) == "no values\n");
  CHECK(output_of("heatmap", [](Outputs &out) { end(out, 0); }) ==
        R"(22:13:21 |                                                |       0        -

22:13:20 to 22:13:21, 1.00s
no values
)");
}

TEST_CASE("histograms in text have their time and what percentiles are worth") {
  CHECK(output_of("text", put_two) ==
        R"(22:13:21, 1.00s; percentiles at most 6.25 % too high
size of disk sda: 2 values
avg 4.25KiB, sum 8.50KiB
p50 4.25KiB, p90 4.25KiB, p99 4.25KiB, p99.9 4.25KiB, max 4.25KiB
      [4KiB, 8KiB) |########################################| 2

22:13:22, 1.00s: no values

22:13:23, 1.00s; percentiles and max at most 6.25 % too high
size of disk $'a\x1b[31m': 1000 values
avg 543B, sum 530KiB
p50 543B, p90 543B, p99 543B, p99.9 543B, max 543B
      [512B, 1KiB) |########################################| 1000

size of disk sda: 30001 values
avg 68.0KiB, sum 1.95GiB
p50 68.0KiB, p90 68.0KiB, p99 68.0KiB, p99.9 68.0KiB, max 68.0KiB
      [4KiB, 8KiB) |.                                       | 1
               ...
   [64KiB, 128KiB) |########################################| 30000
)");
}

TEST_CASE("a histogram of extremes: no bar is empty above 0, empty ones are left out") {
  std::istringstream text(output_of("text", [](Outputs &out) {
    put(out, 0, kCount, {}, {{0, 1}, {1, UINT64_MAX / 2}, {UINT64_MAX, 3}});
    end(out, 0);
  }));
  std::string line;
  std::string some;
  while (std::getline(text, line)) {
    CHECK(line.size() <= 80);
    some += line + "\n";
  }
  CHECK(some == R"(22:13:21, 1.00s; percentiles at most 6.25 % too high
depth: 9223372036854775811 values
avg 2.00, sum 18446744073709551615
p50 1, p90 1, p99 1, p99.9 1, max 18446744073709551615
                         0 |.                              | 1
                         1 |###############################| 9223372036854775807
                       ...
[9223372036854775808, ...) |.                              | 3
)");
}

TEST_CASE("bars of times are between round ones, and as wide as the text may be") {
  const auto put_times = [](Outputs &out) {
    put(out, 0, kLat, {}, {{999, 1}, {1000, 2}, {1999, 1}, {9'000'000, 4}, {20'000'000, 1}});
    end(out, 0);
  };
  setenv("COLUMNS", "120", 1);
  const std::string text = output_of("text", put_times);
  setenv("COLUMNS", "80", 1);
  CHECK(text.substr(text.find("        [1us")) == "        [1us, 2us) |" + std::string(45, '#') +
                                                      "               | 3\n"
                                                      "        [2us, 5us) |" +
                                                      std::string(15, '#') + std::string(45, ' ') +
                                                      "| 1\n"
                                                      "               ...\n"
                                                      "       [5ms, 10ms) |" +
                                                      std::string(60, '#') +
                                                      "| 4\n"
                                                      "      [10ms, 20ms) |" +
                                                      std::string(60, ' ') +
                                                      "| 0\n"
                                                      "      [20ms, 50ms) |" +
                                                      std::string(15, '#') + std::string(45, ' ') + "| 1\n");
}

TEST_CASE("percentiles in JSON, with their error") {
  std::istringstream lines(output_of("json", put_two));
  std::string line;
  REQUIRE(std::getline(lines, line));  // the run
  REQUIRE(std::getline(lines, line));
  const auto json = nlohmann::json::parse(line);
  CHECK(json["p50"] == 4351);
  CHECK(json["p99_9"] == 4351);
  CHECK(json["max"] == 4351);
  CHECK(json["percentile_error"] == 0.0625);
}

TEST_CASE("what a terminal has for shades") {
  CHECK(colours_of(false, "xterm-256color", "truecolor", "C.UTF-8") == Colours::kAscii);
  CHECK(colours_of(true, "dumb", "truecolor", "C.UTF-8") == Colours::kAscii);
  CHECK(colours_of(true, nullptr, nullptr, nullptr) == Colours::kAscii);
  CHECK(colours_of(true, "xterm-256color", "truecolor", nullptr) == Colours::kTrue);
  CHECK(colours_of(true, "xterm", "24bit", nullptr) == Colours::kTrue);
  CHECK(colours_of(true, "screen-256color", nullptr, nullptr) == Colours::k256);
  CHECK(colours_of(true, "linux", "", "de_DE.utf8") == Colours::kGrey);
  CHECK(colours_of(true, "linux", "", "C") == Colours::kAscii);
}

TEST_CASE("shades in each kind of terminal") {
  const std::string cells("\1\0\2\2\11", 5);
  CHECK(shades_text(cells, Colours::kAscii) == ". ::@");
  CHECK(shades_text(cells, Colours::kTrue) ==
        "\x1b[48;2;65;68;135m \x1b[0m \x1b[48;2;53;95;141m  \x1b[48;2;253;231;37m \x1b[0m");
  CHECK(shades_text(cells, Colours::k256) == "\x1b[48;5;54m \x1b[0m \x1b[48;5;24m  \x1b[48;5;226m \x1b[0m");
  CHECK(shades_text(cells, Colours::kGrey) == "\x1b[90m\u00b7\x1b[0m \x1b[90m\u2591\u2591\x1b[97m\u2588\x1b[0m");
}

TEST_CASE("labels stand at round values, and never on each other") {
  const auto labels = [](uint64_t low, uint64_t high, const Field &column) {
    const ValueAxis axis = ValueAxis::with_room(Histogram::slot_of(low), Histogram::slot_of(high), 48);
    std::string text;
    for (const Tick &tick : value_ticks(axis, column, {}, 2, 1)) text += tick.label + " ";
    return text;
  };
  CHECK(labels(4'000, 90'000, kLat) == "5us 10us 20us 50us 100us ");
  CHECK(labels(0, ~0ULL, kLat) == "0ns 1ms 1000s 1000000000s ");
  CHECK(labels(0, 0, kSize) == "0B 4B 8B 16B 32B ");
  CHECK(labels(4096, 1 << 20, kSize) == "4KiB 16KiB 64KiB 256KiB 1MiB 4MiB ");
  CHECK(labels(1, 1'000'000, kCount) == "0 100 10000 1000000 100000000 ");
}

TEST_CASE("time labels are as far apart as the columns") {
  setenv("TZ", "UTC", 1);
  tzset();
  const auto labels = [](uint64_t from_ns, uint64_t to_ns, uint64_t column_ns) {
    std::string text;
    for (const Tick &tick : time_ticks({}, {from_ns, to_ns}, column_ns, 5)) text += tick.label + " ";
    return text;
  };
  CHECK(labels(0, 3 * kSecond, kSecond) == "00:00:00 00:00:01 00:00:02 00:00:03 ");
  CHECK(labels(kSecond / 3, kSecond, kSecond / 10) == "00:00:00.400 00:00:00.600 00:00:00.800 00:00:01.000 ");
  CHECK(labels(100 * kSecond, 4000 * kSecond, kSecond) == "00:15:00 00:30:00 00:45:00 01:00:00 ");
  CHECK(labels(5, 5, 1) == "00:00:00 ");
  CHECK_FALSE(labels(0, ~0ULL, 1).empty());
}

TEST_CASE("text in XML is escaped, and holds what XML permits") {
  CHECK(xml_text("<a b=\"c\">&'") == "&lt;a b=&quot;c&quot;&gt;&amp;'");
  CHECK(xml_text("\xef\xbf\xbf\xef\xbf\xbe.") == "\xef\xbf\xbd\xef\xbf\xbd.");
}

}  // namespace strata
