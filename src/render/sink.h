// The narrow door through which all output goes: one Sink per format. Nothing here knows where the data came from.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/distribution.h"
#include "model/field.h"
#include "model/loss.h"
#include "model/record.h"
#include "model/sample.h"
#include "model/table.h"
#include "rec/recording.h"
#include "render/writer.h"

namespace strata {

struct RunInfo {
  RecordingHead head;
  std::vector<const RecordType *> records;  // that may come
  Schema columns;                           // of the rows, empty if there are none
  std::vector<size_t> shown;                // indices of the columns that text and csv show, in this order
  bool tables = false;                      // the rows come as tables, one for each interval
  bool distributions = false;               // there are no rows
};

// Calls come in this order: begin, any number of record, row, event, table, sample and distribution, loss, summary if
// there is one, end. A write error does not throw: the writer keeps it, and the run asks for it and stops (see
// Outputs).
class Sink {
 public:
  explicit Sink(Writer writer) : writer_(std::move(writer)) {}
  virtual ~Sink() = default;

  virtual void begin(const RunInfo &) {}
  virtual void record(const RecordType &, const void *, size_t) {}  // undecoded, with its size, for recordings
  virtual void row(Schema, const Row &) {}
  virtual void event(Schema columns, const RecordView &record);  // a row that is not made yet
  virtual void table(const Table &) {}
  virtual void sample(const Sample &) {}
  virtual void distribution(const Distribution &) {}
  virtual void interval(uint64_t, uint64_t) {}  // [from, to) ended: all its distributions, perhaps none, have come
  virtual void loss(std::span<const Loss>) {}   // once, also when nothing was lost
  virtual void summary(const Summary &) {}
  virtual void end() {}

  [[nodiscard]] virtual bool wants_intervals() const { return false; }
  [[nodiscard]] virtual bool wants_records() const { return false; }

  [[nodiscard]] Writer &writer() { return writer_; }

 protected:
  void write(std::string_view text) { writer_.write(text); }

 private:
  Writer writer_;
};

// One -o FORMAT[:FILE].
struct OutputRequest {
  std::string format;
  std::string file;  // empty: standard output
};

inline constexpr std::string_view kRowFormats[] = {"text", "json", "csv", "record"};
inline constexpr std::string_view kSampleFormats[] = {"text", "json", "perfetto", "record"};
inline constexpr std::string_view kDistributionFormats[] = {"text", "json", "csv", "heatmap", "record"};
std::vector<std::string_view> format_names();
std::string_view describe_format(std::string_view format);  // one line for the help; throws Error

// All outputs of a run as one.
class Outputs {
 public:
  explicit Outputs(std::span<const OutputRequest> requests);  // opens all files; throws Error

  void begin(const RunInfo &info);
  void record(const RecordType &type, const void *record, size_t size) {
    for (Sink *sink : recorders_) sink->record(type, record, size);
  }
  void record(const RecordType &type, const void *record) { this->record(type, record, type.size); }
  void row(Schema columns, const Row &row);
  void event(Schema columns, const RecordView &record);
  void table(const Table &table);
  void sample(const Sample &sample);
  void distribution(const Distribution &distribution);
  void interval(uint64_t from_ns, uint64_t to_ns);
  void loss(std::span<const Loss> losses);
  void summary(const Summary &summary);
  void end();  // also flushes and closes
  void flush();

  [[nodiscard]] bool wants_intervals() const;  // a heat map shows time
  [[nodiscard]] bool wants_records() const { return !recorders_.empty(); }
  [[nodiscard]] bool writable() const;  // false after any write error: there is no sense in going on
  void check() const;                   // throws the Error of the first failed output; a closed pipe is none
  [[nodiscard]] bool text_on_stdout() const { return text_on_stdout_; }  // whose reader sees the losses there

 private:
  std::vector<std::unique_ptr<Sink>> sinks_;
  std::vector<Sink *> recorders_;  // those of them that want records
  bool text_on_stdout_ = false;
};

}  // namespace strata
