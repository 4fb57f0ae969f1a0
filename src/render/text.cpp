// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Rows in columns, and the losses at the end.
#include "render/text.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/record.h"
#include "render/day.h"
#include "render/formats.h"
#include "render/line.h"
#include "render/percentiles.h"
#include "render/sink.h"
#include "render/value.h"

namespace strata {

Paint Paint::of(bool terminal) {
  if (!terminal) return {};
  return {.bold = "\x1b[1m", .dim = "\x1b[2m", .red = "\x1b[31m", .plain = "\x1b[0m"};
}

std::string left_out_text(uint64_t more) { return "... and " + std::to_string(more) + " more (see --rows)\n"; }

namespace {

constexpr size_t kLeastOfSentence = 30;  // cells of it in a line

class TextSink : public Sink {
 public:
  explicit TextSink(Writer writer) : Sink(std::move(writer)), paint_(Paint::of(this->writer().terminal())) {}

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info);
  void on(const DecodedRow &one);
  void on(const Event &event);
  void on(const Table &table);
  void on(const Sample &sample);
  void on(const Distribution &distribution);
  void on(const Interval &interval);
  void on(const Printed &printed) { write(printed.text); }
  void on(const Judgement &judgement) {
    write(judgement_text(judgement, info_.head.clocks, paint_, writer().columns()));
  }
  void on(const Losses &losses) { losses_.assign(losses.of.begin(), losses.of.end()); }
  void on(const Summary &summary) { write(summary_text(summary, paint_, writer().columns())); }
  void on(const End &);

 private:
  void head();
  void put_line(std::string_view line);
  void put_row(const Row &row);
  std::string_view line(const Row &row);
  void time(uint64_t from_ns, uint64_t to_ns, std::string_view more = {});
  void stack(const Value &value);
  [[gnu::noinline]] void new_day();

