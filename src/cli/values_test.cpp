// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "cli/values.h"

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

bool number_of_word(std::string_view word, uint64_t &number) {
  number = 7;
  return word == "seven";
}

constexpr Option kOptions[] = {
    {.name = "day", .value = "N", .kind = OptionKind::kNumber, .named = number_of_word, .names = "a word"},
    {.name = "every", .value = "N", .kind = OptionKind::kNumber, .low = 1, .high = 100, .default_value = "3"},
    {.name = "sample", .value = "1/N", .kind = OptionKind::kOneIn, .low = 1},
    {.name = "by", .value = "KEY,...", .kind = OptionKind::kText},
    {.name = "least", .value = "TIME", .kind = OptionKind::kTime, .high = kHourNs},
    {.name = "at",
     .value = "[PLACE]",
     .kind = OptionKind::kText,
     .is_value = [](std::string_view word) { return word[0] == 'p'; }},
    {.name = "via", .value = "auto|none", .kind = OptionKind::kChoice, .default_value = "auto"},
};
constexpr Operand kOperands[] = {{.name = "write|read", .words = true},
                                 {.name = "MIN_MS", .required = false, .option = "least", .unit = "ms"}};
constexpr Syntax kSyntax = {
    .program = "strata x", .operands = kOperands, .options = kOptions, .common_options = kTracing};

Values parse(std::vector<std::string> arguments) { return parse_arguments(kSyntax, arguments); }

template <typename Refuses>
std::string refusal_of(Refuses refuses) {
  try {
    refuses();
  } catch (const Error &error) {
    CHECK(error.exit_status() == kUsageStatus);
    return error.what();
  }
  return "";
}

std::string refusal(std::vector<std::string> arguments) {
  return refusal_of([&] { parse(std::move(arguments)); });
}

}  // namespace

TEST_CASE("options, fallbacks, operands and the command") {
  const Values values = parse({"-p", "1,2", "write", "-p3", "--sample=1/10", "-d", "500ms", "--", "dd", "-p", "x"});
  CHECK(values.numbers("pid") == std::vector<uint64_t>{1, 2, 3});
  CHECK(values.number("sample") == 10);
  CHECK(parse({"write", "--sample", "100"}).number("sample") == 100);
  CHECK(values.number("every") == 3);
  CHECK_FALSE(values.given("every"));
  CHECK(values.text("via") == "auto");
  CHECK(values.duration_ns("duration") == 500'000'000);
  CHECK(values.operand(0) == "write");
  CHECK(values.command() == std::vector<std::string>{"dd", "-p", "x"});
  CHECK(parse({"--help"}).given("help"));
}

TEST_CASE("an option that is given twice: lists add up, else one value is meant") {
  CHECK(parse({"write", "--by", "a,b", "--by=c"}).text("by") == "a,b,c");
  CHECK(parse({"write", "-p1", "-p", "2,3"}).numbers("pid") == std::vector<uint64_t>{1, 2, 3});
  CHECK(parse({"write", "-vv", "--every", "5", "--every=5"}).number("every") == 5);
  CHECK(refusal({"write", "--every", "5", "--every", "6"}) ==
        "--every is given twice, as '5' and as '6': take one of the two");
  CHECK(refusal({"write", "--cgroup", "a", "--cgroup", "b"}) ==
        "--cgroup is given twice, as 'a' and as 'b': take one of the two");
  CHECK(parse({"write", "-ca", "--comm", "b,c"}).texts("comm") == std::vector<std::string>{"a", "b,c"});
}

