// The order of a run, in one place: outputs, command, filters, loop, losses, end.
#include "run/session.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "bpf/filter.h"
#include "bpf/log.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "run/tool.h"

namespace strata {
namespace {

std::vector<uint32_t> as_ids(const std::vector<uint64_t> &numbers) { return {numbers.begin(), numbers.end()}; }

FilterRequest filter_request(const Tool &tool, const Values &values, pid_t command) {
  FilterRequest request;
  request.command = command;
  if (!(tool.takes & kTakesFilters)) return request;
  request.tgids = as_ids(values.numbers("pid"));
  request.tids = as_ids(values.numbers("tid"));
  if (values.given("comm")) request.comm = values.text("comm");
  request.cgroup = values.text("cgroup");
  if (values.given("all")) request.command = 0;
  return request;
}

bool offers(const Tool &tool, std::string_view format) {
  return std::find(tool.formats.begin(), tool.formats.end(), format) != tool.formats.end();
}

OutputRequest parse_output(const std::string &text, const Tool &tool) {
  const size_t colon = text.find(':');
  OutputRequest request = {.format = text.substr(0, colon), .file = ""};
  if (colon != std::string::npos) {
    request.file = text.substr(colon + 1);
    if (request.file.empty()) throw usage_error("--output " + printable(text) + " lacks the name of the file");
  }
  if (offers(tool, request.format)) return request;
  throw usage_error("--output takes one of the formats " + comma_list(tool.formats) + ", not '" +
                    printable(request.format) + "'");
}

size_t column_index(Schema columns, std::string_view key) {
  std::string keys;
  for (size_t i = 0; i < columns.size(); i++) {
    if (columns[i].key == key) return i;
    keys += (keys.empty() ? "" : ", ") + std::string(columns[i].key);
  }
  throw usage_error("--columns takes some of " + keys + ", not '" + printable(key) + "'");
}

// So much for each processor that may fill it, 1 to 16 MiB in all. The memory of a ring counts twice: it is mapped
// twice, one after the other, so that no record is cut in two.
uint64_t usual_ring_bytes(uint64_t for_each) {
  const long processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  return std::clamp<uint64_t>(static_cast<uint64_t>(processors) * for_each, 1 << 20, 16 << 20);
}

// As bpf/lib/core/emit.h has it for its own size: eight wake-ups per filled ring.
void set_ring_size(Object &object, uint64_t bytes) {
  const uint32_t size = std::bit_ceil(std::max(static_cast<uint32_t>(bytes), static_cast<uint32_t>(getpagesize())));
  object.set_max_entries("events", size);
  object.set_knob("emit_wake_shift", static_cast<uint32_t>(std::countr_zero(size) - 3));
}

void tell_choices(const std::vector<Object::Choice> &choices) {
  for (const Object::Choice &choice : choices) {
    const std::string target = choice.target.empty() ? "" : " (" + choice.target + ")";
    const std::string how = choice.variant.empty() ? "not used: " + choice.why : choice.variant + target;
    fprintf(stderr, "hook %s: %s\n", choice.hook.c_str(), printable(how).c_str());
  }
}

bool is_shown(const Column &column, const Values &values, bool replay) {
  if (!column.by_default || replay || column.with.empty()) return column.by_default;
  const std::vector<std::string_view> options = words_of(column.with);
  return std::any_of(options.begin(), options.end(), [&](std::string_view name) { return values.given(name); });
}

}  // namespace

std::vector<OutputRequest> output_requests(const Values &values, const Tool &tool) {
  std::vector<OutputRequest> requests;
  for (const std::string &text : values.texts("output")) requests.push_back(parse_output(text, tool));
  if (values.given("json")) requests.push_back(parse_output("json", tool));
  if (requests.empty()) requests.push_back({.format = std::string(tool.formats.front()), .file = ""});
  return requests;
}

std::vector<size_t> shown_columns(const Tool &tool, const Values &values, bool replay) {
  std::vector<size_t> shown;
  if (tool.columns.empty()) return shown;  // of a replay, before the recorded tool is known
  if (!values.given("columns")) {
    for (size_t i = 0; i < tool.columns.size(); i++) {
      if (is_shown(tool.columns[i], values, replay)) shown.push_back(i);
    }
    return shown;
  }
  std::string_view keys = values.text("columns");
  while (true) {
    const size_t comma = keys.find(',');
    shown.push_back(column_index(tool.columns, keys.substr(0, comma)));
    if (comma == std::string_view::npos) return shown;
    keys.remove_prefix(comma + 1);
  }
}

Session::Session(const Tool &tool, const Values &values, std::string program)
    : tool_(tool),
      values_(values),
      program_(std::move(program)),
      clocks_(Clocks::now()),
      replay_(tool.columns.empty()),  // the recorded tool is not known yet
      shown_(shown_columns(tool, values, replay_)),
      outputs_(output_requests(values, tool)) {
  capture_libbpf_log();
  show_libbpf_log(values.given("verbose"));
  if (!values.command().empty()) command_ = std::make_unique<Command>(values.command());  // before signals are blocked
  loop_ = std::make_unique<Loop>();
}

void Session::show(const Tool &tool) {
  output_requests(values_, tool);
  shown_ = shown_columns(tool, values_, replay_);
  tool_ = tool;
}

void Session::show(const Tool &tool, std::vector<Column> columns) {
  Tool shown = tool;
  columns_ = std::move(columns);
  shown.columns = columns_;
  show(shown);
}

Schema Session::columns() const { return tool_.columns; }

bool Session::asks_for_tasks() const {
  const FilterRequest request = filter_request(tool_, values_, command_pid());
  return !request.tgids.empty() || !request.tids.empty() || request.comm || !request.cgroup.empty() ||
         request.command != 0;
}

void Session::prepare(Object &object) {
  if (tool_.takes & kTakesBuffer) {
    set_ring_size(object, values_.given("buffer") ? values_.number("buffer") : usual_ring_bytes(tool_.ring_bytes));
  }
  const Filter filter(filter_request(tool_, values_, command_pid()));
  filter.prepare(object);
  object.load();
  filter.fill(object);
  if (fill_) fill_();
  if (values_.given("verbose")) tell_choices(object.chosen());
}

void Session::attach(Object &object) {
  prepare(object);
  object.attach();
}

void Session::begin(const Clocks &clocks) {
  if (std::exchange(begun_, true)) return;
  outputs_.begin({.program = program_,
                  .clocks = clocks,
                  .columns = tool_.columns,
                  .shown = shown_,
                  .tables = (tool_.takes & kTakesTable) != 0,
                  .distributions = offers(tool_, "heatmap")});
  outputs_.flush();
}

void Session::run() {
  begin();
  loop_->watch_closing(STDOUT_FILENO, [this] { loop_->stop(); });
  loop_->after_each([this] {
    outputs_.flush();
    if (!outputs_.writable()) loop_->stop();
  });
  if (values_.given("duration")) loop_->until(values_.duration_ns("duration"));
  if (command_) {
    loop_->watch(command_->fd(), [this] { loop_->stop(); });
    command_->start();
  }
  loop_->run();
}

void Session::report(std::vector<Loss> losses) {
  std::erase_if(losses, [](const Loss &loss) { return loss.count == 0; });
  outputs_.loss(losses);
  if (outputs_.text_on_stdout()) return;
  for (const Loss &loss : losses) {
    fprintf(stderr, "%s: lost %llu: %s\n", program_.c_str(), static_cast<unsigned long long>(loss.count),
            printable(loss.reason).c_str());
  }
}

int Session::finish() {
  outputs_.end();
  outputs_.check();
  if (!command_) return 0;
  if (loop_->signal() == SIGTERM) command_->terminate();
  return command_->wait();
}

}  // namespace strata
