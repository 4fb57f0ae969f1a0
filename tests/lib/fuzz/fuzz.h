// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the fuzz targets share: a property that a fuzzer notices when it does not hold, and outputs that are read back.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "render/sink.h"

namespace strata {

inline void require(bool holds) {
  if (!holds) __builtin_trap();
}

// A file in memory, with a name by which it can be opened again.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("fuzz", MFD_CLOEXEC)) { require(static_cast<bool>(fd_)); }

  [[nodiscard]] std::string name() const { return "/proc/self/fd/" + std::to_string(fd_.get()); }

  void write(std::string_view text) {
    require(ftruncate(fd_.get(), 0) == 0);
    require(pwrite(fd_.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  }

  [[nodiscard]] std::string text() const {
    struct stat status = {};
    require(fstat(fd_.get(), &status) == 0);
    std::string text(static_cast<size_t>(status.st_size), '\0');
    require(pread(fd_.get(), text.data(), text.size(), 0) == status.st_size);
    return text;
  }

 private:
  Fd fd_;
};

// A sink whose output can be looked at.
class Rendered {
 public:
  explicit Rendered(std::unique_ptr<Sink> (*make)(Writer)) : sink_(make(Writer(file_.name()))) {}

  void put(const Item &item) const { sink_->put(item); }
  [[nodiscard]] std::string text() const {
    sink_->writer().close();
    require(sink_->writer().error() == 0);
    return file_.text();
  }

 private:
  MemoryFile file_;
  std::unique_ptr<Sink> sink_;
};

// fn(line), without its end; every line has one.
template <typename F>
void each_line(std::string_view text, F &&fn) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    require(end != std::string_view::npos);
    fn(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
}

// Nothing in it reaches a terminal but text.
inline void require_printable(std::string_view text) {
  each_line(text, [](std::string_view line) { require(printable(line) == line); });
}

// By a sentence that begins with the name of the file.
inline void require_refused(const Error &error, std::string_view file) {
  const std::string what = error.what();
  require(error.exit_status() == kUsageStatus && what.starts_with(file));
  require_printable(what + "\n");
}

// What a page shows: nothing in it ends its element before its end.
inline std::string page_data(std::string_view page) {
  const std::string_view begin = "id=\"data\">", end = "</script>";
  require(page.find(begin) != page.npos);
  page.remove_prefix(page.find(begin) + begin.size());
  require(page.find(end) != page.npos);
  return std::string(page.substr(0, page.find(end)));
}

inline nlohmann::json parsed_json(std::string_view text) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  require(!json.is_discarded());
  return json;
}

inline void require_json_lines(std::string_view text) {
  each_line(text, [](std::string_view line) { require(parsed_json(line).is_object()); });
}

}  // namespace strata
