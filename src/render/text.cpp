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

// The last column is not filled up, so that no line ends in spaces.
std::string TextSink::line(const std::vector<std::string> &texts) const {
  std::string text;
  for (size_t i = 0; i < texts.size(); i++) {
    const int width = info_.columns[info_.shown[i]].width;
    const bool last = i + 1 == texts.size();
    text += (i == 0 ? "" : " ") + padded(texts[i], last && width < 0 ? 0 : width);
  }
  return text + "\n";
}

void TextSink::begin(const RunInfo &info) {
  info_ = info;
  if (!info_.tables) head();
}

void TextSink::head() {
  if (info_.shown.empty()) return;
  std::vector<std::string> titles;
  for (const size_t i : info_.shown) titles.emplace_back(info_.columns[i].title);
  write(paint_.bold);
  write(line(titles));
  write(paint_.plain);
}

void TextSink::row(Schema columns, const Row &row) {
  std::vector<std::string> texts;
  for (const size_t i : info_.shown) texts.push_back(value_text(columns[i], row[i], info_.clocks));
  write(line(texts));
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
