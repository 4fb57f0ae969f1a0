// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/stacks.h"

#include <bpf/bpf.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <set>

#include "base/clock.h"
#include "base/error.h"
#include "bpf/page_shift.h"
#include "cli/values.h"
#include "run/session.h"
#include "subsys/code_place.h"
#include "subsys/process_filter.h"

namespace strata {
namespace {

// After so many ms a program is looked at again: its loader maps libraries, and then itself some.
constexpr unsigned kLooksMs[] = {1, 2, 5, 20, 70, 300};

constexpr std::string_view kCut[STACK_ENDS] = {"",
                                               "the process is not known",
                                               "an address in no mapping",
                                               "code without unwind information",
                                               "unwind information of a rare kind",
                                               "its memory cannot be read",
                                               "too deep",
                                               "a 32-bit program",
                                               "it slept since before the run"};

constexpr uint32_t kMemories = 4096;  // of threads and their system calls, 0.7 KiB each

constexpr uint64_t kCollectEveryNs = 100'000'000;  // it takes some milliseconds

template <typename Key>
std::vector<Key> keys_of(int map) {
  std::vector<Key> keys;
  for (Key key = {}; bpf_map_get_next_key(map, keys.empty() ? nullptr : &keys.back(), &key) == 0;) keys.push_back(key);
  return keys;
}

// Their numbers. One that ended while it was looked at is there still.
std::set<uint32_t> live_processes(const Object &object) {
  const int map = object.map_fd("stack_processes");
  std::set<uint32_t> numbers;
  stack_process process = {};
  for (const uint32_t tgid : keys_of<uint32_t>(map)) {
    if (kill(static_cast<pid_t>(tgid), 0) != 0 && errno == ESRCH)
      bpf_map_delete_elem(map, &tgid);
    else if (bpf_map_lookup_elem(map, &tgid, &process) == 0)
      numbers.insert(process.number);
  }
  return numbers;
}

std::set<uint32_t> processes_of_stacks(const Object &object) {
  const int map = object.map_fd("stacks");
  std::set<uint32_t> numbers;
  stack one = {};
  for (const uint64_t key : keys_of<uint64_t>(map))
    if (bpf_map_lookup_elem(map, &key, &one) == 0) numbers.insert(one.process);
  return numbers;
}

// A file each, of which a host may have a thousand.
void allow_descriptors() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// What separates frames in an output cannot be in a name.
std::string one_frame(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\n' || c == ';'; }, '?');
  return name;
}

std::string why_cut(const stack &one) {
  return one.end == STACK_WHOLE || one.end >= STACK_ENDS ? "" : "[truncated: " + std::string(kCut[one.end]) + "]";
}

// Of those that the tool has besides.
void leave_out_user(Object &object) {
  object.set_constant("stack_user", false);
  object.enable({"stack_fork", "stack_exit"}, false);
  for (const char *map : {"stack_processes", "stack_files", "stack_memories", "stack_mappings", "stack_pages",
                          "stack_chunks", "stack_rules"})
    object.set_max_entries(map, 1);
}

}  // namespace

Stacks::Stacks(Session &session, Object &object) : session_(session), object_(object) {
  uint64_t seed = 0;
  if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) throw system_error("cannot get random bytes");
  object.set_constant("stack_seed", seed);
  set_page_shift(object, "stack_page_shift");
  const Values &values = session.values();
  if (values.given("user-stacks")) reject_options(values, {"kernel-stacks"}, "has nothing to show with --user-stacks");
  object.set_constant("stack_user", !values.given("kernel-stacks"));
  object.set_constant("stack_kernel", !values.given("user-stacks"));
  lines_ = values.given(kLinesOption.name);
  offsets_ = values.given(kOffsetsOption.name);
  if (session.out().wants_stacks()) reject_options(values, {"offsets"}, "is for text and json, not for pictures");
  session.keep(kToSeeProcesses | kToReadSymbols);
}

void Stacks::leave_out(Object &object) {
  leave_out_user(object);
  object.set_constant("stack_kernel", false);
  object.set_max_entries("stacks", 1);
}

