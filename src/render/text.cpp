// Rows in columns, and the losses at the end.
#include "render/text.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "model/record.h"
#include "render/formats.h"
#include "render/percentiles.h"
#include "render/value.h"

namespace strata {

Paint Paint::of(bool terminal) {
  if (!terminal) return {};
  return {.bold = "\x1b[1m", .dim = "\x1b[2m", .red = "\x1b[31m", .plain = "\x1b[0m"};
}

void TextSink::begin(const RunInfo &info) {
  info_ = info;
  const auto is_stack = [&](size_t i) { return info_.columns[i].unit == Unit::kStack; };
  std::copy_if(info_.shown.begin(), info_.shown.end(), std::back_inserter(stacks_), is_stack);
  std::erase_if(info_.shown, is_stack);
  line_.emplace(info_.columns, info_.shown, info_.head.clocks);
  if (!info_.tables && !info_.distributions) head();
}

void TextSink::head() {
  if (info_.shown.empty()) return;
  write(paint_.bold);
  line_->begin();
  for (const size_t i : info_.shown) line_->text(info_.columns[i].title);
  write(line_->end());
  write(paint_.plain);
}

void TextSink::row(Schema, const Row &row) {
  line_->begin();
  for (const size_t i : info_.shown) line_->add(row[i]);
  write(line_->end());
  for (const size_t i : stacks_) stack(row[i]);
}

void TextSink::event(Schema columns, const RecordView &record) {
  line_->begin();
  for (const size_t i : info_.shown) write_column(columns[i], record, *line_);
  write(line_->end());
  for (const size_t i : stacks_) stack(row_of(columns.subspan(i, 1), record)[0]);
}

// A line for each function, below the row.
void TextSink::stack(const Value &value) {
  const auto *text = std::get_if<std::string>(&value);
  for (std::string_view rest = text ? std::string_view(*text) : std::string_view(); !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    write("    " + printable(rest.substr(0, end)) + "\n");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

// Before what belongs to an interval: when it ended and how long it was, an empty line between two.
void TextSink::time(uint64_t from_ns, uint64_t to_ns, std::string_view more) {
  write((headed_ ? "\n" : "") + time_of_interval(info_.head.clocks, from_ns, to_ns) + ", " +
        scaled_ns(to_ns - from_ns) + std::string(more) + "\n");
  headed_ = true;
}

void TextSink::distribution(const Distribution &distribution) {
  if (in_interval_) {
    write("\n");
  } else {
    time(distribution.from_ns, distribution.to_ns, "; " + std::string(kErrorText));
  }
  in_interval_ = true;
  write(distribution_text(distribution, info_.head.clocks));
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
