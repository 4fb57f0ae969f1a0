// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The narrow door through which all output goes: one Sink per format. Nothing here knows where the data came from.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "render/item.h"
#include "render/writer.h"

namespace strata {

// A write error does not throw: the writer keeps it, and the run goes on with the others (see Outputs).
class Sink {
 public:
  explicit Sink(Writer writer) : writer_(std::move(writer)) {}
  virtual ~Sink() = default;

  virtual void put(const Item &item) = 0;
  virtual void flush() { writer_.flush(); }  // after a batch of items

  [[nodiscard]] virtual uint64_t interval_ns() const { return 0; }    // where none is asked for; 0: it needs none
  [[nodiscard]] virtual bool replaces_file() const { return false; }  // again and again, while it runs
  [[nodiscard]] virtual bool wants_records() const { return false; }
  [[nodiscard]] virtual bool wants_stacks() const { return false; }   // and shows nothing else
  [[nodiscard]] virtual bool wants_headers() const { return false; }  // of packets, byte by byte

  [[nodiscard]] Writer &writer() { return writer_; }
  [[nodiscard]] const Writer &writer() const { return writer_; }

 protected:
  void write(std::string_view text) { writer_.write(text); }

 private:
  Writer writer_;
};

// Calls the function on() of a sink that takes what the item is. What a format has no such function for, it does not
// show; an event becomes a row for those that only know rows.
template <typename Format>
void dispatch(Format &sink, const Item &item) {
  std::visit(
      [&sink](const auto &one) {
        if constexpr (requires { sink.on(one); }) {
          sink.on(one);
        } else if constexpr (std::is_same_v<decltype(one), const Event &>) {
          if constexpr (requires(const DecodedRow &row) { sink.on(row); }) {
            const Row row = row_of(one.columns, one.record);
            sink.on(DecodedRow{.columns = one.columns, .row = row});
          }
        }
      },
      item);
}

// One -o FORMAT[:FILE].
struct OutputRequest {
  std::string format;
  std::string file;  // empty: standard output
};

inline constexpr std::string_view kRowFormats[] = {"text", "json", "csv", "sql", "record"};
inline constexpr std::string_view kPacketFormats[] = {"text", "json", "csv", "sql", "pcapng", "record"};
inline constexpr std::string_view kTableFormats[] = {"text", "json", "csv", "openmetrics", "sql", "record"};
inline constexpr std::string_view kStackFormats[] = {"text",  "json",  "csv", "folded",
                                                     "flame", "pprof", "sql", "record"};
inline constexpr std::string_view kTimedStackFormats[] = {"text",  "json",  "csv", "heatmap", "folded",
                                                          "flame", "pprof", "sql", "record"};
inline constexpr std::string_view kSampleFormats[] = {"text", "json", "html", "perfetto", "otlp", "sql", "record"};
inline constexpr std::string_view kDistributionFormats[] = {"text",        "json", "csv",   "heatmap",
                                                            "openmetrics", "sql",  "record"};
inline constexpr std::string_view kJudgementFormats[] = {"text", "json", "md", "junit"};
std::vector<std::string_view> format_names();
std::string_view describe_format(std::string_view format);  // one line for the help; throws Error

// All outputs of a run as one.
class Outputs {
 public:
  explicit Outputs(std::span<const OutputRequest> requests);  // opens all files; throws Error
  void only(std::unique_ptr<Sink> sink);                      // instead of them, before anything is put out

  void put(const Item &item) {
    for (const auto &sink : sinks_) sink->put(item);
  }
  // To those alone that want records: there are many.
  void record(const RecordType &type, const void *bytes, size_t size) {
    for (Sink *sink : recorders_) sink->put(Undecoded{.type = type, .bytes = bytes, .size = size});
  }
  void record(const RecordType &type, const void *bytes) { record(type, bytes, type.size); }
  // To those alone that show nothing but stacks: the others have shown in their own way what these are of.
  void put_stacks(const Table &table);
  void close(EndReason reason);  // puts the end, flushes and closes
  void flush();

  [[nodiscard]] uint64_t interval_ns() const;  // the shortest that one needs; 0: none does
  [[nodiscard]] bool replaces_file() const;
  [[nodiscard]] bool wants_records() const { return !recorders_.empty(); }
  [[nodiscard]] bool wants_stacks() const;
  [[nodiscard]] bool wants_headers() const;
  [[nodiscard]] std::vector<std::string> recordings() const;  // files, of those that are regular ones
  [[nodiscard]] bool writable() const;                        // false when all failed: there is no sense in going on
  // What to tell of those that failed, each once; of a closed pipe nothing.
  [[nodiscard]] std::vector<std::string> complaints();
  [[nodiscard]] bool failed() const { return failed_; }  // for another reason than its reader; complaints() found out
  [[nodiscard]] bool on_stdout() const;
  void close_stdout();                                                   // its reader left
  void refuse(const std::optional<FileId> &input) const;                 // throws Error if one of them is this file
  [[nodiscard]] bool text_on_stdout() const { return text_on_stdout_; }  // whose reader sees the losses there

 private:
  std::vector<std::unique_ptr<Sink>> sinks_;
  std::vector<Sink *> recorders_;  // those of them that want records
  bool text_on_stdout_ = false;
  std::vector<const Sink *> told_;
  bool failed_ = false;
};

}  // namespace strata
