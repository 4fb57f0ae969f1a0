// strata funccount: bcc's command line, as a program of strata run.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/values.h"
#include "expr/bcc_functions.h"
#include "funccount.manual.h"
#include "kern/cpus.h"
#include "run.skel.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/bcc_script.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "PATTERN", .help = "FUNCTION of the kernel, LIBRARY:FUNCTION or t:CATEGORY:TRACEPOINT, with * and ?"}};

constexpr Option with_letter(char letter, Option option) {
  option.short_name = letter;
  return option;
}

constexpr Option kOptions[] = {kTimestampOption, kRegexpOption, with_letter('c', cpu_option()), kExplainOption};

int trace(const Values &values, Session &session, Object &object) {
  std::vector<uint32_t> cpus;
  if (values.given("cpu")) cpus = cpus_named(values.text("cpu"));
  std::string program =
      expr::funccount_program({"PATTERN", values.operand(0)}, values.given("regexp"), cpus, bcc_output(values));
  return run_bcc_program({.source = {"program", std::move(program)}, .arguments = {}}, session, object);
}

}  // namespace

extern const Tool tool_funccount = {
    .name = "funccount",
    .subsystem = Subsystem::kPlaces,
    .summary = "count calls of functions and tracepoints, by name",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kTracing | kHasInterval | kHasBuffer,
    .ring_bytes = kScriptRingBytes,
    .formats = kScriptFormats,
    .programs = {.elf = run_bpf::elf_bytes},
    .trace = trace,
};

}  // namespace strata
