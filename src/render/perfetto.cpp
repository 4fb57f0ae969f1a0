// A timeline in Chrome's trace event format, which Perfetto and speedscope open: a process per sample, a thread per
// task that it passed through, a slice per hop, and an arrow where the work changes hands.
#include <set>

#include "base/shell.h"
#include "render/formats.h"
#include "render/json_value.h"
#include "render/value.h"

namespace strata {
namespace {

double us(uint64_t ns) { return static_cast<double>(ns) / 1000; }

class PerfettoSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info) {
    info_ = info;
    write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  }

  void on(const Sample &sample) {
    put_names(sample);
    for (size_t i = 1; i < sample.hops.size(); i++) {
      const Hop &before = sample.hops[i - 1];
      const Hop &hop = sample.hops[i];
      put_slice(sample, hop, before.ts_ns);
      if (i > 1 && hop.tid != before.tid) put_arrow(sample, before, sample.hops[i - 2].ts_ns, hop);
    }
  }

  void on(const Losses &losses) {
    for (const Loss &loss : losses.of) loss_[loss.reason] = loss.count;
  }

  void on(const End &) {
    write("\n],\"otherData\":" + dump({{"program", info_.head.program}, {"loss", loss_}}) + "}\n");
  }

 private:
  void put_event(const Json &event) {
    write(first_ ? "\n" : ",\n");
    first_ = false;
    write(dump(event));
  }

  void put_name(const Sample &sample, const char *what, uint32_t tid, const std::string &name) {
    put_event({{"ph", "M"}, {"name", what}, {"pid", sample.id}, {"tid", tid}, {"args", {{"name", name}}}});
  }

  void put_names(const Sample &sample) {
    std::string name = "sample " + std::to_string(sample.id) + " " + std::string(sample.outcome->name);
    for (const NamedValue &field : sample.fields) {
      if (std::holds_alternative<std::monostate>(field.value)) continue;
      name += "  " + label_of(*field.column) + " " + value_text(*field.column, field.value, info_.head.clocks);
    }
    put_name(sample, "process_name", 0, name);
    std::set<uint32_t> named;
    for (const Hop &hop : sample.hops) {
      if (named.insert(hop.tid).second) put_name(sample, "thread_name", hop.tid, distinct(hop.comm));
    }
  }

  void put_slice(const Sample &sample, const Hop &hop, uint64_t from_ns) {
    Json args = {{"layer", hop.layer}, {"cpu", hop.cpu}, {"behind", hop.background}};
    put_fields(args, hop.fields);
    put_event({{"ph", "X"},
               {"name", hop.name},
               {"cat", hop.layer},
               {"pid", sample.id},
               {"tid", hop.tid},
               {"ts", us(from_ns)},
               {"dur", us(hop.ts_ns - from_ns)},
               {"args", std::move(args)}});
  }

  // From the slice that ends at `before` to the one that begins there; an arrow binds to the slice around its end.
  void put_arrow(const Sample &sample, const Hop &before, uint64_t slice_ns, const Hop &hop) {
    const auto end = [&](const char *phase, uint32_t tid, uint64_t ts_ns) {
      return Json{{"ph", phase}, {"name", "handed over"}, {"cat", hop.layer}, {"id", arrows_}, {"pid", sample.id},
                  {"tid", tid},  {"ts", us(ts_ns)}};
    };
    put_event(end("s", before.tid, slice_ns));
    Json finish = end("f", hop.tid, before.ts_ns);
    finish["bp"] = "e";
    put_event(finish);
    arrows_++;
  }

  RunInfo info_;
  Json loss_ = Json::object();
  uint64_t arrows_ = 0;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Sink> make_perfetto_sink(Writer writer) { return std::make_unique<PerfettoSink>(std::move(writer)); }

}  // namespace strata
