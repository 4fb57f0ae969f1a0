// strata replay: a recording rendered again, by anybody, on any machine, without BPF.
#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "rec/recording.h"
#include "run/dispatch.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {{.name = "FILE", .help = "written by -o record:FILE"}};
constexpr std::string_view kFormats[] = {"text", "json", "csv", "heatmap", "perfetto"};

constexpr std::string_view kManual =
    "A tool that was run with -o record:FILE has stored what the kernel sent, before any of it was interpreted. This "
    "reads such a file and renders it in any format, as any user, on any machine.\n\n"
    "  # strata follow write -o record:night.rec -d 1h\n"
    "  $ strata replay night.rec -o perfetto:night.json\n\n"
    "--columns, --sort and --rows choose as they do in a live run of that tool.\n\n"
    "A recording that was cut short, by a full disk or a crash, is rendered as far as it goes; standard error says so.";

bool is_called(const Tool &tool, std::string_view name) {
  return tool.name == name ||
         std::any_of(tool.links.begin(), tool.links.end(), [&](const Link &link) { return link.name == name; });
}

// "strata follow", "strata-follow" and "follow" are the same tool.
const Tool &tool_of(const std::string &program) {
  const std::string name = program.substr(program.find_last_of(" -") + 1);
  for (const Tool *tool : kTools) {
    if (is_called(*tool, name) && tool->replay != nullptr) return *tool;
  }
  throw Error("the recording is of '" + printable(program) + "', which this program cannot replay");
}

// Options that mean nothing to what was recorded.
void check_options(const Values &values, const Tool &tool) {
  const auto refuse = [&](uint32_t takes, const char *option) {
    if (values.given(option) && !(tool.takes & takes))
      throw usage_error("--" + std::string(option) + " is not for recordings of " + std::string(tool.name));
  };
  refuse(kTakesColumns, "columns");
  refuse(kTakesTable, "sort");
  refuse(kTakesTable, "rows");
}

int run(const Values &values, Session &session) {
  Recording recording(values.operand(0));
  const Tool &tool = tool_of(recording.program());
  check_options(values, tool);
  session.show(tool);
  return tool.replay(recording, session);
}

}  // namespace

extern const Tool tool_replay = {
    .name = "replay",
    .summary = "render a recording of another tool again, in any format",
    .manual = kManual,
    .operands = kOperands,
    .takes = kTakesColumns | kTakesTable,
    .formats = kFormats,
    .run = run,
};

}  // namespace strata
