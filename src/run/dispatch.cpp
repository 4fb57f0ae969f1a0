// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which tool is meant: the name of the program (a link called NAME or strata-NAME, or a binary with one tool), or
// else the first argument.
#include "run/dispatch.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/appended.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/outlet.h"
#include "base/shell.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/help.h"
#include "cli/page.h"
#include "cli/values.h"
#include "render/sink.h"
#include "render/writer.h"
#include "run/completion.h"
#include "run/description.h"
#include "run/find_tool.h"
#include "run/peer_tools.h"
#include "run/session.h"
#include "run/sql_page.h"
#include "run/types_file.h"
#include "skill.manual.h"

namespace strata {
namespace {

// A buffer of that size goes back to the system when it is freed. By itself glibc keeps whatever is as large as the
// largest that was freed, such as a table of the kernel's types.
constexpr int kOwnMappingBytes = 128 << 10;

using Arguments = std::span<const std::string>;

constexpr std::string_view kVersion = STRATA_VERSION;

// A descriptor that is closed would be that of the first file or map that is opened, and get our output or the
// command's. What is written to a closed standard output fails, as it should.
void open_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    open("/dev/null", fd == STDERR_FILENO ? O_RDWR : O_RDONLY);
  }
}

// Memory for what is made of what was collected when the rest is used up. What used it up is told at once; to print has
// a reserve of its own (Session::within_memory).
void keep_reserve() {
  static void *reserve = malloc(2 << 20);
  std::set_new_handler([] {
    free(std::exchange(reserve, nullptr));
    throw std::bad_alloc();
  });
}

constexpr Operand kStrataOperands[] = {{.name = "TOOL", .help = "one of the tools below"}};
constexpr std::string_view kStrataSummary = "shows what a Linux host is doing, layer by layer";

constexpr std::pair<Subsystem, std::string_view> kSubsystems[] = {
    {Subsystem::kProcesses, "processes and system calls"},
    {Subsystem::kCpus, "CPUs"},
    {Subsystem::kFiles, "files"},
    {Subsystem::kDisks, "disks"},
    {Subsystem::kNetwork, "network"},
    {Subsystem::kPlaces, "places of your choice, by bcc's command lines"},
    {Subsystem::kStrata, "strata itself"}};

// A line each, below the subsystem that they are for. On one screen those that strata run is for, too, are names alone.
std::string tools_by_subsystem(Tools tools, bool one_screen = false) {
  std::string text;
  for (const auto &[subsystem, title] : kSubsystems) {
    const bool names_alone = one_screen && subsystem == Subsystem::kPlaces;
    std::string lines;
    for (const Tool *tool : tools)
      if (tool->subsystem == subsystem && names_alone)
        lines += (lines.empty() ? "  " : ", ") + std::string(tool->name);
      else if (tool->subsystem == subsystem)
        lines += "  " + padded(tool->name, -14) + "  " + std::string(tool->summary) + "\n";
    if (names_alone) lines += "\n";
    if (!lines.empty()) text.append(title).append(":\n").append(lines).append(one_screen ? "" : "\n");
  }
  return text;
}

std::string list_of_tools(Tools tools) {
  return "usage: strata TOOL [OPTION]... [-- COMMAND...]\n" + tools_by_subsystem(tools, true) +
         "See strata help TOOL, strata list --all (other suites' names), strata help skill\n";
}

std::string strata_page(Tools tools) {
  return man_page(
      {.syntax = {.program = "strata", .operands = kStrataOperands, .options = {}, .common_options = kHasCommand},
       .name = "strata",
       .summary = kStrataSummary,
       .page = {.help = "Each tool has a manual page of its own, and is installed as strata-TOOL too. Without an "
                        "installation `source <(strata --completion bash)`, or zsh, completes command lines if strata "
                        "is in PATH, and in fish `strata --completion fish | source`.\n\n" +
                        tools_by_subsystem(tools),
                .more = formats_text()},
       .columns = {},
       .formats = {}},
      kVersion);
}

Manual manual_of(const Tool &tool, const std::string &program, const Link *link = nullptr) {
  Manual manual = {.syntax = syntax_of(tool, program, link),
                   .name = tool.name,
                   .summary = tool.summary,
                   .page = parse_page(tool.manual),
                   .columns = columns_of(tool),
                   .formats = {}};
  const std::vector<std::string_view> formats = formats_of(tool);
  for (const std::string_view format : formats) {
    const std::string_view marked = format == formats.front() ? "; the default" : "";
    manual.formats.emplace_back(format, std::string(describe_format(format)).append(marked));
  }
  return manual;
}

[[noreturn]] void reject_tool(Tools tools, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Tool *tool : tools) {
    names.push_back(tool->name);
    for (const Link &link : tool->links) names.push_back(link.name);
  }
  std::string why = answer_of(name);
  if (find_tool(tools, bare_name(name))) why = " (it is strata " + std::string(bare_name(name)) + " here)";
  throw usage_error("no such tool: '" + printable(name) + "'" + (why.empty() ? meant(name, names) : why));
}

// strata help --json [TOOL]
std::string description(Tools tools, Arguments which) {
  if (which.empty()) return description_of(tools, kVersion);
  const Found found = find_tool(tools, which[0]);
  if (!found) reject_tool(tools, which[0]);
  return description_of(*found.tool);
}

