// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/bcc_functions.h"

namespace strata::expr {
namespace {

std::string call_of(const char *function, const std::string &map) { return std::string(function) + "(" + map + "); "; }

BccLine line_of(const BccPlace &place, const FuncslowerOptions &options) {
  const std::string unit = options.microseconds ? "1000" : "1000000", hundredth = options.microseconds ? "10" : "10000";
  BccLine line;
  if (options.time) {
    line.add("%-10s ", "strftime(\"%H:%M:%S\", nsecs)");
  } else if (options.elapsed) {
    line.add("%3d.", "elapsed / 1000000000");
    line.add("%06d ", "elapsed % 1000000000 / 1000");
  }
  line.add("%-15.15s ", "comm", "comm");
  line.add("%-7d ", "pid", "tgid");
  line.add("%4d.", "$took / " + unit);  // seven cells with the hundredths, as the title has
  line.add("%02d ", "$took % " + unit + " / " + hundredth);
  line.add("%16llx ", place.result(), "return_value");
  line.add_owners(options.owners);
  line.add("%s", place.function(), "function");
  for (size_t n = 0; n < options.arguments; n++) line.add(" 0x%llx", "$kept" + std::to_string(n), "arguments[]");
  line.add_stacks(options.kernel_stack, options.user_stack);
  line.data = {{"time_ns", "nsecs"}, {"tid", "tid"}, {"lat_ns", "$took"}};
  return line;
}

}  // namespace

// The last interval only ends the run, as what was counted is shown then anyway. Half of one is for a late timer.
std::string output_probes(const BccOutput &output, const std::vector<BccMap> &shown,
                          const std::vector<std::string> &hidden) {
  const std::string time = output.time ? "time(\"%H:%M:%S\\n\"); " : "";
  std::string print = time, clear, end = time;
  for (const BccMap &map : shown) {
    if (!map.beside) print += call_of("print", map.name);
    if (!output.cumulative) clear += call_of("clear", map.name);
  }
  for (const std::string &map : hidden) end += call_of("clear", map);
  std::string text;
  if (output.interval_ns != 0) {
    text += "interval:us:" + std::to_string(output.interval_ns / 1000) + " { ";
    uint64_t last_ns = 0;
    if (output.count != 0 && !__builtin_mul_overflow(output.interval_ns, output.count, &last_ns)) {
      last_ns -= output.interval_ns / 2;
      text += "if (elapsed >= " + std::to_string(last_ns) + ") { exit(); return; } ";
    }
    text += print + clear + "}\n";
  }
  return end.empty() ? text : text + "end { " + end + "}\n";
}

std::string BccHistogram::count(const std::string &value, const std::string &key) const {
  std::string text = hist() + key + " = hist(" + value + ", 4); ";
  text += stats() + key + " = stats(" + value + "); ";
  return text + max() + key + " = max(" + value + "); ";
}

std::vector<BccMap> BccHistogram::maps() const { return {{hist()}, {stats(), true}, {max(), true}}; }

std::string BccCall::push() const {
  const std::string who = several ? "tid, func" : "tid";
  std::string text =
      "$depth = @depth" + suffix + "[" + who + "]; @entered" + suffix + "[" + who + ", $depth] = nsecs; ";
  for (size_t i = 0; i < kept.size(); i++)
    text += "@entry" + std::to_string(i) + suffix + "[" + who + ", $depth] = " + kept[i] + "; ";
  return text + "@depth" + suffix + "[" + who + "] = $depth + 1; ";
}

std::string BccCall::was_pushed() const { return "@depth" + suffix + (several ? "[tid, func]" : "[tid]"); }

std::string BccCall::pop() const {
  const std::string who = several ? "tid, func" : "tid", depth = "@depth" + suffix + "[" + who + "]";
  const std::string key = "[" + who + ", $depth]", entered = "@entered" + suffix + key;
  std::string text = "$depth = " + depth + " - 1; $took = nsecs - " + entered + "; delete(" + entered + "); ";
  for (size_t i = 0; i < kept.size(); i++) {
    const std::string number = std::to_string(i), entry = "@entry" + number + suffix + key;
    text += "$kept" + number + " = " + entry + "; delete(" + entry + "); ";
  }
  return text + "if ($depth == 0) { delete(" + depth + "); } else { " + depth + " = $depth; } ";
}

std::vector<std::string> BccCall::maps() const {
  std::vector<std::string> all = {"@depth" + suffix, "@entered" + suffix};
  for (size_t i = 0; i < kept.size(); i++) all.push_back("@entry" + std::to_string(i) + suffix);
  return all;
}

std::string funccount_program(const Source &pattern, bool regular, const std::vector<uint32_t> &cpus,
                              const BccOutput &output) {
  const BccPlace place = bcc_place(pattern, regular ? BccNaming::kRegular : BccNaming::kName);
  if (place.type == 'r') throw pattern.error(place.at, "calls are counted where functions begin: p::FUNCTION");
  std::string condition;
  for (const uint32_t cpu : cpus) condition += (condition.empty() ? "" : " || ") + ("cpu == " + std::to_string(cpu));
  if (cpus.size() > 1) condition = "(" + condition + ")";
  return place.entry() + " " + place.predicate(condition) + "{ @[" + place.function() + "] = count(); }\n" +
         output_probes(output, {{"@"}});
}

BccHistogram funclatency_histogram(const FunclatencyOptions &options) {
  return {.name = "call_ns", .keyed = options.by_function};
}

std::string funclatency_program(const Source &pattern, const FunclatencyOptions &options) {
  const BccPlace place = bcc_place(pattern, options.regular ? BccNaming::kRegular : BccNaming::kName);
  if (place.type != 'p') throw pattern.error(place.at, "only functions take time: vfs_read, c:malloc");
  const BccCall call = {.several = place.is_pattern()};
  const BccHistogram histogram = funclatency_histogram(options);
  const std::string key = options.by_function ? "[" + place.function() + "]" : "";
  return place.entry() + " " + place.predicate() + "{ " + call.push() + "}\n" + place.exit() + " " +
         place.predicate(call.was_pushed()) + "{ " + call.pop() + histogram.count("$took", key) + "}\n" +
         output_probes(options.output, histogram.maps(), call.maps());
}

std::string funcslower_program(std::span<const std::string> functions, const FuncslowerOptions &options) {
  const std::string header = std::string(options.time || options.elapsed ? "TIME       " : "") +
                             "COMM            PID     LAT(" + (options.microseconds ? "us" : "ms") +
                             ")             RVAL " + titles_of(options.owners) + "FUNC" +
                             (options.arguments != 0 ? " ARGS" : "");
  std::string text = "begin { print(\"" + header + "\"); }\n";
  std::vector<std::string> hidden;
  for (const std::string &function : functions) {
    const Source source("FUNCTION", function);
    const BccPlace place = bcc_place(source);
    if (place.type != 'p') throw source.error(place.at, "only functions take time: vfs_read, c:malloc");
    BccCall call = {.suffix = "_" + std::to_string(&function - functions.data()), .several = place.is_pattern()};
    for (size_t n = 0; n < options.arguments; n++) call.kept.push_back(place.argument(n));
    text += place.entry() + " " + place.predicate() + "{ " + call.push() + "}\n" + place.exit() + " " +
            place.predicate(call.was_pushed()) + "{ " + call.pop() + "if ($took >= " + std::to_string(options.min_ns) +
            ") { " + line_of(place, options).statement(options.rows) + "} }\n";
    for (const std::string &map : call.maps()) hidden.push_back(map);
  }
  return text + output_probes({}, {}, hidden);
}

}  // namespace strata::expr
