// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Writes heat maps, flame graphs and timelines of known contents as pages and pictures into the folder that it is
// given, for tests/lib/browser/check; a timeline as JSON, too.
#include <cstdio>
#include <string>
#include <vector>

#include "follow/collector.h"
#include "render/sink.h"

namespace strata {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr Field kLat = {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs};
constexpr Field kSize = {.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes};
constexpr Field kDisk = {.key = "disk", .title = "DISK"};
constexpr Field kOperation = {.key = "operation", .title = "OPERATION"};

// One heat map in both forms.
class Page {
 public:
  explicit Page(const std::string &file, std::string program = "strata biolatency")
      : requests_{{.format = "heatmap", .file = file + ".html"}, {.format = "heatmap", .file = file + ".svg"}},
        outputs_(requests_) {
    const RunInfo info = {
        .head = {.program = std::move(program), .clocks = {.monotonic_ns = 0, .realtime_ns = 1'700'000'000 * kSecond}},
        .distributions = true};
    outputs_.put(info);
  }

  void add(uint64_t second, const Field &column, std::vector<NamedValue> keys,
           const std::vector<std::pair<uint64_t, uint64_t>> &values) {
    Distribution one = {.column = &column,
                        .keys = std::move(keys),
                        .from_ns = second * kSecond,
                        .to_ns = (second + 1) * kSecond,
                        .values = {}};
    for (const auto &[value, count] : values) one.values.add(Histogram::slot_high(Histogram::slot_of(value)), count);
    outputs_.put(one);
  }

  void interval(uint64_t second) {
    outputs_.put(Interval{.from_ns = second * kSecond, .to_ns = (second + 1) * kSecond});
  }

  void end(std::vector<Loss> losses = {}) {
    outputs_.put(Losses{losses});
    outputs_.close(EndReason::kDone);
    if (!outputs_.complaints().empty()) abort();
  }

 private:
  std::vector<OutputRequest> requests_;
  Outputs outputs_;
};

// Five cells: what check says of them is counted by hand.
void known(const std::string &folder) {
  Page page(folder + "/known");
  page.add(0, kLat, {}, {{4'096, 7}, {1'000'000, 2}});
  page.interval(0);
  page.interval(1);
  page.add(2, kLat, {}, {{100, 11}, {4'100, 1}, {70'000, 13}});
  page.interval(2);
  page.end();
}

// What a page is for: two disks, one of which has a second peak for a while.
void busy(const std::string &folder) {
  Page page(folder + "/busy");
  uint32_t random = 1;
  const auto next = [&](uint32_t below) { return (random = random * 1'664'525 + 1'013'904'223) / 65'536 % below; };
  for (uint64_t second = 0; second < 120; second++) {
    for (const char *disk : {"nvme0n1", "sda"}) {
      const uint64_t base_ns = disk[0] == 'n' ? 90'000 : 4'000'000;
      const bool slow = second > 40 && second < 70;
      std::vector<std::pair<uint64_t, uint64_t>> values;
      for (int i = 0; i < 90; i++) {
        const uint64_t ns = base_ns * (600 + next(400) + next(400) + next(i % 9 == 0 ? 9000 : 300)) / 1000;
        values.emplace_back(slow && i % 3 == 0 ? ns * 40 : ns, 1 + next(6));
      }
      page.add(second, kLat, {{&kDisk, std::string(disk)}, {&kOperation, std::string("read")}}, values);
    }
    page.interval(second);
  }
  page.end({{.reason = "table of latencies full", .count = 12}});
}

// Resolver are what any process on the machine wanted them to be.
void hostile(const std::string &folder) {
  const std::string script = "</script><script>document.title='broken'</script>";
  Page page(folder + "/hostile", "strata <img src=x onerror=\"document.title='broken'\">");
  page.add(0, kSize, {{&kDisk, script}}, {{4096, 3}});
  page.add(0, kSize, {{&kDisk, std::string("\"'&lt;<!--]]>\x1b[31m\xff\xe2\x80\xae\xef\xbf\xbf\n")}}, {{1, 5}});
  page.add(0, kSize, {{&kDisk, std::string(300, 'w')}}, {{65'536, 7}});
  page.interval(0);
  page.end({{.reason = script, .count = 1}});
}

void extremes(const std::string &folder) {
  Page page(folder + "/extremes");
  page.add(0, kSize, {}, {{0, 1}, {1, 20'000'000'000}, {UINT64_MAX, 1}});
  page.interval(0);
  page.end();
  Page many(folder + "/many");
  for (uint64_t i = 0; i < 30; i++) many.add(0, kLat, {{&kDisk, i}}, {{1000, i + 1}});
  many.interval(0);
  many.end();
  Page line(folder + "/long");
  for (uint64_t second = 0; second < 10'000; second++) {
    if (second % 3 == 0) line.add(second, kLat, {}, {{1000 + second, 1}});
    line.interval(second);
  }
  line.end();
}

void empty(const std::string &folder) {
  Page nothing(folder + "/empty");
  nothing.end();
  Page quiet(folder + "/quiet");
  for (uint64_t second = 0; second < 5; second++) {
    quiet.add(second, kLat, {}, {});
    quiet.interval(second);
  }
  quiet.end();
}

// Stacks, of which each row has the innermost function first.
constexpr Field kProfile[] = {
    {.key = "samples", .title = "SAMPLES"},
    {.key = "comm", .title = "COMM"},
    {.key = "stack", .title = "STACK", .unit = Unit::kStack},
};
constexpr Field kBlocked[] = {
    {.key = "off_ns", .title = "OFF-CPU", .unit = Unit::kNs},
    {.key = "comm", .title = "COMM"},
    {.key = "stack", .title = "STACK", .unit = Unit::kStack},
};

struct StackRow {
  uint64_t weight;
  std::string comm, stack;
};

void flame(const std::string &file, const std::vector<StackRow> &stacks, std::vector<Loss> losses = {},
           Schema columns = kProfile, const std::string &program = "strata profile") {
  const OutputRequest requests[] = {{.format = "flame", .file = file + ".html"},
                                    {.format = "flame", .file = file + ".svg"}};
  Outputs outputs(requests);
  const RunInfo info = {
      .head = {.program = program, .clocks = {.monotonic_ns = 0, .realtime_ns = 1'700'000'000 * kSecond}},
      .columns = columns,
      .tables = true};
  outputs.put(info);
  Table table = {.columns = columns, .from_ns = 0, .to_ns = 10 * kSecond, .rows = {}, .weight = 0};
  for (const auto &[weight, comm, stack] : stacks) table.rows.push_back({weight, comm, stack});
  outputs.put(table);
  outputs.put(Losses{losses});
  outputs.close(EndReason::kDone);
  if (!outputs.complaints().empty()) abort();
}

// Sums that check knows: work is called from two places and calls itself.
void stacks(const std::string &folder) {
  flame(folder + "/stacks",
        {{60, "server", "crc64\nwork\nmain\n_start"},
         {20, "server", "work\nwork\nmain\n_start"},
         {9, "server", "vfs_read_[k]\nread\nwork\nlisten\nmain\n_start"},
         {7, "io", "libc.so.6:fn@0x64e00\nwork\n_start"},
         {3, "io", "[truncated: too deep]"},
         {1, "other", ""}},
        {{.reason = "stacks cut short: too deep", .count = 3}});
  flame(folder + "/blocked",
        {{3'000'000'000, "server", "schedule_[k]\nread\nmain"}, {1'500'000, "io", "schedule_[k]\nmain"}}, {}, kBlocked,
        "strata offcputime");
  flame(folder + "/no-stacks", {});
}

// Samples with their times, of which a range opens as a flame graph: 40 at once, 9 at the end of the second, 5 and 2 in
// the next one.
void timed(const std::string &folder) {
  constexpr Field kTimed[] = {
      kProfile[0], {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs}, kProfile[1], kProfile[2]};
  const OutputRequest requests[] = {{.format = "heatmap", .file = folder + "/timed.html"}};
  Outputs outputs(requests);
  const RunInfo info = {
      .head = {.program = "strata profile", .clocks = {.monotonic_ns = 0, .realtime_ns = 1'700'000'000 * kSecond}},
      .columns = kTimed,
      .tables = true};
  outputs.put(info);
  Table table = {.columns = kTimed, .from_ns = 0, .to_ns = 3 * kSecond, .rows = {}, .weight = 0};
  const auto add = [&](uint64_t weight, uint64_t part, const std::string &stack) {
    table.rows.push_back({weight, part * kSecond / 32, std::string("worker"), stack});
  };
  add(40, 3, "start\nmain");
  add(9, 31, "work\nmain");
  add(5, 32, "work\nmain");
  add(2, 32, "wait\nmain");
  add(1, 95, "stop\nmain");
  outputs.put(table);
  outputs.put(Losses{});
  outputs.close(EndReason::kDone);
  if (!outputs.complaints().empty()) abort();
}

// What is halved, what is new, what is gone and what keeps its share, of 100 before and 200 after.
void compared(const std::string &folder) {
  StackTree tree;
  const auto add = [&](std::vector<std::string_view> frames, uint64_t before, uint64_t after) {
    tree.add(frames, before, 0);
    tree.add(frames, after, 1);
  };
  add({"main", "halved"}, 40, 40);
  add({"main", "new"}, 0, 60);
  add({"main", "gone"}, 10, 0);
  add({"main", "same"}, 50, 100);
  const OutputRequest requests[] = {{.format = "flame", .file = folder + "/compared.html"},
                                    {.format = "flame", .file = folder + "/compared.svg"}};
  Outputs outputs(requests);
  const RunInfo info = {.head = {.program = "strata diff", .clocks = {}}};
  outputs.put(info);
  const StackComparison comparison = {
      .tree = tree, .weight = kProfile[0], .threads = false, .scale = 2, .notes = {"before: a", "after: b"}};
  outputs.put(comparison);
  outputs.close(EndReason::kDone);
  if (!outputs.complaints().empty()) abort();
}

void hostile_stacks(const std::string &folder) {
  const std::string script = "</script><script>document.title='broken'</script>";
  flame(folder + "/hostile-stacks",
        {{5, "<img src=x onerror=\"document.title='broken'\">",
          script + "\n\x1b[31m\xff\xe2\x80\xae\xef\xbf\xbf\n" + std::string(300, 'w')},
         {3, "]]>&lt;", "__proto__\nconstructor\n/(a+)+$/"}},
        {{.reason = script, .count = 1}}, kProfile, "strata <img src=x onerror=\"document.title='broken'\">");
}

// As many stacks and functions as a busy host has in a long run; a function calls one of twelve others.
void many_stacks(const std::string &folder) {
  uint32_t random = 1;
  const auto next = [&](uint32_t below) { return (random = random * 1'664'525 + 1'013'904'223) / 65'536 % below; };
  std::vector<StackRow> stacks;
  for (int i = 0; i < 100'000; i++) {
    StackRow row = {.weight = 1 + next(9), .comm = "worker-" + std::to_string(next(40)), .stack = {}};
    uint32_t function = 0;
    for (uint32_t depth = 0, most = 16 + next(16); depth < most; depth++) {
      function = (function * 31 + 17 + next(12)) % 9000;
      row.stack = "function_" + std::to_string(function) + (depth > 20 ? "_[k]\n" : "\n") + row.stack;
    }
    stacks.push_back(std::move(row));
  }
  flame(folder + "/many-stacks", stacks);
}

// Followed writes, of which the collector makes the summary, as in a run.
constexpr Field kFile = {.key = "file", .title = "FILE"};
constexpr Field kOffset = {.key = "offset_bytes", .title = "OFFSET", .unit = Unit::kOffset};
constexpr Field kBytes = {.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes};
constexpr Field kMode = {.key = "io_mode", .title = ""};
constexpr Field kComm = {.key = "comm", .title = "BY"};
constexpr Field kTgid = {.key = "tgid", .title = "PID"};
constexpr Field kInode = {.key = "inode", .title = "INODE", .hidden = true};
constexpr Field kCause = {.key = "cause", .title = "FOR"};
constexpr Field kSector = {.key = "sector", .title = "SECTOR", .unit = Unit::kSector};

constexpr Outcome kPending = {.key = "pending", .name = "not written back"};
constexpr const Outcome *kOutcomes[] = {&kCompleted, &kPending, &kFailed, &kLost};
constexpr std::string_view kDown[] = {"syscall", "file system", "page cache", "block", "device", "fsync"};
std::string_view spent_in(const Hop &hop) { return hop.layer == "fsync" && hop.name == "enter" ? kDown[2] : hop.layer; }
constexpr Procedure kWrites = {.outcomes = kOutcomes, .layers = kDown, .attributed_layer = spent_in};

class Timeline {
 public:
  explicit Timeline(const std::string &file, const Thresholds &thresholds = {}, std::string program = "strata follow")
      : requests_{{.format = "html", .file = file + ".html"}, {.format = "json", .file = file + ".json"}},
        outputs_(requests_),
        collector_(
            kWrites, [this](const Sample &sample) { outputs_.put(sample); }, thresholds) {
    const RunInfo info = {.tool = "follow",
                          .head = {.program = std::move(program),
                                   .host = "db1",
                                   .kernel = "6.12.48",
                                   .options = {"--sample", "1/100"},
                                   .has_options = true,
                                   .clocks = {.monotonic_ns = kSecond, .realtime_ns = 1'700'000'000 * kSecond}}};
    outputs_.put(info);
  }

  // Begins a sample; then its hops, each some time after the one before.
  void start(uint64_t start_ns, std::vector<NamedValue> fields, const std::string &comm = "postgres") {
    sample_ = {.id = ++id_, .reason = "", .start_ns = kSecond + start_ns, .fields = std::move(fields), .hops = {}};
    comm_ = comm;
    hop("syscall", "enter", 0);
  }
  void hop(std::string_view layer, const char *name, uint64_t after_ns, std::vector<NamedValue> fields = {}) {
    const uint64_t before_ns = sample_.hops.empty() ? sample_.start_ns : sample_.hops.back().ts_ns;
    const bool device = layer == "device";
    sample_.hops.push_back({.layer = layer,
                            .name = name,
                            .ts_ns = before_ns + after_ns,
                            .cpu = device ? 3U : 1U,
                            .tid = device ? 0U : 4242U,
                            .comm = device ? "swapper/3" : comm_,
                            .fields = std::move(fields)});
  }
  void leave(uint64_t after_ns) {
    hop("syscall", "leave", after_ns);
    left_ns_ = sample_.hops.back().ts_ns;
  }
  void finish(const Outcome &outcome = kCompleted, const std::string &reason = "") {
    collector_.finish(sample_, outcome, reason, left_ns_);
  }

  void end(std::vector<Loss> losses = {}) {
    outputs_.put(Losses{losses});
    const Summary summary = {.attach_mode = "functions: from the file system to the end of writeback",
                             .layers = collector_.layers(),
                             .rest = collector_.rest(),
                             .account = collector_.account()};
    outputs_.put(summary);
    outputs_.close(EndReason::kDone);
    if (!outputs_.complaints().empty()) abort();
  }

 private:
  std::vector<OutputRequest> requests_;
  Outputs outputs_;
  Collector collector_;
  Sample sample_;
  std::string comm_;
  uint64_t id_ = 0, left_ns_ = 0;
};

std::vector<NamedValue> written(const std::string &file, uint64_t block, const char *mode, const std::string &comm,
                                uint64_t tgid) {
  return {{&kFile, file}, {&kOffset, block * 8192}, {&kBytes, uint64_t{8192}}, {&kMode, std::string(mode)},
          {&kComm, comm}, {&kTgid, tgid},           {&kInode, uint64_t{12}}};
}

// A database: writes to its log are synchronous, those to its tables lie dirty for up to 30 seconds.
void database(const std::string &file, uint64_t samples, uint64_t device_ns, const Thresholds &thresholds = {}) {
  uint32_t random = 1;
  const auto next = [&](uint32_t below) { return (random = random * 1'664'525 + 1'013'904'223) / 65'536 % below; };
  Timeline page(file, thresholds);
  for (uint64_t i = 0; i < samples; i++) {
    const bool log = next(3) != 0;
    const uint64_t tgid = 800 + next(5);
    const std::string comm = log ? "postgres" : "checkpointer";
    const std::string path = log ? "/var/lib/postgresql/16/pg_wal/00000001000000A" + std::to_string(next(4))
                                 : "/var/lib/postgresql/16/base/16384/" + std::to_string(16400 + next(9));
    page.start(i * 60 * kSecond / samples + next(1000),
               written(path, next(100'000), log ? "sync" : "buffered", comm, tgid), comm);
    page.hop("page cache", "dirty", 900 + next(2000));
    if (!log) page.leave(400 + next(900));
    const uint64_t dirty_ns = log ? 1500 + next(4000) : kSecond / 2 + uint64_t{next(29'000)} * 1'000'000;
    page.hop("page cache", "queue bio", dirty_ns, {{&kCause, std::string(log ? "writer" : "periodic")}});
    page.hop("block", "get request", 600 + next(900));
    page.hop("block", "insert", 300 + next(500));
    page.hop("block", "issue", 1000 + next(i % 40 == 0 ? 60'000 : 5000), {{&kSector, uint64_t{next(65'000)} * 8}});
    page.hop("device", "complete", device_ns * (600 + next(400) + next(i % 17 == 0 ? 20'000 : 500)) / 1000);
    page.hop("page cache", "end writeback", 2000 + next(3000));
    if (log) page.leave(3000 + next(4000));
    if (i % 97 == 96) {
      page.finish(kFailed, "EIO");
    } else if (!log && i % 41 == 0) {
      page.finish(kPending);
    } else {
      page.finish();
    }
  }
  page.end({{.reason = "ring buffer full", .count = 12}});
}

// Three samples that check knows: one waits 30 seconds, one is synchronous, one failed.
void timelines(const std::string &folder) {
  Timeline page(folder + "/three");
  page.start(1000, written("/data/table", 0, "buffered", "writer", 100), "writer");
  page.hop("page cache", "dirty", 3000);
  page.leave(2000);
  page.hop("page cache", "queue bio", 30 * kSecond, {{&kCause, std::string("periodic")}});
  page.hop("block", "issue", 7000);
  page.hop("device", "complete", 100'000);
  page.finish();
  page.start(2'000'000, written("/data/log", 1, "sync", "writer", 100), "writer");
  page.hop("page cache", "dirty", 2000);
  page.hop("page cache", "queue bio", 1000);
  page.hop("block", "issue", 5000);
  page.hop("device", "complete", 90'000);
  page.leave(2000);
  page.finish();
  page.start(3'000'000, written("/data/log", 2, "sync", "other", 200), "other");
  page.leave(700);
  page.finish(kFailed, "ENOSPC");
  page.end();
  database(folder + "/database", 400, 90'000);
  database(folder + "/slower", 400, 400'000);
  database(folder + "/threshold", 400, 90'000, {.seen_ns = 0, .total_ns = kSecond});
  database(folder + "/ten-thousand", 10'000, 90'000);
  Timeline nothing(folder + "/no-samples");
  nothing.end();
}

void hostile_timeline(const std::string &folder) {
  const std::string script = "</script><script>document.title='broken'</script>";
  Timeline page(folder + "/hostile-timeline", {}, "strata <img src=x onerror=\"document.title='broken'\">");
  page.start(1000, written(script, 0, "sync", "__proto__", 1), "constructor");
  page.leave(100);
  page.finish(kFailed, script);
  page.start(2000, written("\xe2\x80\xa8\xe2\x80\xae\x1b[31m\xff\n<!--" + std::string(300, 'w'), 0, "sync", script, 1),
             script);
  page.hop("page cache", "queue bio", 1000, {{&kCause, script}});
  page.leave(UINT32_MAX);
  page.finish();
  page.end({{.reason = script, .count = 1}});
}

}  // namespace
}  // namespace strata

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  for (const auto make :
       {strata::known, strata::busy, strata::hostile, strata::extremes, strata::empty, strata::stacks, strata::timed,
        strata::compared, strata::hostile_stacks, strata::many_stacks, strata::timelines, strata::hostile_timeline})
    make(argv[1]);
  return 0;
}
