// What a tool is to the library: its tables and one function. tools/NAME.cpp defines `const Tool tool_NAME`; the
// Makefile makes the table of tools from the names of the files.
#pragma once

#include <span>
#include <string_view>

#include "bpf/variant.h"
#include "cli/option.h"
#include "model/column.h"

namespace strata {

class Recording;
class Session;
class Values;

// Another name of a tool, which gives an option: ext4slower is fsslower --type=ext4.
struct Link {
  std::string_view name;
  std::string_view argument;
};

struct Tool {
  std::string_view name;
  std::string_view summary;  // one line, lower case, no full stop
  // For --help, one screen with the tables: paragraphs separated by an empty line; a line that begins with two spaces
  // stays as it is.
  std::string_view manual;
  std::string_view details = {};  // more of them, for `strata help TOOL` and the manual page
  std::span<const Operand> operands = {};
  std::span<const Option> options = {};
  uint32_t takes = kTakesTracing;
  std::string_view interval = {};   // of -i, if it is not given
  uint64_t ring_bytes = 512 << 10;  // for each processor, without --buffer
  std::span<const Link> links = {};
  std::span<const std::string_view> formats = {};                   // the first one is the default
  Schema columns = {};                                              // for the help's FIELDS, and for --columns
  std::span<const Blueprint> loads = {};                            // for doctor: what run() loads
  int (*run)(const Values &values, Session &session) = nullptr;     // the exit status
  int (*replay)(Recording &recording, Session &session) = nullptr;  // the same from a recording of a run
};

}  // namespace strata