void Stacks::only_innermost() {
  object_.set_constant("stack_innermost", true);
  innermost_ = offsets_ = true;
}

// STRATA_WALK_TWICE: for a test, which sees in a loss whether what is remembered is right.
void Stacks::remember_walks() {
  object_.set_constant("stack_remembers", true);
  object_.set_constant("stack_walks_twice", getenv("STRATA_WALK_TWICE") != nullptr);
  object_.set_max_entries("stack_memories", kMemories);
}

StackReader Stacks::reader(Session &session, Object &object) {
  const auto stacks = std::make_shared<Stacks>(session, object);
  stacks->remember_walks();
  return {.start = [stacks] { stacks->start(); },
          .frames = [stacks](uint64_t key, const KernelName &kernel_name) { return stacks->frames(key, kernel_name); }};
}

StackReader Stacks::kernel_reader(Session &session, Object &object) {
  StackReader reader = Stacks::reader(session, object);
  leave_out_user(object);
  reader.start = {};
  return reader;
}

StackReader Stacks::user_reader(Session &session, Object &object) {
  StackReader reader = Stacks::reader(session, object);
  object.set_constant("stack_kernel", false);
  return reader;
}

Source Stacks::with_stacks(Source source) {
  source.open = [this, open = std::move(source.open)] {
    start();
    return open();
  };
  source.frames = [this](uint64_t key, const KernelName &kernel_name) { return frames(key, kernel_name); };
  return source;
}

void Stacks::start() {
  allow_descriptors();
  tables_ = std::make_unique<Tables>(object_);
  room_.add(0, static_cast<uint32_t>(tables_->mappings.size()));
  requests_ = std::make_unique<Ring>(object_.map_fd("stack_requests"));
  for (const uint32_t tgid : processes_at_start(session_)) look_at(tgid);
  // A command's libraries are not mapped yet; those of whoever started strata are mostly the same.
  if (session_.traced_command() != 0) read_files_of(static_cast<uint32_t>(getppid()));
  session_.loop().watch(requests_->fd(), [this] {
    requests_->consume([this](const void *record, size_t size) {
      if (size >= sizeof(stack_request)) on_request(*static_cast<const stack_request *>(record));
    });
  });
  timer_ = Fd(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!timer_) throw system_error("cannot make a timer");
  session_.loop().watch(timer_.get(), [this] {
    uint64_t expirations = 0;
    if (read(timer_.get(), &expirations, sizeof(expirations)) == sizeof(expirations)) look_again();
  });
}

void Stacks::on_request(const stack_request &request) {
  if (request.began != 0) perf_maps_.erase(request.tgid);
  look_at(request.tgid, request.began != 0);
  if (request.began == 0) return;
  young_.emplace_back(request.tgid, 0);
  wake_after(kLooksMs[0]);
}

void Stacks::wake_after(uint64_t ms) {
  const itimerspec when = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = static_cast<long>(ms * 1'000'000)}};
  timerfd_settime(timer_.get(), 0, &when, nullptr);
}

void Stacks::look_again() {
  unsigned next = UINT32_MAX;
  for (auto &[tgid, age] : young_) {
    look_at(tgid);
    if (++age < std::size(kLooksMs)) next = std::min(next, kLooksMs[age]);
  }
  std::erase_if(young_, [](const auto &one) { return one.second == std::size(kLooksMs); });
  if (!young_.empty()) wake_after(next);
}

// Of what it had mapped last; 0 if nothing is known.
uint32_t Stacks::number_of(uint32_t tgid) const {
  const auto at = known_.find(tgid);
  return at == known_.end() ? 0 : at->second;
}

void Stacks::look_at(uint32_t tgid, bool began) {
  const std::vector<CodeMapping> mappings = code_mappings(tgid);  // none: it is gone, or a kernel thread
  if (!mappings.empty()) keep_mappings(tgid, mappings);
  if (on_look_ && (began || !mappings.empty())) on_look_(tgid, mappings);
}

