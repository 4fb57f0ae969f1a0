// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The exact output of each format for one constructed run.
#include "render/sink.h"

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <sstream>

#include "base/error.h"
#include "base/fd.h"
#include "base/file_id.h"
#include "base/test.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr Field kFile = {.key = "file", .title = ""};
constexpr Field kOffset = {.key = "offset", .title = "OFFSET", .unit = Unit::kOffset};
constexpr Field kSize = {.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes};
constexpr Field kColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .hidden = true},
    {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs, .width = 9},
    {.key = "comm", .title = "COMM", .width = -16},
};

constexpr Outcome kUnfinished{.key = "pending", .name = "not written back"};
constexpr Outcome kCut{.key = "truncated", .name = "truncated"};
constexpr const Outcome *kOutcomes[] = {&kCompleted, &kUnfinished, &kCut, &kFailed, &kLost};

Sample constructed_sample() {
  Sample sample = {.id = 7, .outcome = &kCompleted, .start_ns = 1000, .seen_ns = 38'200, .total_ns = 2'000'000};
  sample.fields = {{&kFile, std::string("/data/a\nb")}, {&kOffset, uint64_t{8192}}, {&kSize, uint64_t{4096}}};
  const auto hop = [](std::string_view layer, const char *name, uint64_t ts_ns, uint32_t tid, bool background) {
    return Hop{.layer = layer,
               .name = name,
               .ts_ns = ts_ns,
               .cpu = 1,
               .tid = tid,
               .comm = tid == 10 ? "dd" : "kworker",
               .background = background,
               .fields = {}};
  };
  sample.hops = {hop("syscall", "enter write", 1000, 10, false), hop("page cache", "dirty", 3000, 10, false),
                 hop("block", "queue bio", 1'001'000, 20, true), hop("device", "complete", 2'001'000, 10, true)};
  sample.hops[2].fields = {{&kSize, uint64_t{524'288}}};
  return sample;
}

Summary constructed_summary() {
  Summary summary = {.attach_mode = "tracepoints", .layers = {}, .account = {.outcomes = kOutcomes, .counts = {}}};
  summary.layers = {{.layer = "syscall", .background = false, .ns = {}},
                    {.layer = "device", .background = true, .ns = {}}};
  summary.layers[0].ns.add(1000, 2);
  summary.layers[1].ns.add(6000);
  summary.account.add(kCompleted, "", 1);
  summary.account.add(kUnfinished, "", 1);
  summary.account.add(kFailed, "EIO", 1);
  return summary;
}

std::string output_of(const std::string &format, void (*fill)(Outputs &), RunInfo info = {}) {
  char name[] = "/tmp/sink_test.XXXXXX";
  const Fd file(mkstemp(name));
  const OutputRequest request = {.format = format, .file = name};
  Outputs outputs({&request, 1});
  info.head.program = "strata x";
  outputs.put(info);
  fill(outputs);
  outputs.close(EndReason::kDone);
  CHECK(outputs.complaints().empty());
  std::stringstream text;
  text << std::ifstream(name).rdbuf();
  unlink(name);
  return text.str();
}

// Without the lines of the run and of its end.
std::string rows_of(const std::string &json) {
  const size_t begin = json.find('\n') + 1;
  return json.substr(begin, json.rfind('\n', json.size() - 2) + 1 - begin);
}

void put_samples(Outputs &out) {
  const Sample sample = constructed_sample();
  out.put(sample);
  const Loss loss = {.reason = "ring buffer full", .count = 2};
  out.put(Losses{{&loss, 1}});
  const Summary summary = constructed_summary();
  out.put(summary);
}

void put_rows(Outputs &out) {
  const Row row = {uint64_t{1}, uint64_t{38'212}, std::string("a,\"b\xff")};
  out.put(DecodedRow{kColumns, row});
  out.put(Losses());
}

const RunInfo kRows = {.head = {.clocks = {.monotonic_ns = 0, .realtime_ns = 5}}, .columns = kColumns, .shown = {1, 2}};

}  // namespace

TEST_CASE("samples and summary as text") {
  CHECK(output_of("text", put_samples) ==
        R"(sample 7  00:00:00.000001  completed  total 2.00ms
  $'/data/a\x0ab'  offset 8192  size 4KiB
       0ns            syscall     enter write         dd/10 cpu 1
    2.00us    2.00us  page cache  dirty
  -- the application waited 38.2us; behind its back ----------------------------
    1.00ms     998us  block       queue bio           kworker/20 cpu 1
                                  size 512KiB
    2.00ms    1.00ms  device      complete            dd/10 cpu 1

LAYER                   COUNT       P50       P90       P99       MAX    SHARE
the application waited:
syscall                     2    1.00us    1.00us    1.00us    1.00us    25.0%
behind the application's back:
device                      1    6.00us    6.00us    6.00us    6.00us    75.0%

3 sampled = 1 completed + 1 not written back + 1 failed with EIO
by tracepoints
lost 2: ring buffer full
)");
}

TEST_CASE("samples and summary as json") {
  std::istringstream lines(output_of("json", put_samples, {.tool = "x", .head = {.host = "db1"}}));
  std::string line;
  REQUIRE(std::getline(lines, line));
  CHECK(
      line ==
      R"({"type":"run","tool":"x","version":null,"host":"db1","kernel":null,"options":null,"command":null,"replay":false,)"
      R"("clock":{"monotonic_ns":0,"realtime_ns":0}})");
  REQUIRE(std::getline(lines, line));
  const auto sample = nlohmann::json::parse(line);
  CHECK(sample["type"] == "sample");
  CHECK(sample["file"] == "/data/a\nb");
  CHECK(sample["hops"][2]["since_last_ns"] == 998'000);
  CHECK(sample["hops"][2]["since_start_ns"] == 1'000'000);
  CHECK(sample["hops"][2]["size_bytes"] == 524'288);
  REQUIRE(std::getline(lines, line));
  CHECK(
      line ==
      R"({"type":"end","reason":"done","rows":1,"lost":{"ring buffer full":2},"way":"tracepoints","layers":[)"
      R"({"layer":"syscall","behind":false,"count":2,"p50_ns":1000,"p90_ns":1000,"p99_ns":1000,"max_ns":1000,"share":0.25},)"
      R"({"layer":"device","behind":true,"count":1,"p50_ns":6000,"p90_ns":6000,"p99_ns":6000,"max_ns":6000,"share":0.75}],)"
      R"("account":{"sampled":3,"completed":1,"pending":1,"truncated":0,"failed":{"EIO":1},"lost":{}}})");
  CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("json has the digits of an integer that a double cannot hold, as a string, too") {
  const auto put = [](Outputs &out) {
    constexpr int64_t kMost = int64_t{1} << 53;
    for (const Value &value :
         {Value(uint64_t{kMost}), Value(uint64_t{kMost + 1}), Value(kMost), Value(-kMost), Value(-kMost - 1)})
      out.put(DecodedRow{Schema(kColumns).subspan(1, 1), Row{value}});
  };
  CHECK(rows_of(output_of("json", put)) ==
        R"({"type":"event","lat_ns":9007199254740992}
{"type":"event","lat_ns":9007199254740993,"lat_ns_digits":"9007199254740993"}
{"type":"event","lat_ns":9007199254740992}
{"type":"event","lat_ns":-9007199254740992}
{"type":"event","lat_ns":-9007199254740993,"lat_ns_digits":"-9007199254740993"}
)");
}

TEST_CASE("rows as text, json and csv") {
  CHECK(output_of("text", put_rows, kRows) == "  LATENCY COMM\n   38.2us $'a,\"b\\xff'\n");
  CHECK(rows_of(output_of("json", put_rows, kRows)) ==
        "{\"type\":\"event\",\"time_ns\":6,\"lat_ns\":38212,\"comm\":\"a,\\\"b\xef\xbf\xbd\",\"comm_bytes\":\"YSwiYv8="
        "\"}\n");
  CHECK(output_of("csv", put_rows, kRows) == "lat_ns,comm\n38212,\"$'a,\"\"b\\xff'\"\n");
}

TEST_CASE("a text that is empty is null in json, where people may read words, unless a program gave it") {
  static constexpr Field kTexts[] = {{.key = "error", .title = "ERROR"},
                                     {.key = "file", .title = "FILE", .may_be_empty = true},
                                     {.key = "disk", .title = "DISK", .if_empty = "(none)"}};
  const auto put = [](Outputs &out) { out.put(DecodedRow{kTexts, Row{std::string(), std::string(), std::string()}}); };
  const RunInfo info = {.columns = kTexts, .shown = {0, 1, 2}};
  CHECK(rows_of(output_of("json", put, info)) == "{\"type\":\"event\",\"error\":null,\"file\":\"\",\"disk\":null}\n");
  CHECK(output_of("csv", put, info) == "error,file,disk\n,,\n");
  CHECK(value_text(kTexts[2], std::string(), {}) == "(none)");
  CHECK(value_text(kTexts[2], {}, {}).empty());
}

TEST_CASE("json has the columns of --columns, as text and csv, or all") {
  RunInfo info = kRows;
  info.shown = {2, 0};
  CHECK(rows_of(output_of("json", put_rows, info)).find("\"lat_ns\"") != std::string::npos);
  info.data = info.shown;
  CHECK(rows_of(output_of("json", put_rows, info)) ==
        "{\"type\":\"event\",\"comm\":\"a,\\\"b\xef\xbf\xbd\",\"comm_bytes\":\"YSwiYv8=\",\"time_ns\":6}\n");
}

TEST_CASE("lines of a program of the probe language, and rows of one that has columns") {
  const auto put = [](Outputs &out) {
    const Printed head = {.text = "PID\n"},
                  map = {.type = &kMapLine, .data = {Datum::Object{{"@"}, {{uint64_t{7}}}}}, .text = "@: 7\n"},
                  row = {.text = "7 a\n",
                         .row = {{"time_ns", "comm", "stack"},
                                 {{uint64_t{1'700'000'000'000'000'001}}, {std::string("a\xff")}, {}}}};
    for (const Printed &one : {head, map, row}) out.put(one);
  };
  CHECK(output_of("text", put) == "PID\n@: 7\n7 a\n");
  CHECK(rows_of(output_of("json", put)) ==
        "{\"type\":\"map\",\"data\":{\"@\":7}}\n"
        "{\"type\":\"event\",\"time_ns\":1700000000000000001,\"comm\":\"a\xef\xbf\xbd\",\"comm_bytes\":\"Yf8=\","
        "\"stack\":null}\n");
}

TEST_CASE("what an error ends has an end in json, and does not say what was lost") {
  const auto put = [](Outputs &out) {
    const Row row = {uint64_t{1}, uint64_t{7}, std::string("dd")};
    out.put(DecodedRow{kColumns, row});
    out.put(Failed());
  };
  CHECK(output_of("json", put, kRows).find(R"({"type":"end","reason":"error","rows":1,"lost":null})") !=
        std::string::npos);
}

TEST_CASE("words and stacks are arrays in json; a remark on words that are missing is none") {
  static constexpr Field kLists[] = {{.key = "args", .title = "ARGS", .unit = Unit::kWords},
                                     {.key = "stack", .title = "STACK", .unit = Unit::kStack},
                                     {.key = "none", .title = "NONE", .unit = Unit::kStack}};
  const auto put = [](Outputs &out) {
    const Row row = {std::string("ls\0a b\0\0... (7 bytes more)", 26), std::string("inner\nouter"), {}};
    out.put(DecodedRow{kLists, row});
  };
  const RunInfo info = {.columns = kLists, .shown = {0}};
  CHECK(rows_of(output_of("json", put, info)) ==
        "{\"type\":\"event\",\"args\":[\"ls\",\"a b\",\"\"],\"stack\":[\"inner\",\"outer\"],\"none\":null}\n");
  CHECK(output_of("csv", put, info) == "args\nls 'a b' '' ... (7 bytes more)\n");
  const auto put_bytes = [](Outputs &out) {
    out.put(DecodedRow{Schema(kLists).first(1), Row{std::string("\xff\0... (more)", 12)}});
  };
  CHECK(rows_of(output_of("json", put_bytes, info)) ==
        "{\"type\":\"event\",\"args\":[\"\xef\xbf\xbd\"],\"args_bytes\":\"/wA=\"}\n");
}

TEST_CASE("a table has its interval in csv, once") {
  static constexpr Field kLine[] = {{.key = "to_ns", .title = "TIME", .unit = Unit::kWallNs}, kColumns[1]};
  const auto put = [](Outputs &out) {
    const Table table = {.columns = kLine, .from_ns = 1, .to_ns = 2, .rows = {{uint64_t{2}, uint64_t{7}}}};
    out.put(table);
  };
  const RunInfo info = {.columns = kLine, .shown = {0, 1}, .lines = true};
  CHECK(output_of("csv", put, info) == "from_ns,to_ns,lat_ns\n1,2,7\n");
  CHECK(rows_of(output_of("json", put, info)) == "{\"type\":\"row\",\"from_ns\":1,\"to_ns\":2,\"lat_ns\":7}\n");
}

TEST_CASE("a csv row keeps its cells when the first is empty") {
  const RunInfo by_comm = {.columns = kColumns, .shown = {2, 1}};
  const auto put = [](Outputs &out) {
    const Row row = {uint64_t{1}, uint64_t{7}, std::string()};
    out.put(DecodedRow{kColumns, row});
  };
  CHECK(output_of("csv", put, by_comm) == "comm,lat_ns\n,7\n");
}

TEST_CASE("a histogram has its keys in columns of csv, and null in json where one tells nothing apart") {
  const auto put = [](Outputs &out) {
    Distribution latency = {.column = &kColumns[1], .keys = {{&kColumns[2], "a\n\"b\x1b"}}, .values = {}};
    latency.values.add(3, 2);
    out.put(latency);
  };
  constexpr Field kKeys[] = {kColumns[1], kColumns[2], kFile};
  const RunInfo info = {.columns = kKeys, .shown = {0, 1}, .distributions = true};
  CHECK(output_of("csv", put, info) ==
        "from_ns,to_ns,of,comm,low,high,count\n0,0,lat_ns,\"$'a\\x0a\"\"b\\x1b'\",3,3,2\n");
  const auto histogram = nlohmann::json::parse(rows_of(output_of("json", put, info)));
  CHECK(histogram["comm"] == "a\n\"b\x1b");
  CHECK(histogram["file"].is_null());
}

TEST_CASE("a timeline is one JSON document, also when it is empty; a sample is a track of the tool") {
  const auto timeline = nlohmann::json::parse(output_of("perfetto", put_samples));
  int slices = 0;
  std::map<uint64_t, double> ends;  // by track, in microseconds
  for (const auto &event : timeline["traceEvents"]) {
    CHECK(event["pid"] == 1);
    if (event["ph"] != "X") continue;
    slices++;
    double &end = ends[event["tid"]];
    CHECK(event["ts"].get<double>() > end - 0.0005);
    end = event["ts"].get<double>() + event["dur"].get<double>();
  }
  CHECK(slices == 3);
  CHECK(timeline["traceEvents"][0]["name"] == "process_name");
  CHECK(timeline["otherData"]["loss"]["ring buffer full"] == 2);
  CHECK(nlohmann::json::parse(output_of("perfetto", [](Outputs &) {}))["traceEvents"].empty());
}

struct Example {
  uint64_t n;
};
constexpr Field kExampleFields[] = {{STORED(Example, n)}};
const RecordType kExample = record_type<Example>("example", kExampleFields);
const RecordType kExampleName = about(About::kAllThatFollows, record_type<Example>("name", kExampleFields));
const RecordType kExampleStack = about(About::kNext, record_type<Example>("stack", kExampleFields));

// Recordings of a run in files of a directory of their own.
class Recordings {
 public:
  explicit Recordings(RecordBounds bounds, const char *name = "rec")
      : file_(std::string(mkdtemp(directory_)) + "/" + name) {
    const OutputRequest request = {.format = "record", .file = file_};
    outputs_.emplace(std::span(&request, 1));
    RunInfo info;
    info.bounds = bounds;
    outputs_->put(info);
  }
  ~Recordings() {
    for (const std::string &file : {file_, file_ + ".1"}) unlink(file.c_str());
    rmdir(directory_);
  }

  void add(const RecordType &type, uint64_t n) { outputs_->record(type, &n); }
  void end() {
    outputs_->put(Losses{});
    outputs_->close(EndReason::kDone);
  }
  Outputs &out() { return *outputs_; }
  [[nodiscard]] const std::string &file() const { return file_; }

 private:
  char directory_[32] = "/tmp/sink_test.XXXXXX";
  std::string file_;
  std::optional<Outputs> outputs_;
};

std::string text_of(const std::string &file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// What is in a recording behind its head.
std::string lines_of(const std::string &file) {
  const std::string text = text_of(file);
  const size_t clocks = text.find("\nclocks");
  return clocks == std::string::npos ? text : text.substr(text.find('\n', clocks + 1) + 1);
}

TEST_CASE("a bounded recording is two files, each with its names and nothing torn apart") {
  constexpr uint64_t kMost = 256 << 10;
  Recordings recordings({.most_bytes = kMost});
  recordings.add(kExampleName, 7);
  constexpr uint64_t kRecords = 30'000;
  for (uint64_t n = 0; n < kRecords; n++) {
    recordings.add(kExampleStack, n + 1'000'000);
    recordings.add(kExample, n + 1'000'000);
    if (n % 100 == 99) recordings.out().flush();
  }
  recordings.end();
  const std::string older = lines_of(recordings.file() + ".1"), newer = lines_of(recordings.file());
  CHECK(text_of(recordings.file() + ".1").size() <= kMost / 2);
  CHECK(text_of(recordings.file()).size() <= kMost / 2);
  CHECK(older.starts_with("name n=7\nstack n="));
  CHECK(newer.starts_with("name n=7\nstack n="));
  CHECK(older.ends_with("\ncontinued\n"));
  CHECK(newer.ends_with("\nexample n=1029999\nend\n"));
  const auto number_behind = [](const std::string &text, size_t at) { return std::stoull(text.substr(at + 2)); };
  const uint64_t last = number_behind(older, older.rfind("n=")), first = number_behind(newer, newer.find("n=", 10));
  CHECK(first == last + 1);
}

TEST_CASE("a recorder writes what it has kept when it is told to, again and again, and nothing before") {
  Recordings recordings({.last_ns = 3'600'000'000'000});
  std::ofstream(recordings.file()) << "old";
  recordings.add(kExampleName, 7);
  recordings.add(kExample, 1);
  recordings.out().flush();
  CHECK(text_of(recordings.file()) == "old");
  recordings.out().put(Kept{.why = "SIGUSR1"});
  recordings.add(kExample, 2);
  recordings.add(kExampleName, 8);
  recordings.add(kExample, 3);
  recordings.out().put(Kept{.why = "--when holds"});
  recordings.add(kExample, 4);
  recordings.end();
  std::istringstream lines(lines_of(recordings.file()));
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("kept ")) line = "kept" + line.substr(line.find(' ', line.find(' ', 5) + 1));
    all += line + "; ";
  }
  CHECK(all == "name n=7; kept 1 SIGUSR1; example n=1; name n=8; kept 2 --when holds; example n=2; example n=3; end; ");
}

TEST_CASE("a recorder that was never told to leaves no file, and one without a condition writes at the end") {
  Recordings never({.last_ns = 1'000'000'000});
  never.add(kExample, 1);
  never.end();
  CHECK(text_of(never.file()).empty());
  Recordings always({.last_ns = 3'600'000'000'000, .at_end = true}, "rec.gz");
  always.add(kExample, 1);
  always.end();
  CHECK(text_of(always.file()).starts_with("\x1f\x8b"));
  Recordings none({.last_ns = 1, .at_end = true});
  none.add(kExample, 1);
  none.end();
  CHECK(lines_of(none.file()).find("example") == std::string::npos);  // longer ago
  Recordings small({.last_ns = 3'600'000'000'000, .most_bytes = 1000, .at_end = true});
  for (uint64_t n = 0; n < 1000; n++) small.add(kExample, n);
  small.end();
  CHECK(lines_of(small.file()).find("example n=999\n") != std::string::npos);
  CHECK(text_of(small.file() + ".1").size() + text_of(small.file()).size() < 2000);
}

TEST_CASE("an old file stays as it is until something is written") {
  char name[] = "/tmp/sink_test.XXXXXX";
  const Fd file(mkstemp(name));
  REQUIRE(write(file.get(), "old", 3) == 3);
  const OutputRequest requests[] = {{.format = "json", .file = name}, {.format = "csv", .file = name}};
  CHECK_THROWS_WITH(Outputs(requests),
                    "two outputs go to the same file, " + std::string(name) + ": name another for one of them");
  Outputs outputs({requests, 1});
  CHECK_THROWS_AS(outputs.refuse(regular_file_id(file.get())), Error);
  CHECK(lseek(file.get(), 0, SEEK_END) == 3);
  outputs.flush();
  CHECK(lseek(file.get(), 0, SEEK_END) == 0);
  unlink(name);
}

TEST_CASE("a symbolic link in a directory of others is not followed") {
  char name[] = "/tmp/sink_test.XXXXXX";
  const Fd file(mkstemp(name));
  const std::string link = std::string(name) + ".link";
  REQUIRE(symlink(name, link.c_str()) == 0);
  const OutputRequest request = {.format = "json", .file = link};
  CHECK_THROWS_AS(Outputs({&request, 1}), Error);
  unlink(link.c_str());
  unlink(name);
}

TEST_CASE("a full disk is kept for the end, with the file's name") {
  const OutputRequest request = {.format = "json", .file = "/dev/full"};
  Outputs outputs({&request, 1});
  put_samples(outputs);
  CHECK(outputs.writable());
  outputs.close(EndReason::kDone);
  CHECK_FALSE(outputs.writable());
  CHECK(outputs.complaints() == std::vector<std::string>{"cannot write /dev/full: No space left on device"});
  CHECK(outputs.complaints().empty());
  CHECK(outputs.failed());
}

}  // namespace strata
