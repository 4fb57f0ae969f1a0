// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The table of formats, and the outputs of a run as one.
#include "render/sink.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "render/bpftrace_json.h"
#include "render/formats.h"

namespace strata {
namespace {

constexpr struct {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<Sink> (*make)(Writer);
  std::string_view endings[2] = {};  // of files; none: any
} kFormats[] = {
    {"text", "for people", make_text_sink},
    {"json", "one JSON object per line, base units, stable keys", make_json_sink},
    {"csv", "comma-separated values with a header, base units", make_csv_sink},
    {"heatmap", "time by value by count: lines as they come, or a FILE.svg or FILE.html", make_heatmap_sink},
    {"folded", "a line for each stack, for flamegraph.pl and others: comm;outermost;...;innermost count",
     make_folded_sink},
    {"flame",
     "a flame graph: FILE.html to look at, with search and zoom; FILE.svg for a document",
     make_flame_sink,
     {".html", ".svg"}},
    {"pprof", "a profile for go tool pprof and speedscope (profile.proto)", make_pprof_sink},
    {"html", "a timeline of all samples as a page to look at, with zoom and filters: FILE.html", make_timeline_sink},
    {"perfetto", "a timeline for ui.perfetto.dev or speedscope (Chrome trace JSON)", make_perfetto_sink},
    {"otlp", "a trace of each sample for an OpenTelemetry collector (OTLP in JSON, a line each)", make_otlp_sink},
    {"openmetrics",
     "counters and histograms since the run began, for Prometheus: FILE.prom has them anew after each interval, 15 s "
     "unless -i says another",
     make_openmetrics_sink},
    {"md", "a report for a pull request or the summary of a job", make_markdown_sink},
    {"junit", "a report for CI systems: a test case for each gate (JUnit XML)", make_junit_sink},
    {"sql", "tables for SQLite, PostgreSQL and others: CREATE TABLE and INSERT, in one transaction", make_sql_sink},
    {"pcapng", "packets for Wireshark and tshark, process and reason as their comments", make_pcapng_sink},
    {"record", "the undecoded records, for strata replay", make_record_sink},
};

const auto &find_format(std::string_view name) {
  const auto *found =
      std::find_if(std::begin(kFormats), std::end(kFormats), [&](const auto &format) { return format.name == name; });
  if (found == std::end(kFormats)) throw usage_error("no such format: '" + printable(name) + "'");
  return *found;
}

std::unique_ptr<Sink> open_sink(const OutputRequest &request) {
  if (request.format == kBpftraceJson) return make_bpftrace_json_sink(Writer(request.file));
  const auto &format = find_format(request.format);
  const auto fits = [&](std::string_view ending) { return request.file.ends_with(ending); };
  if (!request.file.empty() && std::none_of(std::begin(format.endings), std::end(format.endings), fits)) {
    throw usage_error("--output " + request.format + " takes a FILE" + std::string(format.endings[0]) + " or FILE" +
                      std::string(format.endings[1]) + ", not '" + printable(request.file) + "'");
  }
  return format.make(Writer(request.file));
}

}  // namespace

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const auto &format : kFormats) names.push_back(format.name);
  return names;
}

std::string_view describe_format(std::string_view format) { return find_format(format).help; }

Outputs::Outputs(std::span<const OutputRequest> requests) {
  size_t on_stdout = 0;
  for (const OutputRequest &request : requests) {
    if (!request.file.empty()) continue;
    if (++on_stdout > 1) throw usage_error("only one output can go to standard output: name a FILE for the others");
    text_on_stdout_ = request.format == "text" || request.format == "heatmap";
  }
  for (const OutputRequest &request : requests) {
    std::unique_ptr<Sink> opened = open_sink(request);
    const Writer &writer = opened->writer();
    for (const auto &sink : sinks_) {
      if (!writer.regular_file() || sink->writer().regular_file() != writer.regular_file()) continue;
      throw usage_error("two outputs go to the same file, " + printable(writer.name()) +
                        ": name another for one of them");
    }
    sinks_.push_back(std::move(opened));
    if (sinks_.back()->wants_records()) recorders_.push_back(sinks_.back().get());
  }
}

void Outputs::only(std::unique_ptr<Sink> sink) {
  sinks_.clear();
  recorders_.clear();
  text_on_stdout_ = false;
  sinks_.push_back(std::move(sink));
}

void Outputs::put_stacks(const Table &table) {
  for (const auto &sink : sinks_)
    if (sink->wants_stacks()) sink->put(table);
}

void Outputs::close(EndReason reason) {
  put(End{.reason = reason});
  for (const auto &sink : sinks_) sink->writer().close();
}

void Outputs::flush() {
  for (const auto &sink : sinks_) sink->flush();
}

uint64_t Outputs::interval_ns() const {
  uint64_t shortest = 0;
  for (const auto &sink : sinks_)
    if (const uint64_t one = sink->interval_ns(); one != 0 && (shortest == 0 || one < shortest)) shortest = one;
  return shortest;
}

bool Outputs::replaces_file() const {
  return std::any_of(sinks_.begin(), sinks_.end(), [](const auto &sink) { return sink->replaces_file(); });
}

bool Outputs::wants_stacks() const {
  return std::any_of(sinks_.begin(), sinks_.end(), [](const auto &sink) { return sink->wants_stacks(); });
}

bool Outputs::wants_headers() const {
  return std::any_of(sinks_.begin(), sinks_.end(), [](const auto &sink) { return sink->wants_headers(); });
}

std::vector<std::string> Outputs::recordings() const {
  std::vector<std::string> files;
  for (Sink *sink : recorders_)
    if (sink->writer().regular_file() && !sink->writer().on_stdout()) files.push_back(sink->writer().name());
  return files;
}

bool Outputs::writable() const {
  return std::any_of(sinks_.begin(), sinks_.end(), [](const auto &sink) { return sink->writer().error() == 0; });
}

std::vector<std::string> Outputs::complaints() {
  std::vector<std::string> sentences;
  for (const auto &sink : sinks_) {
    const Writer &writer = sink->writer();
    const bool told = std::find(told_.begin(), told_.end(), sink.get()) != told_.end();
    if (writer.error() == 0 || writer.error() == EPIPE || told) continue;
    told_.push_back(sink.get());
    if (writer.error() == ETIMEDOUT) {
      sentences.push_back("the end of " + printable(writer.name()) + " is lost: nobody reads it");
    } else {
      sentences.emplace_back(system_error("cannot write " + printable(writer.name()), writer.error()).what());
      failed_ = true;
    }
  }
  return sentences;
}

bool Outputs::on_stdout() const {
  return std::any_of(sinks_.begin(), sinks_.end(), [](const auto &sink) { return sink->writer().on_stdout(); });
}

void Outputs::close_stdout() {
  for (const auto &sink : sinks_)
    if (sink->writer().on_stdout()) sink->writer().fail(EPIPE);
}

void Outputs::refuse(const std::optional<FileId> &input) const {
  for (const auto &sink : sinks_) {
    if (!input || sink->writer().regular_file() != input) continue;
    throw usage_error("the recording is also the output " + printable(sink->writer().name()) + ": name another file");
  }
}

}  // namespace strata