void Stacks::keep_mappings(uint32_t tgid, const std::vector<CodeMapping> &mappings) {
  uint32_t number = number_of(tgid);
  const auto same = [&](const Process &process) {
    return std::equal(mappings.begin(), mappings.end(), process.parts.begin(), process.parts.end(),
                      [](const CodeMapping &a, const Part &b) { return a == b.mapping; });
  };
  if (number == 0 || !same(processes_.at(number))) {
    const uint32_t added = add_process(tgid, mappings);
    if (added == 0) return;  // no room: its stacks stay cut short, and are counted as such
    known_[tgid] = number = added;
  }
  const Process &process = processes_.at(number);
  const stack_process entry = {.requested_ns = monotonic_ns(),
                               .number = number,
                               .first = process.first,
                               .mappings = static_cast<uint32_t>(process.parts.size()),
                               .zero = 0};
  bpf_map_update_elem(object_.map_fd("stack_processes"), &tgid, &entry, BPF_ANY);
}

uint32_t Stacks::add_process(uint32_t tgid, const std::vector<CodeMapping> &mappings) {
  const std::optional<uint32_t> first = room_for(static_cast<uint32_t>(mappings.size()));
  if (!first) return 0;
  Process process = {.parts = {}, .first = *first, .perf_map = nullptr};
  for (const CodeMapping &mapping : mappings) {
    CodeFile *file = file_of(tgid, mapping);
    const std::optional<uint64_t> bias = file == nullptr ? std::nullopt : file->bias(mapping);
    if (!bias) file = nullptr;
    if (file == nullptr && process.perf_map == nullptr) process.perf_map = perf_map_of(tgid);
    tables_->mappings[*first + process.parts.size()] = {.from = mapping.from,
                                                        .to = mapping.to,
                                                        .bias = bias.value_or(0),
                                                        .page = file == nullptr ? 0 : file->page,
                                                        .tables = file != nullptr && file->tables};
    process.parts.push_back({.mapping = mapping, .file = file, .bias = bias.value_or(0)});
  }
  processes_.emplace(++last_number_, std::move(process));
  return last_number_;
}

std::optional<uint32_t> Stacks::room_for(uint32_t mappings) {
  if (const std::optional<uint32_t> first = room_.take(mappings)) return first;
  const uint64_t now = monotonic_ns();
  if (now - collected_ns_ < kCollectEveryNs) return std::nullopt;
  collected_ns_ = now;
  collect();
  return room_.take(mappings);
}

// Programs find what stack_processes has. One that has found an entry just before it was deleted is waited for (RCU's
// readers, which programs are, end before membarrier does), and its stack is there then. The second look finds a child
// that the first one missed while its parent ended.
void Stacks::collect() {
  std::set<uint32_t> live = live_processes(object_);
  syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
  live.merge(live_processes(object_));
  const std::set<uint32_t> named = processes_of_stacks(object_);
  std::erase_if(known_, [&](const auto &one) { return !live.contains(one.second); });
  std::erase_if(perf_maps_, [&](const auto &one) { return !known_.contains(one.first); });
  std::erase_if(processes_, [&](const auto &one) { return !live.contains(one.first) && !named.contains(one.first); });
  std::map<uint32_t, size_t> used;  // mappings by the first
  for (const auto &[number, process] : processes_)
    if (live.contains(number)) used[process.first] = process.parts.size();
  uint32_t end = 0;
  room_.clear();
  for (const auto &[first, count] : used) {
    room_.add(end, first - end);
    end = first + static_cast<uint32_t>(count);
  }
  room_.add(end, static_cast<uint32_t>(tables_->mappings.size()) - end);
}

void Stacks::read_files_of(uint32_t tgid) {
  for (const CodeMapping &mapping : code_mappings(tgid)) file_of(tgid, mapping);
}