// strata help TOOL, strata help options, strata help skill, strata help sql
std::string help_on(Tools tools, const std::string &what) {
  if (what == "options") {
    std::vector<Entry> formats;
    for (const std::string_view format : format_names()) formats.emplace_back(format, describe_format(format));
    return common_options_text(formats);
  }
  if (what == "skill") return std::string(kManual);
  if (what == "sql") return std::string(sql_page());
  const Found found = find_tool(tools, what);
  if (!found) reject_tool(tools, what);
  return full_text(manual_of(*found.tool, "strata " + std::string(found.name()), found.link));
}

// strata list [--all]: the tools; and the links, and what other suites call what.
std::string list_of(Tools tools, Arguments options) {
  if (options.empty()) return tools_by_subsystem(tools);
  if (options.size() > 1 || options[0] != "--all") throw usage_error("list takes --all, or nothing");
  std::vector<Entry> names;
  for (const Tool *tool : tools)
    for (const Link &link : tool->links)
      names.emplace_back(link.name, "strata " + std::string(tool->name) + " " + std::string(link.argument));
  std::string text = tools_by_subsystem(tools) + "links:\n" + aligned_entries(names);
  names.clear();
  for (const PeerTool &peer : kPeerTools)
    if (!find_tool(tools, peer.name)) names.emplace_back(peer.name, answer_text(peer));
  text += "\nof other suites:\n" + aligned_entries(names) + "\nwhat no tool of strata answers yet:\n";
  std::string others;
  for (const std::string_view name : unanswered_tools())
    if (!find_tool(tools, name)) others.append(others.empty() ? "" : " ").append(name);
  for (const std::string &line : wrapped(others, 78)) text += "  " + line + "\n";
  return text;
}

// Options of strata itself, without a tool.
int run_without_tool(Tools tools, Arguments arguments) {
  const std::string first = arguments.empty() ? "--help" : arguments[0];
  if (first == "help" && arguments.size() > 1 && arguments[1] == "--json") {
    print(description(tools, arguments.subspan(2)));
  } else if (first == "help" && arguments.size() > 1) {
    print(help_on(tools, arguments[1]));
  } else if (first == "--help" || first == "-h" || first == "help") {
    print(list_of_tools(tools));
  } else if (first == "list") {
    print(list_of(tools, arguments.subspan(1)));
  } else if (first == "--version" || first == "-V") {
    print("strata " + std::string(kVersion) + "\n");
  } else if (first == "--tools") {  // for scripts: the README's table
    for (const Tool *tool : tools) print(std::string(tool->name) + "\t" + std::string(tool->summary) + "\n");
  } else if (first == "--links") {  // for the installation
    for (const Tool *tool : tools) {
      for (const Link &link : tool->links) print(std::string(link.name) + "\t" + std::string(tool->name) + "\n");
    }
  } else if (first == "--man") {
    print(strata_page(tools));
  } else if (first == "--completion") {
    if (arguments.size() != 2 || std::ranges::find(kShells, arguments[1]) == std::end(kShells))
      throw usage_error("--completion takes one of " + comma_list(kShells));
    print(completion_script(tools, arguments[1]));
  } else if (first == "--complete") {  // for these scripts
    print(completions_of(tools, arguments.subspan(1)));
  } else {
    if (!first.starts_with('-')) reject_tool(tools, first);
    throw usage_error("no such option: '" + printable(first) + "'");
  }
  return 0;
}

std::string in_our_words(const Tool &tool, const Values &values) {
  std::string line = "strata " + std::string(tool.name);
  for (const std::string &word : values.arguments())
    if (word != "--verbose") line += " " + shell_quoted(word);
  return line;
}

int run_found(const Found &found, const std::string &program, Arguments arguments) {
  const Tool &tool = *found.tool;
  const Manual manual = manual_of(tool, program, found.link);
  const Values values = parse_arguments(manual.syntax, arguments);
  if (values.given("help")) {
    print(help_text(manual));
  } else if (values.given("version")) {
    print(program + " " + std::string(kVersion) + "\n");
  } else if (values.given("man")) {
    print(man_page(manual, kVersion));
  } else {
    if (values.given("verbose") && values.translated()) say("taken as: %s\n", in_our_words(tool, values).c_str());
    choose_kernel_types(values);
    Session session(tool, values, program);
    try {
      return run_tool(tool, values, session);
    } catch (...) {
      session.fail();
      throw;
    }
  }
  return 0;
}

void print_error(const std::string &program, const Error &error) {
  say("%s: %s\n", program.c_str(), error.what());
  if (error.exit_status() == kUsageStatus) say("try: %s --help\n", program.c_str());
}

}  // namespace

int dispatch(Tools tools, int argc, char **argv) {
  open_standard_descriptors();
  mallopt(M_MMAP_THRESHOLD, kOwnMappingBytes);
  keep_reserve();
  std::string program = "strata";
  try {
    std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    Found found = tool_of_program(tools, argc > 0 ? argv[0] : "strata");
    const std::optional<std::string> carried = appended_text();  // of strata run --build
    if (carried && (found = find_tool(tools, "run"))) {
      if (argc > 0) program = std::string_view(argv[0]).substr(std::string_view(argv[0]).rfind('/') + 1);
      arguments.insert(arguments.begin(), {"-e", *carried});
    } else if (found) {
      program = found.name();
    } else if (!arguments.empty() && (found = find_tool(tools, arguments[0]))) {
      program += " " + std::string(found.name());
      arguments.erase(arguments.begin());
    }
    return found ? run_found(found, program, arguments) : run_without_tool(tools, arguments);
  } catch (const Error &error) {
    print_error(program, error);
    return error.exit_status();
  } catch (const std::bad_alloc &) {
    say("%s: out of memory; raise the limit (ulimit -v) or free some\n", program.c_str());
    return 1;
  }
}

}  // namespace strata
