// Rows in columns, and the losses at the end.
#include "render/text.h"

#include "base/text.h"
#include "render/formats.h"
#include "render/value.h"

namespace strata {

Paint Paint::of(bool terminal) {
  if (!terminal) return {};
  return {.bold = "\x1b[1m", .dim = "\x1b[2m", .red = "\x1b[31m", .plain = "\x1b[0m"};
}

// What `append` appends for each column; the last one is not filled up, so that no line ends in spaces.
template <typename Append>
void TextSink::put_line(Append &&append) {
  line_.clear();
  for (size_t i = 0; i < info_.shown.size(); i++) {
    const int width = info_.columns[info_.shown[i]].width;
    const bool last = i + 1 == info_.shown.size();
    const size_t start = line_.size();
    append(info_.shown[i]);
    if (!last || width > 0) pad_from(line_, start, width);
    line_ += last ? '\n' : ' ';
  }
  write(line_);
}

void TextSink::begin(const RunInfo &info) {
  info_ = info;
  if (!info_.tables) head();
}

void TextSink::head() {
  if (info_.shown.empty()) return;
  write(paint_.bold);
  put_line([this](size_t i) { line_ += info_.columns[i].title; });
  write(paint_.plain);
}

void TextSink::row(Schema columns, const Row &row) {
  put_line([&](size_t i) { append_value(line_, columns[i], row[i], info_.clocks); });
}

// Each interval with its time and the titles, an empty line between two.
void TextSink::table(const Table &table) {
  const std::string time = info_.clocks.wall_text(table.to_ns).substr(0, 8);
  write((headed_ ? "\n" : "") + time + ", " + scaled_ns(table.to_ns - table.from_ns) + "\n");
  headed_ = true;
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