CodeFile *Stacks::file_of(uint32_t tgid, const CodeMapping &mapping) {
  if (mapping.file.empty()) return nullptr;
  const auto [at, is_new] = files_.try_emplace(mapping.file);
  if (!is_new) return at->second.get();
  const bool is_vdso = mapping.file.front() == '[';
  const MappedFile place = mapping.place();
  Fd opened = is_vdso ? copy_of_vdso() : open_mapped(tgid, place);
  if (!opened) return nullptr;
  Fd root = open_root(tgid);
  const FileId root_id = file_id(root.get());
  const Fd &kept_root = roots_.try_emplace(root_id, std::move(root)).first->second;
  const std::string path = is_vdso ? mapping.file : path_below_root(tgid, place.path);
  at->second = std::make_unique<CodeFile>(std::move(opened), path, kept_root);
  add_table(*at->second);
  if (!is_vdso) add_file(mapping, *at->second);
  return at->second.get();
}

std::shared_ptr<PerfMap> Stacks::perf_map_of(uint32_t tgid) {
  std::shared_ptr<PerfMap> &map = perf_maps_[tgid];
  if (map == nullptr) map = std::make_shared<PerfMap>(tgid);
  return map;
}

// Rows of a page lie in one chunk. A file that finds no room has no tables, and its code is not known.
void Stacks::add_table(CodeFile &file) {
  const UnwindTable table = file.read_table(rules_);
  Tables &to = *tables_;
  if (table.pages.empty()) return;
  file.page = static_cast<uint32_t>(to.pages_used - table.first_page);
  file.tables = true;
  for (; to.rules_used < rules_.all().size(); to.rules_used++) to.rules[to.rules_used] = rules_.all()[to.rules_used];
  for (const unwind_page &page : table.pages) {
    if (to.pages_used == to.pages.size()) return;
    if (to.rows_used + page.rows > UNWIND_ROWS) {
      if (to.chunks_used < STACK_CHUNKS)
        to.chunk = MappedArray<stack_chunk>(object_, "stack_chunks", to.chunks_used, 1);
      to.chunks_used++;
      to.rows_used = 0;
    }
    stack_page &out = to.pages[to.pages_used++];
    out = {.chunk = static_cast<uint32_t>(to.chunks_used - 1), .page = page};
    out.page.first = static_cast<uint32_t>(to.rows_used);
    if (to.chunks_used <= STACK_CHUNKS)
      std::copy_n(table.rows.begin() + page.first, page.rows, to.chunk[0].rows + to.rows_used);
    to.rows_used += page.rows;
  }
}

// For where the kernel alone knows yet what is mapped. The code of a file is one mapping, whose bias this is.
void Stacks::add_file(const CodeMapping &mapping, CodeFile &file) {
  const std::optional<uint64_t> bias = file.bias(mapping);
  const FileId id = mapping.id();
  if (!bias || numbered_.size() == STACK_FILES) return;
  const stack_file_id key = {.ino = id.ino, .dev = static_cast<uint32_t>(id.dev), .zero = 0};
  const stack_file entry = {.bias = mapping.offset - (mapping.from - *bias),
                            .page = file.page,
                            .tables = file.tables,
                            .number = static_cast<uint32_t>(numbered_.size()),
                            .zero = 0};
  numbered_.push_back(&file);
  bpf_map_update_elem(object_.map_fd("stack_files"), &key, &entry, BPF_ANY);
}

Stacks::Code Stacks::code_of(uint32_t number, uint64_t frame) const {
  if ((frame & STACK_OF_FILE) != 0) {
    const size_t file = (frame & ~STACK_OF_FILE) >> STACK_FILE_SHIFT;
    const uint64_t address = frame & ((uint64_t{1} << STACK_FILE_SHIFT) - 1);
    return {.file = file < numbered_.size() ? numbered_[file] : nullptr, .address = address};
  }
  const auto process = processes_.find(number);
  if (process == processes_.end()) return {};
  const std::vector<Part> &parts = process->second.parts;
  auto at = std::upper_bound(parts.begin(), parts.end(), frame,
                             [](uint64_t wanted, const Part &part) { return wanted < part.mapping.from; });
  if (at == parts.begin() || frame >= (--at)->mapping.to) return {};
  return {.file = at->file, .address = frame - at->bias, .of = &process->second, .part = &*at};
}

