// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A recording (rec/recording.h): records go out as they came, before anybody decoded them. One that is bounded becomes
// two files, FILE.1 and FILE, each whole by itself; one that keeps the last of a run in memory writes that when it is
// told to, one time after the other into one recording. Rejected: a file for each time, of which a symptom that comes
// again and again makes thousands.
#include "rec/recording.h"

#include <deque>
#include <utility>

#include "base/clock.h"
#include "render/formats.h"

namespace strata {
namespace {

constexpr uint64_t kMostKeptBytes = 64 << 20;  // in memory, unless --max-size says another

class RecordSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  // Between two batches no interval is torn apart, so a file ends there if it can.
  void flush() override {
    if (bounds_.most_bytes != 0 && writer().file_bytes() > bounds_.most_bytes * 3 / 8) rotate();
    Sink::flush();
  }

  void on(const RunInfo &info) {
    bounds_ = info.bounds;
    head_ = head_text(info.head, info.records);
    if (bounds_.last_ns != 0)
      writer().hold();
    else
      write(head_);
  }

  [[nodiscard]] bool wants_records() const override { return true; }

  void on(const Undecoded &record) {
    std::string line = std::exchange(before_, {}) + to_line(record.type, record.bytes, record.size) + "\n";
    if (record.type.about == About::kNext) {
      before_ = std::move(line);
    } else if (record.type.about == About::kAllThatFollows) {
      if (bounds_.last_ns == 0) write_line(line);
      if (bounds_.last_ns != 0 || bounds_.most_bytes != 0) names_ += line;
    } else if (bounds_.last_ns != 0) {
      keep(std::move(line));
    } else {
      write_line(line);
      has_records_ = true;
    }
  }

  void on(const Kept &kept) {
    if (bounds_.last_ns == 0) return;
    const uint64_t now_ns = monotonic_ns();
    forget(now_ns);
    writer().release();
    if (!std::exchange(begun_, true)) write(head_);
    write(std::string_view(names_).substr(std::exchange(names_written_, names_.size())));
    const uint64_t from_ns = kept_.empty() ? now_ns : kept_.front().ns;
    write_line(kept_line({.at_ns = now_ns, .from_ns = from_ns, .records = kept_.size(), .why = std::string(kept.why)}));
    for (const Line &line : kept_) {
      write_line(line.text);
      has_records_ = true;
    }
    kept_.clear();
    kept_bytes_ = 0;
  }

  void on(const Losses &losses) {
    if (bounds_.at_end) on(Kept{.why = "the end of the run"});
    if (is_held()) return;
    for (const Loss &loss : losses.of) write("loss " + std::to_string(loss.count) + " " + loss.reason + "\n");
  }

  void on(const End &) {
    if (!is_held()) write("end\n");
  }

 private:
  struct Line {
    uint64_t ns;  // when it came
    std::string text;
  };

  [[nodiscard]] bool is_held() const { return bounds_.last_ns != 0 && !begun_; }

  void keep(std::string line) {
    const uint64_t now_ns = monotonic_ns();
    kept_bytes_ += sizeof(Line) + line.size();
    kept_.push_back({.ns = now_ns, .text = std::move(line)});
    forget(now_ns);
  }

  void forget(uint64_t now_ns) {
    const uint64_t most = bounds_.most_bytes != 0 ? bounds_.most_bytes : kMostKeptBytes;
    while (!kept_.empty() && (kept_.front().ns + bounds_.last_ns < now_ns || kept_bytes_ > most)) {
      kept_bytes_ -= sizeof(Line) + kept_.front().text.size();
      kept_.pop_front();
    }
  }

  // Each of the two files has half of the bytes.
  void write_line(std::string_view line) {
    if (bounds_.most_bytes != 0 && writer().file_bytes() + line.size() > bounds_.most_bytes / 2) rotate();
    write(line);
  }

  // The names are in both files. A file that has nothing else would not become smaller by that.
  void rotate() {
    if (!std::exchange(has_records_, false)) return;
    write("continued\n");
    writer().rotate();
    write(head_);
    write(names_);
    names_written_ = names_.size();
  }

  RecordBounds bounds_;
  std::string head_, before_;  // lines; the latter of a record whose next one has not come
  std::string names_;          // and what else holds for all that follows
  size_t names_written_ = 0;   // bytes of them that the file of a recorder has
  std::deque<Line> kept_;
  uint64_t kept_bytes_ = 0;
  bool begun_ = false, has_records_ = false;  // the file
};

}  // namespace

std::unique_ptr<Sink> make_record_sink(Writer writer) { return std::make_unique<RecordSink>(std::move(writer)); }

}  // namespace strata
