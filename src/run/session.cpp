// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The order of a run, in one place: outputs, command, filters, loop, losses, end.
#include "run/session.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/outlet.h"
#include "base/own_pages.h"
#include "base/terminal.h"
#include "base/text.h"
#include "bpf/filter.h"
#include "bpf/log.h"
#include "bpf/object.h"
#include "bpf/ring.h"
#include "bpf/thinning.h"
#include "btf/kernel_types.h"
#include "cli/values.h"
#include "kern/users.h"
#include "model/column_choice.h"
#include "rec/names.h"
#include "run/cgroup_choice.h"
#include "run/histogram.h"
#include "run/intervals.h"
#include "run/kernel_symbolizer.h"
#include "run/resolver.h"
#include "run/start_time.h"
#include "run/task_groups.h"
#include "run/tool.h"
#include "run/unused_maps.h"
#include "run/view_options.h"

namespace strata {
namespace {

constexpr size_t kReserveBytes = 1 << 20;
constexpr uint64_t kSecondNs = 1'000'000'000;

uint64_t number_of(const Option &option, const Values &values) {
  if (option.kind == OptionKind::kSwitch) return values.given(option.name);
  if (option.kind != OptionKind::kChoice) return values.number(option.name);
  const std::vector<std::string_view> words = words_of(option.value);
  return static_cast<uint64_t>(std::find(words.begin(), words.end(), values.text(option.name)) - words.begin());
}

// What an option sets in the programs besides what the tool does.
void set_constants(Object &object, const Option &option, const Values &values) {
  if (!option.constant_if_given.empty()) object.set_constant(option.constant_if_given, values.given(option.name));
  if (!option.constant.empty()) object.set_number(option.constant, number_of(option, values));
}

void log_choices(const std::vector<Object::Choice> &choices) {
  for (const Object::Choice &choice : choices) {
    const std::string target = choice.target.empty() ? "" : " (" + choice.target + ")";
    const std::string how = choice.variant.empty() ? "not used: " + choice.why : choice.variant + target;
    say("hook %s: %s\n", choice.hook.c_str(), printable(how).c_str());
  }
}

// Of the command; none: strata's own.
std::optional<User> user_of(const Values &values) {
  if (!values.given("user")) return std::nullopt;
  const std::string &name = values.text("user");
  if (geteuid() != 0) throw Error("cannot run a command as " + printable(name) + ": only root can become another user");
  std::optional<User> user = find_user(name);
  if (!user) throw Error("no such user in /etc/passwd, where alone strata looks: '" + printable(name) + "'");
  return user;
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

std::string kernel_release() {
  utsname names = {};
  uname(&names);
  return names.release;
}

}  // namespace

Session::Session(const Tool &tool, const Values &values, std::string program, Session &host,
                 std::function<void()> inside)
    : Session(tool, values, std::move(program), &host) {
  inside_ = std::move(inside);
}

Session::Session(const Tool &tool, const Values &values, std::string program)
    : Session(tool, values, std::move(program), nullptr) {}

Session::Session(const Tool &tool, const Values &values, std::string program, Session *host)
    : tool_(&tool),
      view_(selected_view(tool, values)),
      values_(values),
      run_values_(&values),
      program_(std::move(program)),
      clocks_(Clocks::now()),
      reserve_(std::make_unique_for_overwrite<char[]>(kReserveBytes)),
      outputs_(requests_of(tool, view_, values)),
      host_(host) {
  if (values.given("start-at")) start_ns_ = start_time_ns(values.text("start-at"), clocks_);
  if (!tool.replays) show(tool, view_);  // those show what was recorded
  capture_libbpf_log();
  show_libbpf_log(values.given("verbose"));
  if (values.given("count") && values.duration_ns("interval") == 0 && outputs_.interval_ns() == 0)
    throw usage_error("--count counts intervals, and there is one: say how long each is (-i 1)");
  check_recorder();
  if (outputs_.replaces_file()) keep(kToReplaceFiles);
  find_processes();
  renew();
  begin_recorder();
}

Session::~Session() = default;

void Session::renew() {
  if (host_ == nullptr) {
    own_loop_.reset();
    command_status_.reset();
    needs_ &= ~kToRunAgain;
    if (!values_.command().empty())  // before signals are blocked
      own_command_ = std::make_unique<Command>(values_.command(), user_of(values_));
    own_loop_ = std::make_unique<Loop>();
  }
  command_ = host_ != nullptr ? host_->command_ : own_command_.get();
  loop_ = host_ != nullptr ? host_->loop_ : own_loop_.get();
}

void Session::show(const Tool &tool, const View *view) {
  tool_ = &tool;
  view_ = view;
  columns_ = followed() != nullptr ? strata::columns_of(*followed())
                                   : strata::columns_of(view != nullptr ? record_of(*view).fields : tool.fields);
  if (has_stacks()) columns_.push_back(kEventStack);
  if (lead_) columns_.insert(columns_.begin(), *lead_);
  add_owners();
  choose_columns();
  when_.reset();
  if (!columns_.empty() && followed() == nullptr && !when().empty()) when_.emplace("when", when(), columns_);
  const Values &sorted = values_with("sort");  // before anything is opened, as --columns
  if (columns_.empty()) return;
  const bool histograms = view != nullptr && std::holds_alternative<HistogramSpec>(view->shape);
  const std::vector<Field> sortable = histograms ? sortable_of_histograms(columns_) : columns_;
  if (sorted.given("sort")) column_named(sortable, "sort", sorted.text("sort"));
  const auto is_key = [this](const Field &column) { return applies(column); };
  if (histograms && std::none_of(columns_.begin() + 1, columns_.end(), is_key))
    reject_options(values_, {"sort", "rows"}, "is for several histograms, and this is one");
}

// What a recorder has written is what came before: all of it is to be seen.
std::string Session::when() const {
  const Values &values = values_with("when");
  const bool recorder = replay_ && !values_.given("when") && values.given("last");
  return values.given("when") && !recorder ? values.text("when") : "";
}

bool Session::shows(std::string_view option) const { return view_ != nullptr && view_->option == option; }

const Values &Session::values_with(std::string_view option) const {
  return values_.given(option) || run_values_ == nullptr ? values_ : *run_values_;
}

// A comparison has no such option, nor has a recording that does not know its options.
uint64_t Session::limit() const {
  const Values &values = values_with("limit");
  return values.given("limit") ? values.number("limit") : 0;
}

bool Session::holds(std::string_view conditions) const {
  return options_known() && any_holds(*run_values_, conditions);
}

bool Session::has_stacks() const {
  return tool_->stacks.elf != nullptr && holds(kStackWanted) && view_ != nullptr &&
         std::holds_alternative<EventSpec>(view_->shape);
}

bool Session::applies(const Field &column) const {
  return column.with.empty() || !options_known() || holds(column.with);
}

void Session::set_column(const Field &column) {
  for (Field &one : columns_)
    if (one.key == column.key) one = column;
  choose_columns();
}

void Session::replay(const Tool &tool, const View *view, const Values *run_values) {
  replay_ = true;
  run_values_ = run_values;
  requests_of(tool, view, values_);  // the outputs are open, but may not be this tool's
  show(tool, view);
}

void Session::prepare(Object &object) {
  const uint32_t has = tool_->common_options | (view_ != nullptr ? common_options_of(*view_) : 0);
  if (has & kHasBuffer) {  // a view of counters leaves the ring small
    set_ring_bytes(object, values_.given("buffer") ? values_.number("buffer") : usual_ring_bytes(tool_->ring_bytes));
  }
  if (view_ != nullptr) shrink_unused_maps(object, tool_->views, *view_);
  for (const Option &option : tool_->options) set_constants(object, option, values_);
  const Filter filter(filter_request());
  filter.prepare(object);
  prepare_owners(object);
  if (allows_thinning_) strata::allow_thinning(object);
  object.load();
  filter.fill(object);
  if (object.samples()) {
    keep(kToAttach);
    loop_->every(kSecondNs, [&object] { object.follow_cpus(); });
  }
  if (fill_) fill_();
  if (values_.given("verbose")) log_choices(object.chosen());
  if (host_ == nullptr) forget_kernel_types();
  object_ = &object;
  if (!start_ns_) return;
  // Programs are loaded, which takes longest, and not attached.
  if (is_attended()) say("%s: loaded; begins at %s\n", program_.c_str(), printable(values_.text("start-at")).c_str());
  wait_until(*start_ns_, loop_->ending());
  clocks_ = Clocks::now();  // one of them may have been set meanwhile
}

// That a recording of it may have.
std::vector<const RecordType *> Session::records_of_view() const {
  if (view_ == nullptr) return {};
  std::vector<const RecordType *> records = {&record_of(*view_)};
  if (!std::holds_alternative<EventSpec>(view_->shape)) records.push_back(&kIntervalRecord);
  if (has_stacks()) records.push_back(&kEventStackRecord);
  if (owned_process() != nullptr) records.push_back(&kTaskGroupRecord);
  records.insert(records.end(), Resolver::types().begin(), Resolver::types().end());
  return records;
}

void Session::begin(std::span<const RecordType *const> records) {
  begin({.program = program_,
         .version = STRATA_VERSION,
         .host = host_name(),
         .kernel = kernel_release(),
         .options = values_.arguments(),
         .has_options = true,
         .command = values_.command(),
         .clocks = clocks_},
        records);
}

void Session::begin(RecordingHead head, std::span<const RecordType *const> records) {
  if (std::exchange(begun_, true)) return;
  RunInfo info = {.tool = tool_->name, .head = std::move(head), .replay = replay_, .records = records_of_view()};
  if (followed() == nullptr) {  // a sample has its columns with it
    info.columns = columns_;
    info.shown = shown_;
    info.data = data_;
  } else {
    info.procedure = followed()->name;
  }
  info.records.insert(info.records.end(), records.begin(), records.end());
  if (view_ != nullptr) {
    info.tables = std::holds_alternative<TableSpec>(view_->shape);
    if (const auto *table = std::get_if<TableSpec>(&view_->shape);
        table && !table->rate.empty() && options_known() && !holds(table->rate_unless))
      info.sample_ns = kSecondNs / run_values_->number(table->rate);
    info.lines = std::holds_alternative<LinesSpec>(view_->shape);
    info.refreshed = info.tables && !replay_ && !command_ && values_.duration_ns("interval") != 0;
    info.distributions = std::holds_alternative<HistogramSpec>(view_->shape);
    if (const Entries *rows = entries_of_rows(*view_)) {
      for (size_t i = 0; i < columns_.size(); i++)
        if (is_counter(columns_[i], *rows)) info.counters.push_back(i);
      std::ranges::copy_if(shown_, std::back_inserter(info.labels),
                           [&](size_t i) { return is_label(columns_[i], *rows); });
    }
  }
  if (!replay_ && values_.given("last"))
    info.bounds = {.last_ns = values_.duration_ns("last"), .at_end = when().empty()};
  if (!replay_ && bounds_size()) info.bounds.most_bytes = values_.number("max-size");
  outputs_.put(info);
  outputs_.flush();
}

void Session::run_inside() {
  if (attached_) attached_();
  begin();
  host_->object_ = object_;
  host_->keep(needs_);
  inside_();
}

void Session::run() {
  if (host_ != nullptr) return run_inside();
  forget_kernel_types();  // of what the guests have loaded, each with what the one before it read
  drop_own_pages();
  if (values_.given("tree")) follow_tree(*object_);
  if (groups_) {
    follow_groups();
    loop_->every(kSecondNs, [this] { follow_groups(); });
  }
  if (attached_) attached_();
  if (values_.given("duration")) loop_->ending().after(values_.duration_ns("duration"));
  if (is_attended()) say_how_it_ends();
  begin();
  if (outputs_.on_stdout()) {
    loop_->watch_closing(STDOUT_FILENO, [this] { outputs_.close_stdout(); });
  }
  if ((needs_ & kToReadSymbols) != 0) kernel_namer();
  const std::string kept = give_up_privileges(needs_ | (command_ ? kToSignal : 0));
  if (values_.given("verbose")) say("capabilities kept: %s\n", kept.empty() ? "none" : kept.c_str());
  loop_->after_each([this] {
    if (std::exchange(when_held_, false)) write_kept("--when holds");
    outputs_.flush();
    complain();
    if (!outputs_.writable()) loop_->stop(EndReason::kOutputClosed);
  });
  if (command_) {
    if (!values_.given("wait")) loop_->watch(command_->fd(), [this] { loop_->stop(EndReason::kCommandExited); });
    loop_->ending().spare_first_interrupt(true);
    command_->start();
  }
  if (values_.given("wait"))
    end_with_tree();
  else if (!command_)
    end_with_processes();
  within_memory([this] { loop_->run(); });
  end_progress();
}

void Session::say_how_it_ends() {
  std::string text = "tracing";
  if (values_.given("duration"))
    text += " for " + scaled_ns(values_.duration_ns("duration")) + values_.hint("duration");
  const char *until = values_.given("duration") ? " or until " : " until ";
  const std::string ends = values_.given("wait") ? " and what it has started end" : " ends";
  if (command_)
    text += until + printable(command_->name()) + ends;
  else if (!processes_.empty())
    text += until + (values_.numbers("pid").size() > 1 ? "the processes end" : "the process" + ends);
  say("%s: %s; Ctrl-C to end\n", program_.c_str(), text.c_str());
}

// A command writes to the terminal, too: there is no line that is ours.
void Session::show_progress(std::function<std::vector<Loss>()> losses, std::function<std::string()> counted) {
  if (!is_attended() || command_) return;
  loop_->every(kSecondNs, [this, losses = std::move(losses), counted = std::move(counted), begun_ns = monotonic_ns()] {
    std::string text = "\r" + std::to_string((monotonic_ns() - begun_ns) / kSecondNs) + " s";
    if (counted) text += ", " + counted();
    for (const Loss &loss : losses())
      if (loss.count > 0) text += ", lost " + std::to_string(loss.count) + ": " + printable(loss.reason);
    text.resize(std::min(text.size(), text_columns(STDERR_FILENO) - 1));  // a second line could not be gone back over
    say_text(text + "\x1b[K");
    in_progress_ = true;
  });
}

void Session::end_progress() {
  if (std::exchange(in_progress_, false)) say_text("\r\x1b[K");
}

void Session::within_memory(const std::function<void()> &part) {
  try {
    part();
  } catch (const std::bad_alloc &) {
    out_of_memory_ = true;
    reserve_.reset();
    loop_->stop(EndReason::kOutOfMemory);
  }
}

void Session::say_lost(const Loss &loss, const char *since) {
  say("%s: lost %llu%s: %s\n", program_.c_str(), static_cast<unsigned long long>(loss.count), since,
      printable(text_of(loss)).c_str());
}

void Session::warn(std::span<const Loss> losses) {
  outputs_.put(LossesUntilNow{losses});
  if (host_ != nullptr) return;
  for (const Loss &loss : losses) {
    uint64_t &warned = warned_[loss.reason];
    if (const uint64_t n = loss.count - std::exchange(warned, loss.count))
      say_lost({loss.reason, n, loss.advice}, " in this interval");
  }
}

void Session::report(std::vector<Loss> losses) {
  std::erase_if(losses, [](const Loss &loss) { return loss.count == 0; });
  if (std::exchange(when_held_, false)) write_kept("--when holds");
  outputs_.put(Losses{losses});
  if (outputs_.text_on_stdout() || host_ != nullptr) return;
  for (const Loss &loss : losses) say_lost(loss, "");
}

void Session::complain() {
  for (const std::string &sentence : outputs_.complaints()) say("%s: %s\n", program_.c_str(), sentence.c_str());
}

void Session::fail() {
  if (!std::exchange(begun_, false)) return;  // an old file stays as it is
  outputs_.put(Failed());
  outputs_.flush();
}

int Session::finish() {
  if (host_ != nullptr) {
    outputs_.close(loop_->reason());
    return out_of_memory_ ? 1 : 0;
  }
  if (command_has_ended()) loop_->ending().spare_first_interrupt(false);
  // Said before an output that may be stuck: one more Ctrl-C ends that without a word.
  if (command_ && loop_->ending().signal() == SIGINT) command_status();
  outputs_.close(loop_->reason());
  begun_ = false;  // what fails now has its end
  complain();
  if (values_.given("last") && !replay_ && kept_written_ == 0 && !when().empty())
    say("%s: --when never held, and no SIGUSR1 came: nothing is recorded\n", program_.c_str());
  if (counts_seen_ && seen_ == 0 && is_attended()) say("%s: 0 events seen\n", program_.c_str());
  if (out_of_memory_) say("%s: out of memory: what was collected until then is shown\n", program_.c_str());
  const int status = command_status();
  return outputs_.failed() || out_of_memory_ ? 1 : status;
}

}  // namespace strata
