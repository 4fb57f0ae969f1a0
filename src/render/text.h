// Text for people: rows, sample trees, summaries, bars.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/line.h"
#include "render/sink.h"

namespace strata {

// What colours a terminal; everything is empty elsewhere.
struct Paint {
  std::string_view bold, dim, red, plain;

  static Paint of(bool terminal);
};

std::string sample_text(const Sample &sample, const Clocks &clocks, const Paint &paint);
std::string summary_text(const Summary &summary, const Paint &paint);
std::string distribution_text(const Distribution &distribution, const Clocks &clocks);

class TextSink : public Sink {
 public:
  explicit TextSink(Writer writer) : Sink(std::move(writer)), paint_(Paint::of(this->writer().terminal())) {}

  void begin(const RunInfo &info) override;
  void row(Schema columns, const Row &row) override;
  void event(Schema columns, const RecordView &record) override;
  void table(const Table &table) override;
  void sample(const Sample &sample) override { write(sample_text(sample, info_.head.clocks, paint_)); }
  void distribution(const Distribution &distribution) override;
  void interval(uint64_t from_ns, uint64_t to_ns) override;
  void loss(std::span<const Loss> losses) override { losses_.assign(losses.begin(), losses.end()); }
  void summary(const Summary &summary) override { write(summary_text(summary, paint_)); }
  void end() override;

 private:
  void head();
  void time(uint64_t from_ns, uint64_t to_ns, std::string_view more = {});
  void stack(const Value &value);

  Paint paint_;
  RunInfo info_;                  // without the stacks
  std::vector<size_t> stacks_;    // the columns that are shown below a row
  std::optional<TextLine> line_;  // from begin() on
  bool headed_ = false;           // the time of an interval was written
  bool in_interval_ = false;      // one of its distributions was written
  std::vector<Loss> losses_;      // the last lines of the output
};

}  // namespace strata