TEST_CASE("an operand that is an option") {
  const Values values = parse({"-v", "write", "5", "-p", "3"});
  CHECK(values.duration_ns("least") == 5'000'000);
  CHECK(values.operand(0) == "write");
  CHECK(values.operand(1).empty());
  CHECK(values.translated());
  CHECK(values.arguments() == std::vector<std::string>{"--verbose", "--pid=3", "--least=5ms", "write"});
  CHECK(parse(values.arguments()).duration_ns("least") == 5'000'000);
  CHECK(parse({"write", "2s"}).duration_ns("least") == 2'000'000'000);
  CHECK_FALSE(parse({"write", "--least", "2s"}).translated());
  CHECK(refusal({"write", "5", "--least", "6s"}) ==
        "--least is given twice, as '6s' and as '5ms': take one of the two");
  CHECK(refusal({"write", "5x"}).starts_with("--least takes a time with its unit"));
  CHECK(refusal({"write", "5", "6"}) == "unexpected operand '6'");
}

TEST_CASE("a time has its unit") {
  const auto least = [](const char *text) { return parse({"write", "--least", text}).duration_ns("least"); };
  CHECK(least("0") == 0);
  CHECK(least("1.5ms") == 1'500'000);
  CHECK(least("1h") == kHourNs);
  for (const std::string wrong : {"10", "0.5", "2h", "-1ms", "10msx"}) {
    const std::string said = refusal({"write", "--least=" + wrong});
    CHECK(said == "--least takes a time with its unit, such as 50us or 10ms, or 0; at most 1h, not '" + wrong + "'");
  }
  CHECK(parse({"write", "-d", "10"}).duration_ns("duration") == 10'000'000'000);
}

TEST_CASE("what a tool's name stands for") {
  Syntax link = kSyntax;
  link.implied = "--least=10ms";
  const auto least = [&](std::vector<std::string> words) { return parse_arguments(link, words).duration_ns("least"); };
  CHECK(least({"write"}) == 10'000'000);
  CHECK(least({"write", "--least", "2s"}) == 2'000'000'000);
  CHECK(least({"write", "7"}) == 7'000'000);
  link.implied = "--by=a";
  CHECK(parse_arguments(link, std::vector<std::string>{"write", "--by=b"}).text("by") == "a,b");
}

TEST_CASE("a number that has a name") {
  const Values values = parse({"write", "--day", "seven"});
  CHECK(values.number("day") == 7);
  CHECK(values.arguments() == std::vector<std::string>{"--day=7", "write"});  // the name may be another machine's
  CHECK(parse({"write", "--day", "3"}).number("day") == 3);
  CHECK(refusal({"write", "--day", "six"}) == "--day takes a word or a number, not 'six'");
}

TEST_CASE("an option with a value or without") {
  CHECK_FALSE(parse({"write"}).given("at"));
  for (const auto &words :
       {std::vector<std::string>{"--at", "write"}, {"write", "--at"}, {"--at", "-d", "7", "write"}}) {
    CHECK(parse(words).given("at"));
    CHECK(parse(words).text("at").empty());
  }
  CHECK(parse({"--at", "write", "7"}).arguments() == std::vector<std::string>{"--at=", "--least=7ms", "write"});
  CHECK(parse({"--at=", "write", "7"}).text("at").empty());
  for (const auto &words : {std::vector<std::string>{"--at", "place", "write"}, {"--at=place", "write"}})
    CHECK(parse(words).text("at") == "place");
}

TEST_CASE("spellings of other suites") {
  constexpr Option kOwn[] = {{.name = "by-process", .short_name = 'P', .help = ""},
                             {.name = "match", .value = "REGEX", .kind = OptionKind::kText},
                             {.name = "failed", .short_name = 'x'}};
  Syntax syntax = {.program = "strata x", .operands = {}, .options = kOwn, .common_options = kTracing};
  const auto taken = [&](std::string_view tool, std::vector<std::string> words) {
    syntax.tool = tool;
    return parse_arguments(syntax, words).arguments();
  };
  const auto refused = [&](std::string_view tool, std::vector<std::string> words) {
    return refusal_of([&] { taken(tool, words); });
  };
  using Words = std::vector<std::string>;
  CHECK(taken("cpudist", {"--pids", "-v"}) == Words{"--by-process", "--verbose"});
  CHECK(taken("cpudist", {"-mTv"}) == Words{"--verbose"});  // what is there anyway
  CHECK(taken("execsnoop", {"-xn", "a b"}) == Words{"--failed", "--match=a b"});
  CHECK(taken("execsnoop", {"-xna"}) == Words{"--failed", "--match=a"});
  CHECK(taken("execsnoop", {"--name=a", "-l", "a"}) == Words{"--match=a", "--match=a"});
  CHECK(taken("execsnoop", {"-x"}) == Words{"-x"});
  CHECK(refused("execsnoop", {"-n"}) == "-n needs a value");
  CHECK(refused("execsnoop", {"-n", "a", "-l", "b"}) ==
        "--match is given twice, as 'a' and as 'b': take one of the two");
  CHECK(refused("x", {"-n", "a"}) == "no such option: '-n'");
  CHECK(
      refused("x", {"--cgroupmap=/a"}).starts_with("bcc's --cgroupmap (groups in a BPF map) is --cgroup CGROUP here"));
  // A letter of ours, with a value that is not.
  CHECK(refused("fsdist", {"-t", "ext4"}).ends_with(", not 'ext4' (libbpf-tools' -t TYPE is --type TYPE here)"));
  CHECK(refused("fsdist", {"--tid", "ext4"}).ends_with(", not 'ext4'"));
  CHECK(refused("execsnoop", {"-t"}) == "--tid needs a value (bcc's -t shows the time, which each line has here)");
  CHECK(refused("x", {"-c", "/a"}) == "libbpf-tools' -c CGROUP is --cgroup CGROUP here; or do you mean --comm=/a?");
  CHECK(taken("x", {"--comm=/a"}) == Words{"--comm=/a"});
  CHECK(refused("hardirqs", {"-c1"}) == "bcc's -c CPU is --cpu CPU here; or do you mean --comm=1?");
  syntax.tool = "runqlat";
  const Values by_letter = parse_arguments(syntax, Words{"-P"}),
               by_name = parse_arguments(syntax, Words{"--by-process"});
  CHECK(refusal_of([&] { reject_options(by_letter, {"by-process"}, "is not for it"); }) ==
        "--by-process is not for it (runqslower's -P: RAN, RANTID and RANFOR are always shown)");
  CHECK(refusal_of([&] { reject_options(by_name, {"by-process"}, "is not for it"); }) == "--by-process is not for it");
}

TEST_CASE("short options in one word, and values that look like options") {
  const Values values = parse({"-vap3", "write", "-c", "--json=1", "--by=-v"});
  CHECK((values.given("verbose") && values.given("all")));
  CHECK(values.numbers("pid") == std::vector<uint64_t>{3});
  CHECK(values.text("comm") == "--json=1");
  CHECK(values.text("by") == "-v");
  CHECK_FALSE(values.given("json"));
}

TEST_CASE("a refusal names the option, the value and what is permitted") {
  CHECK(refusal({"write", "--every", "0"}) == "--every takes a number from 1 to 100, not '0'");
  CHECK(refusal({"write", "--every", "5x"}) == "--every takes a number from 1 to 100, not '5x'");
  CHECK(refusal({"write", "--every", "-1"}) == "--every takes a number from 1 to 100, not '-1'");
  CHECK(refusal({"write", "--sample", "0"}) == "--sample takes 1/N, or N alone, with N of at least 1, not '0'");
  CHECK(refusal({"write", "--sample", "2/10"}) == "--sample takes 1/N, or N alone, with N of at least 1, not '2/10'");
  CHECK(refusal({"write", "--via", "x"}) == "--via must be one of auto, none, not 'x'");
  CHECK(refusal({"write", "--every"}) == "--every needs a value");
  CHECK(refusal({"write", "--json=1"}) == "--json takes no value");
  CHECK(refusal({"--comm=", "write"}) == "--comm needs a value");  // not the next word
  CHECK(refusal({"write", "--comm", ""}) == "--comm needs a value");
  CHECK(refusal({"write", "-d"}) == "--duration needs a value");
  CHECK(refusal({"write", "--ever", "5"}) == "no such option: '--ever' (did you mean '--every'?)");
  CHECK(refusal({"write", "--Every=5"}) == "no such option: '--Every=5' (did you mean '--every'?)");
  CHECK(refusal({"write", "--nothing"}) == "no such option: '--nothing'");
  CHECK(refusal({"write", "-vzp"}) == "no such option: '-zp'");
  CHECK(refusal({"write", "--=5"}) == "no such option: '--=5'");
  CHECK(refusal({"write", "--bo\x1bgus"}) == "no such option: '--bo\\x1bgus'");
  CHECK(refusal({"write", "--via", "nose"}) == "--via must be one of auto, none, not 'nose' (did you mean 'none'?)");
  CHECK(refusal({"open"}) == "the operand must be one of write, read, not 'open'");
  CHECK(refusal({"write", "read the rest"}) == "unexpected operand 'read the rest'");
  CHECK(refusal({"write", "true"}) == "unexpected operand 'true' (a command goes behind --: strata x -- true)");
  CHECK(refusal({}) == "missing operand: write|read");
  CHECK(refusal({"write", "--", "--a"}).empty());  // a command, to tools that have no parameters
  CHECK(refusal({"write", "--"}) == "missing command after '--'");
}

TEST_CASE("an option that is for another use of the tool") {
  const Values values = parse({"write", "--every", "5"});
  CHECK(refusal_of([&] {
          reject_options(values, {"sample", "every"}, "is for the table");
        }) == "--every is for the table");
  CHECK(refusal_of([&] { reject_options(values, {"sample", "nosuch"}, "is for the table"); }).empty());
  CHECK(any_given(values, {"sample", "every"}));
  CHECK_FALSE(any_given(values, {"sample", "nosuch"}));
  CHECK(bits_given(values, {"sample", "every"}) == 2);
}

TEST_CASE("names in one option, as bits") {
  constexpr std::string_view kKeys[] = {"place", "reason", "device"};
  const auto bits = [&](const std::string &by) { return bits_named(parse({"write", "--by", by}), "by", kKeys); };
  CHECK(bits("place") == 1);
  CHECK(bits("device,place,device") == 5);
  CHECK(bits_named(parse({"write"}), "by", kKeys) == 0);
  for (const std::string wrong : {"nosuch", "r", ""}) {
    CHECK(refusal_of([&] { bits("reason," + wrong); }) ==
          "--by takes some of place, reason, device, not '" + wrong + "'");
  }
  CHECK(refusal_of([&] { bits("Place"); }).ends_with(", not 'Place' (did you mean 'place'?)"));
}

}  // namespace strata
