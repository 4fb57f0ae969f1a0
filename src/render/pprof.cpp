// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Stacks as a profile of pprof: profile.proto of github.com/google/pprof, compressed, which go tool pprof and
// speedscope read.
#include <map>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/gzip.h"
#include "base/text.h"
#include "render/formats.h"
#include "render/stack_rows.h"
#include "render/value.h"

namespace strata {
namespace {

using protozero::pbf_writer;

namespace profile {
enum : uint32_t {
  kSampleType = 1,
  kSample,
  kLocation = 4,
  kFunction,
  kString,
  kTime = 9,
  kDuration,
  kPeriodType,
  kPeriod
};
enum : uint32_t { kTypeName = 1, kTypeUnit };
enum : uint32_t { kSampleLocations = 1, kSampleValues, kSampleLabel };
enum : uint32_t { kLabelKey = 1, kLabelText, kLabelNumber };
enum : uint32_t { kLocationId = 1, kLocationLine = 4 };
enum : uint32_t { kLineFunction = 1, kLineNumber };
enum : uint32_t { kFunctionId = 1, kFunctionName, kFunctionFile = 4 };
}  // namespace profile

// "qsort (msort.c:132)_[i]" in its parts, of which the name is "qsort_[i]".
struct Place {
  std::string function, file = "";
  uint64_t line = 0;
};

Place place_of(std::string_view frame) {
  const std::string_view mark = frame.ends_with("_[i]") ? "_[i]" : "";
  const std::string_view text = frame.substr(0, frame.size() - mark.size());
  const size_t from = text.rfind(" ("), colon = text.rfind(':');
  uint64_t line = 0;
  if (from == std::string_view::npos || colon == std::string_view::npos || colon < from || !text.ends_with(')') ||
      !parse_number(text.substr(colon + 1, text.size() - colon - 2), line))
    return {.function = std::string(frame)};
  return {.function = std::string(text.substr(0, from)) += mark,
          .file = std::string(text.substr(from + 2, colon - from - 2)),
          .line = line};
}

class PprofSink : public Sink {
 public:
  explicit PprofSink(Writer writer) : Sink(std::move(writer)) { string(""); }

  void put(const Item &item) override { dispatch(*this, item); }
  [[nodiscard]] bool wants_stacks() const override { return true; }

  void on(const RunInfo &info) {
    clocks_ = info.head.clocks;
    sample_ns_ = info.sample_ns;
  }
  void on(const Table &table);
  void on(const End &);

 private:
  uint64_t string(const std::string &text);
  uint64_t function(const Place &place);
  uint64_t location(const std::string &frame);
  void put_type(uint32_t field, const std::string &name, const std::string &unit);
  void put_label(pbf_writer &sample, const Field &column, const Value &value);
  void put_types(const Field &weight);

