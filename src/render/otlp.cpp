// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A line for each sample, as the collector's otlpjsonfile receiver reads them and its /v1/traces takes them one by one.
#include "render/otlp.h"

#include <functional>
#include <string>
#include <utility>

#include "base/format.h"
#include "model/traceparent.h"
#include "render/formats.h"
#include "render/otlp_json.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr int kInternal = 1, kServer = 2, kClient = 3;  // SpanKind
constexpr int kNotSet = 0, kOk = 1, kError = 2;         // StatusCode
constexpr std::string_view kRequest = "query";          // the procedure that a server does for another
constexpr std::string_view kAsked = "upstream";         // the layer of a hop that ends a request to another server
constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;        // makes numbers in a row differ in their upper halves

// 64-bit integers are strings in proto3's JSON.
Json any_value(const Field &column, const Value &value) {
  const auto *number = std::get_if<uint64_t>(&value);
  if (number != nullptr && *number > INT64_MAX) return {{"stringValue", std::to_string(*number)}};
  if (number != nullptr) return {{"intValue", std::to_string(*number)}};
  if (const auto *integer = std::get_if<int64_t>(&value)) return {{"intValue", std::to_string(*integer)}};
  const Json json = to_json(value);
  if (json.is_boolean()) return {{"boolValue", json}};
  if (json.is_number()) return {{"doubleValue", json}};
  if (column.unit != Unit::kStack) return {{"stringValue", json}};
  Json frames = Json::array();
  const std::string stack = json.get<std::string>();
  for (const std::string_view frame : frames_of(stack)) frames.push_back({{"stringValue", frame}});
  return {{"arrayValue", {{"values", std::move(frames)}}}};
}

class Attributes {
 public:
  Attributes &add(std::string_view key, const Value &value) { return add({.key = key}, value); }
  Attributes &add(const Field &column, const Value &value) {
    if (!std::holds_alternative<std::monostate>(value))
      list_.push_back({{"key", column.key}, {"value", any_value(column, value)}});
    return *this;
  }
  Attributes &add(const std::vector<NamedValue> &fields) {
    for (const NamedValue &field : fields) add(*field.column, field.value);
    return *this;
  }
  [[nodiscard]] Json take() { return std::move(list_); }

 private:
  Json list_ = Json::array();
};

class OtlpSink final : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }
  void on(const RunInfo &info) { spans_.begin(info); }
  void on(const Sample &sample) { write("{\"resourceSpans\":[" + spans_.resource_spans(sample) + "]}\n"); }

 private:
  OtlpSpans spans_;
};

}  // namespace

// What is known of a run, and the spans of its samples.
struct OtlpSpans::Run {
  Run(const RunInfo &info, const std::string &service)
      : head_(info.head),
        procedure_(info.procedure),
        run_(std::hash<std::string>()(head_.host + " " + std::to_string(head_.clocks.realtime_ns))),
        resource_(otlp_resource(head_, service.empty() ? head_.program : service)) {}

  [[nodiscard]] std::string resource_spans(const Sample &sample) const {
    const Trace trace = trace_of(sample);
    Json spans = Json::array();
    spans.push_back(whole(sample, trace));
    for (size_t i = 1; i < sample.hops.size(); i++) spans.push_back(part(sample, trace, i));
    const Json scoped = {{"scope", otlp_scope(head_)}, {"spans", std::move(spans)}};
    return dump({{"resource", resource_}, {"scopeSpans", Json::array({scoped})}});
  }

 private:
  // Where a sample's spans are: in its client's trace, which has others, too, and may have several samples, or in one
  // of its own, which is the same in each replay, and of another run another one.
  struct Trace {
    std::string id;
    std::string parent;  // the client's span; empty: none
    uint64_t first;      // number of the first span

    [[nodiscard]] std::string span_id(size_t number) const { return formatted("{:016x}", first + number); }
  };

