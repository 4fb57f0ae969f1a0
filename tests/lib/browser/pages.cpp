// Writes heat maps and flame graphs of known contents as pages and pictures into the folder that it is given, for
// tests/lib/browser/check.
#include <cstdio>
#include <string>
#include <vector>

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
    outputs_.close("done");
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
  outputs.close("done");
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
  outputs.close("done");
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

}  // namespace
}  // namespace strata

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  for (const auto make : {strata::known, strata::busy, strata::hostile, strata::extremes, strata::empty, strata::stacks,
                          strata::compared, strata::hostile_stacks, strata::many_stacks})
    make(argv[1]);
  return 0;
}
