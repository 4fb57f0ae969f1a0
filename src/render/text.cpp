// Rows in columns, and the losses at the end.
#include "render/text.h"

#include "base/text.h"
#include "render/formats.h"
#include "render/percentiles.h"
#include "render/value.h"

namespace strata {

Paint Paint::of(bool terminal) {
  if (!terminal) return {};
  return {.bold = "\x1b[1m", .dim = "\x1b[2m", .red = "\x1b[31m", .plain = "\x1b[0m"};
}

// What `append` appends for each column, of so many cells; the last one is not filled up, so that no line ends in
// spaces.
template <typename Append>
void TextSink::put_line(Append &&append) {
  line_.clear();
  for (size_t i = 0; i < info_.shown.size(); i++) {
    const int width = info_.columns[info_.shown[i]].width;
    const bool last = i + 1 == info_.shown.size();
    const size_t start = line_.size();
    const size_t used = append(info_.shown[i]);
    if (!last || width > 0) pad_from(line_, start, used, width);
    line_ += last ? '\n' : ' ';
  }
  write(line_);
}

void TextSink::begin(const RunInfo &info) {
  info_ = info;
  if (!info_.tables && !info_.distributions) head();
}

void TextSink::head() {
  if (info_.shown.empty()) return;
  write(paint_.bold);
  put_line([this](size_t i) {
    line_ += info_.columns[i].title;
    return info_.columns[i].title.size();
  });
  write(paint_.plain);
}

void TextSink::row(Schema columns, const Row &row) {
  put_line([&](size_t i) { return append_value(line_, columns[i], row[i], info_.clocks); });
}

// Before what belongs to an interval: when it ended and how long it was, an empty line between two.
void TextSink::time(uint64_t from_ns, uint64_t to_ns, std::string_view more) {
  write((headed_ ? "\n" : "") + time_of_interval(info_.clocks, from_ns, to_ns) + ", " + scaled_ns(to_ns - from_ns) +
        std::string(more) + "\n");
  headed_ = true;
}

void TextSink::distribution(const Distribution &distribution) {
  if (in_interval_) {
    write("\n");
  } else {
    time(distribution.from_ns, distribution.to_ns, "; " + std::string(kErrorText));
  }
  in_interval_ = true;
  write(distribution_text(distribution, info_.clocks));
}

void TextSink::interval(uint64_t from_ns, uint64_t to_ns) {
  if (!in_interval_) time(from_ns, to_ns, ": no values");
  in_interval_ = false;
}

void TextSink::table(const Table &table) {
  time(table.from_ns, table.to_ns);
  head();
  for (const Row &one : table.rows) row(table.columns, one);
  if (table.left_out > 0) write("... and " + std::to_string(table.left_out) + " more (see --rows)\n");
}

void TextSink::end() {
  for (const Loss &loss : losses_) {
    write(paint_.red);
    write("lost " + std::to_string(loss.count) + ": " + printable(loss.reason));
    write(paint_.plain);
    write("\n");
  }
}

std::unique_ptr<Sink> make_text_sink(Writer writer) { return std::make_unique<TextSink>(std::move(writer)); }

}  // namespace strata