  Paint paint_;
  RunInfo info_;                  // without the stacks
  std::vector<size_t> stacks_;    // the columns that are shown below a row
  std::optional<TextLine> line_;  // from begin() on
  Day day_{info_.head.clocks};
  size_t most_cells_ = SIZE_MAX - 1;  // of a line of a table that takes the place of another one
  bool headed_ = false;               // the time of an interval was written
  bool in_interval_ = false;          // one of its distributions was written
  std::vector<Loss> losses_;          // the last lines of the output
};

void TextSink::on(const RunInfo &info) {
  info_ = info;
  const auto is_stack = [&](size_t i) { return info_.columns[i].unit == Unit::kStack; };
  std::copy_if(info_.shown.begin(), info_.shown.end(), std::back_inserter(stacks_), is_stack);
  std::erase_if(info_.shown, is_stack);
  line_.emplace(info_.columns, info_.shown, info_.head.clocks, info_.tables, writer().columns());
  if (!info_.tables && !info_.distributions) head();
}

void TextSink::head() {
  if (info_.shown.empty()) return;
  write(paint_.bold);
  line_->begin();
  for (const size_t i : info_.shown) line_->text(info_.columns[i].title);
  put_line(line_->end());
  write(paint_.plain);
}

// A line that is too long for its place is cut here, with the mark that less has: a terminal that does not wrap puts
// each of its other characters in the last cell, so that "a_file_9" would be seen where the file is another one.
void TextSink::put_line(std::string_view line) {
  if (cells(line) <= most_cells_ + 1) return write(line);  // with its newline
  size_t end = 0;
  for (size_t left = most_cells_; end < line.size(); end++) {
    const bool begins = (static_cast<uint8_t>(line[end]) & 0xc0) != 0x80;
    if (begins && left-- == 1) break;
  }
  write(std::string(line.substr(0, end)) + ">\n");
}

std::string_view TextSink::line(const Row &row) {
  line_->begin();
  for (const size_t i : info_.shown) line_->add(row[i]);
  return line_->end();
}

// A row on its own is one of a report (doctor, diff): a sentence at its end that the line has no room for goes on below
// its beginning.
void TextSink::on(const DecodedRow &one) {
  const std::string whole(line(one.row));
  const size_t last = info_.shown.empty() ? 0 : info_.shown.back(), columns = writer().columns();
  const auto *text = info_.shown.empty() ? nullptr : std::get_if<std::string>(&one.row[last]);
  const std::string sentence = text == nullptr ? "" : safe_text(info_.columns[last].unit, *text);
  const size_t before = cells(whole) - 1 - cells(sentence);                        // with its newline
  const bool laid_out = writer().terminal() || std::getenv("COLUMNS") != nullptr;  // else it is for grep(1)
  if (!laid_out || cells(whole) <= columns + 1 || sentence.empty() || before + kLeastOfSentence > columns) {
    write(whole);
  } else {
    std::string_view start = std::string_view(whole).substr(0, whole.size() - 1 - sentence.size());
    const std::string margin(before, ' ');
    for (const std::string &part : wrapped(sentence, columns - before)) {
      write(std::string(start) + part + "\n");
      start = margin;
    }
  }
  for (const size_t i : stacks_) stack(one.row[i]);
}

void TextSink::put_row(const Row &row) {
  put_line(line(row));
  for (const size_t i : stacks_) stack(row[i]);
}

void TextSink::on(const Event &event) {
  line_->begin();
  for (const size_t i : info_.shown) write_column(event.columns[i], event.record, *line_);
  if (!day_.has(line_->time_ns())) [[unlikely]]
    new_day();
  write(line_->end());
  for (const size_t i : stacks_) stack(row_of(event.columns.subspan(i, 1), event.record)[0]);
}

void TextSink::on(const Sample &sample) {
  write(day_.line(sample.start_ns));
  write(sample_text(sample, info_.head.clocks, paint_, writer().columns()));
}

void TextSink::new_day() { write(day_.next(line_->time_ns())); }

// A line for each function, below the row.
void TextSink::stack(const Value &value) {
  const auto *text = std::get_if<std::string>(&value);
  if (text == nullptr) return;
  for (const std::string_view frame : frames_of(*text)) write("    " + printable(frame) + "\n");
}

// Before what belongs to an interval: when it ended and how long it was, an empty line between two.
void TextSink::time(uint64_t from_ns, uint64_t to_ns, std::string_view more) {
  write(headed_ ? "\n" : "");
  write(day_.line(to_ns));
  write(time_of_interval(info_.head.clocks, from_ns, to_ns) + ", " + scaled_ns(to_ns - from_ns) + std::string(more) +
        "\n");
  headed_ = true;
}

void TextSink::on(const Distribution &distribution) {
  if (in_interval_) {
    write("\n");
  } else {
    time(distribution.from_ns, distribution.to_ns,
         "; " + std::string(headed_ ? kLaterErrorText : kPercentileErrorText));
  }
  in_interval_ = true;
  write(distribution_text(distribution, info_.head.clocks, writer().columns()));
}

void TextSink::on(const Interval &interval) {
  if (!in_interval_) time(interval.from_ns, interval.to_ns, ": no values");
  if (interval.left_out > 0) write("\n" + left_out_text(interval.left_out));
  in_interval_ = false;
}

// On a terminal in the place of the one before, as top does: as many rows as find room below the time and the head and
// above what else is said, and of a long one what has room in its line. With stacks, rows have no certain number of
// lines.
void TextSink::on(const Table &table) {
  constexpr size_t kOtherLines = 4;
  const size_t lines = info_.refreshed && stacks_.empty() ? writer().screen_lines() : 0;
  const bool in_place = lines > kOtherLines;
  if (in_place) {
    write("\x1b[?7l\x1b[H\x1b[J");
    headed_ = false;
    most_cells_ = writer().columns();
  }
  const size_t shown = std::min(table.rows.size(), in_place ? lines - kOtherLines : SIZE_MAX);
  if (info_.tables) time(table.from_ns, table.to_ns);
  for (size_t i = 0; i < shown; i++) line(table.rows[i]);  // widens the columns
  if (info_.tables) head();
  for (size_t i = 0; i < shown; i++) put_row(table.rows[i]);
  if (const uint64_t more = table.left_out + table.rows.size() - shown; more > 0) write(left_out_text(more));
  if (in_place) write("\x1b[?7h");
}

void TextSink::on(const End &) {
  for (const Loss &loss : losses_) {
    write(paint_.red);
    write(lost_text(loss));
    write(paint_.plain);
    write("\n");
  }
}

}  // namespace

std::unique_ptr<Sink> make_text_sink(Writer writer) { return std::make_unique<TextSink>(std::move(writer)); }

}  // namespace strata
