// A recording (rec/recording.h): records go out as they came, before anybody decoded them.
#include "rec/recording.h"
#include "render/formats.h"

namespace strata {
namespace {

class RecordSink : public Sink {
 public:
  using Sink::Sink;

  void begin(const RunInfo &info) override { write(head_text(info.head, info.records)); }

  [[nodiscard]] bool wants_records() const override { return true; }
  void event(Schema, const RecordView &) override {}

  void record(const RecordType &type, const void *record, size_t size) override {
    write(to_line(type, record, size) + "\n");
  }

  void loss(std::span<const Loss> losses) override {
    for (const Loss &loss : losses) write("loss " + std::to_string(loss.count) + " " + loss.reason + "\n");
  }

  void end() override { write("end\n"); }
};

}  // namespace

std::unique_ptr<Sink> make_record_sink(Writer writer) { return std::make_unique<RecordSink>(std::move(writer)); }

}  // namespace strata