  Clocks clocks_;
  uint64_t sample_ns_ = 0;
  uint64_t from_ns_ = 0, to_ns_ = 0;
  const Field *weight_ = nullptr;
  std::map<std::string, uint64_t> strings_, locations_;
  std::map<std::pair<std::string, std::string>, uint64_t> functions_;  // by name and file
  std::vector<const std::string *> in_order_;                          // the strings
  std::string bytes_;
  pbf_writer profile_{bytes_};
};

uint64_t PprofSink::string(const std::string &text) {
  const auto [at, is_new] = strings_.try_emplace(text, in_order_.size());
  if (is_new) in_order_.push_back(&at->first);
  return at->second;
}

uint64_t PprofSink::function(const Place &place) {
  const auto [at, is_new] = functions_.try_emplace({place.function, place.file}, functions_.size() + 1);
  const uint64_t id = at->second;
  if (!is_new) return id;
  pbf_writer named(profile_, profile::kFunction);
  named.add_uint64(profile::kFunctionId, id);
  named.add_uint64(profile::kFunctionName, string(place.function));
  if (!place.file.empty()) named.add_uint64(profile::kFunctionFile, string(place.file));
  return id;
}

// A line of a function: no addresses are known. Rejected: inlined functions as parts of their caller's location, of
// which speedscope shows the caller alone.
uint64_t PprofSink::location(const std::string &frame) {
  const auto [at, is_new] = locations_.try_emplace(frame, locations_.size() + 1);
  const uint64_t id = at->second;
  if (!is_new) return id;
  const Place place = place_of(frame);
  const uint64_t of_line = function(place);
  pbf_writer location(profile_, profile::kLocation);
  location.add_uint64(profile::kLocationId, id);
  pbf_writer line(location, profile::kLocationLine);
  line.add_uint64(profile::kLineFunction, of_line);
  if (place.line != 0) line.add_uint64(profile::kLineNumber, place.line);
  return id;
}

void PprofSink::put_type(uint32_t field, const std::string &name, const std::string &unit) {
  pbf_writer type(profile_, field);
  type.add_uint64(profile::kTypeName, string(name));
  type.add_uint64(profile::kTypeUnit, string(unit));
}

// Samples of a known rate are time, too.
void PprofSink::put_types(const Field &weight) {
  const char *unit = weight.unit == Unit::kNs ? "nanoseconds" : weight.unit == Unit::kBytes ? "bytes" : "count";
  put_type(profile::kSampleType, label_of(weight), unit);
  if (sample_ns_ == 0) return;
  put_type(profile::kSampleType, "cpu", "nanoseconds");
  put_type(profile::kPeriodType, "cpu", "nanoseconds");
  profile_.add_uint64(profile::kPeriod, sample_ns_);
}

void PprofSink::put_label(pbf_writer &sample, const Field &column, const Value &value) {
  pbf_writer label(sample, profile::kSampleLabel);
  label.add_uint64(profile::kLabelKey, string(std::string(column.key)));
  if (const auto *number = std::get_if<uint64_t>(&value))
    label.add_uint64(profile::kLabelNumber, *number);
  else
    label.add_uint64(profile::kLabelText, string(value_text(column, value, clocks_)));
}

void PprofSink::on(const Table &table) {
  if (!table.weight) return;
  if (weight_ == nullptr) {
    weight_ = &table.columns[*table.weight];
    from_ns_ = table.from_ns;
    put_types(*weight_);
  }
  to_ns_ = table.to_ns;
  const StackRows stacks(table.columns);
  for (const Row &row : table.rows) {
    std::vector<uint64_t> places;
    for (const std::string_view frame : stacks.functions(row)) places.push_back(location(printable(frame)));
    const uint64_t weight = std::get<uint64_t>(row[*table.weight]);
    const uint64_t values[] = {weight, weight * sample_ns_};
    pbf_writer sample(profile_, profile::kSample);
    sample.add_packed_uint64(profile::kSampleLocations, places.begin(), places.end());
    sample.add_packed_uint64(profile::kSampleValues, values, values + (sample_ns_ == 0 ? 1 : 2));
    for (size_t i = 0; i < row.size(); i++) {
      const bool is_label = i != *table.weight && table.columns[i].unit == Unit::kNone;
      if (is_label && !std::holds_alternative<std::monostate>(row[i])) put_label(sample, table.columns[i], row[i]);
    }
  }
}

void PprofSink::on(const End &) {
  if (weight_ != nullptr) {
    profile_.add_uint64(profile::kTime, clocks_.wall_ns(from_ns_));
    profile_.add_uint64(profile::kDuration, to_ns_ - from_ns_);
  }
  for (const std::string *text : in_order_) profile_.add_string(profile::kString, *text);
  write(writer().compresses() ? bytes_ : gzipped(bytes_));  // FILE.pb.gz is what others call it
}

}  // namespace

std::unique_ptr<Sink> make_pprof_sink(Writer writer) {
  if (writer.screen_lines() > 0) throw usage_error("--output pprof is binary: name a FILE for it (pprof:FILE)");
  return std::make_unique<PprofSink>(std::move(writer));
}

}  // namespace strata