  [[nodiscard]] Trace trace_of(const Sample &sample) const {
    const Value *joined = value_of(sample.fields, kTraceparentKey);
    const auto *text = joined != nullptr ? std::get_if<std::string>(joined) : nullptr;
    if (text == nullptr) return {.id = formatted("{:016x}{:016x}", run_, sample.id), .parent = {}, .first = 1};
    const uint64_t place = (run_ ^ sample.id * kSpread) >> 32 << 32;
    return {.id = std::string(trace_id_of(*text)), .parent = std::string(parent_id_of(*text)), .first = place + 1};
  }

  [[nodiscard]] std::string wall(uint64_t ns) const { return std::to_string(head_.clocks.wall_ns(ns)); }
  static std::string name_of(const Hop &hop) { return std::string(hop.layer) + ": " + hop.name; }

  static Json attributes_of(const Hop &hop) {
    Attributes attributes;
    attributes.add("layer", std::string(hop.layer));
    if (!hop.spent_in.empty()) attributes.add("spent_in", std::string(hop.spent_in));
    return attributes.add("behind", hop.background)
        .add("cpu", uint64_t{hop.cpu})
        .add("thread.id", uint64_t{hop.tid})
        .add("thread.name", hop.comm)
        .add(hop.fields)
        .take();
  }

  [[nodiscard]] Json span(const Trace &trace, size_t number, std::string_view name, uint64_t from_ns,
                          uint64_t to_ns) const {
    return {{"traceId", trace.id},
            {"spanId", trace.span_id(number)},
            {"name", name},
            {"startTimeUnixNano", wall(from_ns)},
            {"endTimeUnixNano", wall(to_ns)}};
  }

  [[nodiscard]] Json whole(const Sample &sample, const Trace &trace) const {
    Json one = span(trace, 0, procedure_, sample.start_ns, sample.start_ns + sample.total_ns);
    if (!trace.parent.empty()) one["parentSpanId"] = trace.parent;
    one["kind"] = procedure_ != kRequest ? kInternal : sample.is_client ? kClient : kServer;
    Attributes attributes;
    attributes.add("strata.sample", sample.id)
        .add("strata.outcome", std::string(sample.outcome->key))
        .add("seen_ns", sample.seen_ns);
    if (!sample.reason.empty()) attributes.add("strata.reason", sample.reason);
    one["attributes"] = attributes.add(sample.fields).take();
    const bool failed = sample.outcome->key == kFailed.key;
    if (!sample.hops.empty())
      one["events"] = Json::array({{{"timeUnixNano", wall(sample.hops[0].ts_ns)},
                                    {"name", name_of(sample.hops[0])},
                                    {"attributes", attributes_of(sample.hops[0])}}});
    one["status"] = {{"code", sample.outcome->is_good ? kOk : failed ? kError : kNotSet}};
    if (failed) one["status"]["message"] = sample.reason;
    return one;
  }

  [[nodiscard]] Json part(const Sample &sample, const Trace &trace, size_t number) const {
    const Hop &hop = sample.hops[number];
    Json one = span(trace, number, name_of(hop), sample.hops[number - 1].ts_ns, hop.ts_ns);
    one["parentSpanId"] = trace.span_id(0);
    one["kind"] = hop.layer == kAsked ? kClient : kInternal;
    one["attributes"] = attributes_of(hop);
    return one;
  }

  RecordingHead head_;
  std::string procedure_;  // "write"
  uint64_t run_;
  Json resource_;
};

OtlpSpans::OtlpSpans(std::string service) : service_(std::move(service)) {}
OtlpSpans::~OtlpSpans() = default;
void OtlpSpans::begin(const RunInfo &info) { run_ = std::make_unique<Run>(info, service_); }
std::string OtlpSpans::resource_spans(const Sample &sample) const { return run_->resource_spans(sample); }

std::unique_ptr<Sink> make_otlp_sink(Writer writer) { return std::make_unique<OtlpSink>(std::move(writer)); }

}  // namespace strata
