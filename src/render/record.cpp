// A recording (rec/recording.h): records go out as they came, before anybody decoded them.
#include "rec/recording.h"
#include "render/formats.h"

namespace strata {
namespace {

class RecordSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info) { write(head_text(info.head, info.records)); }

  [[nodiscard]] bool wants_records() const override { return true; }

  void on(const Undecoded &record) { write(to_line(record.type, record.bytes, record.size) + "\n"); }

  void on(const Losses &losses) {
    for (const Loss &loss : losses.of) write("loss " + std::to_string(loss.count) + " " + loss.reason + "\n");
  }

  void on(const End &) { write("end\n"); }
};

}  // namespace

std::unique_ptr<Sink> make_record_sink(Writer writer) { return std::make_unique<RecordSink>(std::move(writer)); }

}  // namespace strata