std::string Stacks::user_frame(uint32_t number, uint64_t frame, FrameOffset offset) const {
  const Code code = code_of(number, frame);
  if (code.file != nullptr) return code.file->function(code.address, offset);
  if (code.part == nullptr) return "[unknown]";
  const std::string name = code.of->perf_map == nullptr ? "" : code.of->perf_map->name(frame);
  if (!name.empty()) return name + "_[j]";  // also in memory that has a name, as memfd of .NET
  return code.part->mapping.file.empty() ? "[code without a file]" : "[unreadable file]";
}

std::vector<std::string> Stacks::user_frames(uint32_t number, uint64_t frame, FrameOffset offset) const {
  const Code code = lines_ ? code_of(number, frame) : Code{};
  if (code.file != nullptr) return code.file->functions(code.address, offset);
  return {user_frame(number, frame, offset)};
}

std::string Stacks::function(uint32_t tgid, uint64_t address) {
  if (number_of(tgid) == 0) look_at(tgid);
  const uint32_t number = number_of(tgid);
  return number == 0 || code_of(number, address).part == nullptr ? "" : user_frame(number, address, own_offset());
}

bool Stacks::runs_in(const CodePlace &place, uint64_t key) {
  stack found = {};
  if (bpf_map_lookup_elem(object_.map_fd("stacks"), &key, &found) != 0) return false;
  if (found.kernel_frames != 0)
    return place.has({.address = found.kernel[0], .function = name_of_kernel_address(found.kernel[0]), .kernel = true});
  if (found.user_frames == 0) return false;
  const uint64_t frame = found.user[0] & ~STACK_GUESS;
  const Code code = code_of(found.process, frame);
  return place.has({.address = code.part == nullptr ? 0 : frame,
                    .function = user_frame(found.process, frame, own_offset()),
                    .file = code.file == nullptr ? "" : code.file->name(),
                    .address_in_file = code.address});
}

std::string Stacks::frames(uint64_t key, const KernelName &kernel_name, bool offsets) {
  stack found = {};
  std::string text;
  if (bpf_map_lookup_elem(object_.map_fd("stacks"), &key, &found) != 0) return text;
  const auto add = [&](std::string name) { (text += text.empty() ? "" : "\n") += one_frame(std::move(name)); };
  const size_t kernel_frames = std::min<size_t>(found.kernel_frames, STACK_KERNEL_FRAMES);
  const std::vector<uint64_t> kernel(found.kernel, found.kernel + kernel_frames);
  for (const std::string &name : kernel_functions(kernel, kernel_name))
    add(offsets ? name + "_[k]" : kernel_frame(name));
  for (uint32_t i = 0; i < std::min<uint32_t>(found.user_frames, STACK_USER_FRAMES); i++) {
    const FrameOffset offset = offsets ? offset_of(i) : FrameOffset::kNone;
    std::vector<std::string> names = user_frames(found.process, found.user[i] & ~STACK_GUESS, offset);
    if ((found.user[i] & STACK_GUESS) != 0) names.back() += "_[g]";
    for (std::string &name : names) add(std::move(name));
  }
  if (const std::string cut = why_cut(found); !cut.empty()) add(cut);
  return text;
}

std::vector<Stacks::Frame> Stacks::user_part(uint64_t key) {
  stack found = {};
  std::vector<Frame> all;
  if (bpf_map_lookup_elem(object_.map_fd("stacks"), &key, &found) != 0) return all;
  for (uint32_t i = 0; i < std::min<uint32_t>(found.user_frames, STACK_USER_FRAMES); i++) {
    const uint64_t frame = found.user[i] & ~STACK_GUESS;
    const Code code = code_of(found.process, frame);
    const bool in_file = (frame & STACK_OF_FILE) != 0;
    all.push_back({.address = (in_file ? code.address : frame) + std::min(i, 1U),
                   .in_memory = !in_file,
                   .function = one_frame(user_frame(found.process, frame, offset_of(i))),
                   .file = code.file == nullptr ? "" : one_frame(code.file->path())});
  }
  if (const std::string cut = why_cut(found); !cut.empty()) all.push_back({.function = cut});
  return all;
}

}  // namespace strata
