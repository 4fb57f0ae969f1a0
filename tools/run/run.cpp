// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata run: a program of the probe language, compiled to BPF on the spot, without a compiler.
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/appended.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "cli/values.h"
#include "expr/imports.h"
#include "expr/parser.h"
#include "render/writer.h"
#include "run.manual.h"
#include "run.scripts.h"
#include "run.skel.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/script_list.h"
#include "subsys/script_run.h"
#include "subsys/script_stacks.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "PROGRAM", .help = "the program, a file that has it, or one of --list", .required = false, .file = true},
    {.name = "ARGUMENT", .help = "$1, $2, ... of the program", .required = false, .several = true},
};

constexpr Option kOptions[] = {
    {.name = "program", .short_name = 'e', .value = "TEXT", .kind = OptionKind::kTexts, .help = "the program itself"},
    {.name = "command",
     .short_name = 'c',
     .value = "LINE",
     .kind = OptionKind::kCommand,
     .help = "as -- COMMAND, as bpftrace has it (--comm: by name)"},
    choice_option({.name = "format",
                   .short_name = 'f',
                   .value = "text|json",
                   .help = "as bpftrace has it: json without the lines run and end"}),
    {.name = "list", .help = "the programs that come with it: `strata run NAME`"},
    {.name = "probes", .short_name = 'l', .help = "which probes there are; with -v their arguments"},
    {.name = "force", .help = "also at more than 1000 places"},
    {.name = "unsafe", .help = "permit system(), which runs commands, signal(), and uprobes within instructions"},
    kLinesOption,
    {.name = "quiet", .short_name = 'q', .help = "do not say which probes are left out"},
    {.name = "build",
     .value = "FILE",
     .kind = OptionKind::kText,
     .help = "write a program that runs this one on any host: one static file"},
    {.name = "dry-run", .help = "compile and load the program, and do not run it"},
    {.name = "listing", .help = "print the instructions that it becomes, to stderr"},
};

std::vector<std::string_view> names_of_scripts() {
  std::vector<std::string_view> names;
  for (const RunScript &one : kScripts) names.push_back(one.name);
  return names;
}

// `hint`: what else may be meant.
expr::Source source_of_file(const std::string &path, const std::string &hint) {
  std::string text = whole_file(path, "the program " + printable(path), kMostOfFile, 1, hint);
  if (text.find('\0') != std::string::npos)
    throw Error(printable(path) + " is no program of the probe language: there are zeros in it");
  return {path, std::move(text)};
}

// A program has a block; what has none is one of ours, or the name of a file.
expr::Source source_of(const std::string &operand) {
  if (operand.find('{') != std::string::npos) return {"program", operand};
  if (operand == "-") return source_of_file("/dev/stdin", "");
  for (const RunScript &one : kScripts)
    if (one.name == operand) return {operand, std::string(one.text)};
  return source_of_file(operand, meant(operand, names_of_scripts()));
}

// Of what -l is given: a program, or the file of one; all else is a pattern.
bool names_program(const std::string &operand) {
  std::error_code error;
  return operand.find('{') != std::string::npos || std::filesystem::is_regular_file(operand, error);
}

// For import: of a directory all programs, by their names.
std::vector<expr::Source> programs_at(const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return {source_of_file(path, "")};
  std::set<std::string> files;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".bt") files.insert(it->path());
  if (files.empty()) throw Error("the directory " + printable(path) + " has no program: no file is called *.bt");
  std::vector<expr::Source> programs;
  for (const std::string &one : files) programs.push_back(source_of_file(one, ""));
  return programs;
}

// Of -e, each a line, so that it cannot hide what follows behind a comment.
std::string lines_of(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &one : texts) all += (all.empty() ? "" : "\n") + one;
  return all;
}

int show(const std::string &text) {
  print(text);
  return 0;
}

// Each with the first line of its comment.
std::string list_of_scripts() {
  std::string text;
  for (const RunScript &one : kScripts)
    text += padded(std::string(one.name), -14) + std::string(one.text.substr(3, one.text.find('\n') - 2));
  return text;
}

// What traces nothing has no command either.
void reject_command(const Values &values, std::string_view option) {
  if (values.given(option) && !values.command().empty())
    throw usage_error("--" + std::string(option) + " traces nothing: it takes no command");
}

int trace(const Values &values, Session &session, Object &object) {
  for (const std::string_view option : {"list", "probes", "build"}) reject_command(values, option);
  if (values.given("list")) return show(list_of_scripts());
  const std::vector<std::string> &texts = values.texts("program");
  const std::vector<std::string> &operands = values.operands();
  if (values.given("probes") && texts.empty() && !names_program(values.operand(0)))
    return show(first_probes(session, list_of_probes(session, values.operand(0), values.given("verbose"))));
  if (texts.empty() && operands.empty())
    throw usage_error(
        "what is to run? A program, such as 'rawtracepoint:sched_switch { @[comm] = count(); }', or a file");
  const expr::Source source = expr::with_imports(
      texts.empty() ? source_of(operands[0]) : expr::Source("program", lines_of(texts)), programs_at);
  std::vector<std::string> arguments(operands.begin() + (texts.empty() ? 1 : 0), operands.end());
  if (values.given("probes"))
    return show(
        first_probes(session, list_of_places(session, expr::parse(source, arguments), values.given("verbose"))));
  if (values.given("build")) {
    static_cast<void>(expr::parse(source));  // a mistake is said now
    write_with_text(values.text("build"), source.text());
    return 0;
  }
  return run_script({.source = source,
                     .arguments = std::move(arguments),
                     .parameters = values.parameters(),
                     .unsafe = values.given("unsafe"),
                     .has_unsafe = true,
                     .quiet = values.given("quiet"),
                     .like_bpftrace = values.given("format") && values.text("format") == "json",
                     .dry = values.given("dry-run"),
                     .listing = values.given("listing"),
                     .most_lines = values.number("limit"),
                     .order = script_order(values)},
                    session, object);
}

}  // namespace

extern const Tool tool_run = {
    .name = "run",
    .subsystem = Subsystem::kStrata,
    .summary = "run a program of the probe language, as bpftrace has it",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kTracing | kHasBuffer | kHasParameters | kHasTable | kHasLimit,
    .ring_bytes = kScriptRingBytes,
    .formats = kStackScriptFormats,
    .printed = kScriptLines,
    .programs = {.elf = run_bpf::elf_bytes, .hooks = kScriptHooks},
    .trace = trace,
};

}  // namespace strata
