// strata replay: a recording rendered again, by anybody, on any machine, without BPF.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/ending.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "model/column_choice.h"
#include "rec/recording.h"
#include "replay.manual.h"
#include "run/dispatch.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/tool.h"
#include "run/view_options.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {{.name = "FILE", .help = "written by -o record:FILE"}};
constexpr std::string_view kFormats[] = {"text", "json", "csv", "heatmap", "folded", "flame", "perfetto"};

bool is_called(const Tool &tool, std::string_view name) {
  return tool.name == name ||
         std::any_of(tool.links.begin(), tool.links.end(), [&](const Link &link) { return link.name == name; });
}

// "strata follow", "strata-follow" and "follow" are the same tool.
const Tool &tool_of(const std::string &program) {
  const std::string name = program.substr(program.find_last_of(" -") + 1);
  for (const Tool *tool : kTools) {
    if (is_called(*tool, name) && (tool->replay != nullptr || !tool->views.empty())) return *tool;
  }
  throw Error("the recording is of '" + printable(program) + "', which this program cannot replay");
}

// What a recording of a run without known options is of, its first record says.
const View *view_of(const Tool &tool, Recording &recording) {
  std::vector<std::string_view> names;
  for (const View &view : tool.views) names.push_back(record_of(view).name);
  const std::string_view first = recording.first_of(names);
  for (const View &view : tool.views)
    if (record_of(view).name == first) return &view;
  return tool.views.empty() ? nullptr : &tool.views.front();
}

// The options of the run; none where the recording does not have them, or another version wrote some that are not known
// here.
std::optional<Values> run_values_of(const Tool &tool, const RecordingHead &head) {
  if (!head.has_options) return std::nullopt;
  try {
    Values values = parse_arguments(syntax_of(tool, head.program), head.options);
    const View *view = selected_view(tool, values);
    if (view == nullptr) return values;
    const std::vector<Field> columns = columns_of(record_of(*view).fields);
    if (values.given("columns")) columns_named(columns, values.texts("columns"), {});
    if (values.given("sort")) column_named(columns, "sort", values.text("sort"));
    return values;
  } catch (const Error &) {
    return std::nullopt;
  }
}

int run(const Values &values, Session &session) {
  Recording recording(values.operand(0));
  session.out().refuse(recording.regular_file());
  const Tool &tool = tool_of(recording.head().program);
  const std::optional<Values> run_values = run_values_of(tool, recording.head());
  session.replay(tool, run_values ? selected_view(tool, *run_values) : view_of(tool, recording),
                 run_values ? &*run_values : nullptr);
  const int status = tool.replay != nullptr ? tool.replay(recording, session) : replay_view(recording, session);
  return recording.ended() ? 128 + ending_signal() : status;
}

}  // namespace

extern const Tool tool_replay = {
    .name = "replay",
    .summary = "render a recording of another tool again, in any format",
    .manual = kManual,
    .operands = kOperands,
    .common_options = kHasColumns | kHasTable | kHasLimit,
    .formats = kFormats,
    .run = run,
};

}  // namespace strata
