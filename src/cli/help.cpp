// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One list of sections, set twice: as plain text and as roff.
#include "cli/help.h"

#include <algorithm>
#include <cctype>

#include "base/end_reason.h"
#include "base/text.h"
#include "cli/peers.h"
#include "cli/values.h"

namespace strata {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kMostTermCells = 26;  // a longer term stands on a line of its own

struct Section {
  std::string title;
  std::vector<Entry> entries;
};

std::string synopsis(const Manual &manual) {
  std::string text(manual.syntax.program);
  for (const Operand &operand : manual.syntax.operands) {
    const std::string name = std::string(operand.name) + (operand.several ? "..." : "");
    text += operand.required ? " " + name : " [" + name + "]";
  }
  text += " [OPTION]...";
  if (manual.syntax.common_options & kHasCommand) text += " [-- COMMAND...]";
  return text;
}

// One line, or two where the operand is a long list.
std::string usage(const Manual &manual) {
  std::string text = "usage: " + synopsis(manual);
  const size_t command = text.rfind(" [-- ");
  if (text.size() > kWidth && command != std::string::npos) text.replace(command, 1, "\n       ");
  return text;
}

Entry option_entry(const Option &option) {
  std::string term = option.short_name == '\0' ? "    " : std::string("-") + option.short_name + ", ";
  term += "--" + std::string(option.name);
  if (!option.value.empty()) term += " " + std::string(option.value);
  std::string help(option.help);
  if (!option.default_value.empty()) help += " (default " + std::string(option.default_value) + ")";
  return {term, help};
}

const Entry kCommandEntry = {
    "    -- COMMAND...",
    "run it, trace only it and its children (all with -a), end with it and with its exit status; a first "
    "Ctrl-C is for the command alone, a second one ends the run"};

Section operands_of(std::span<const Operand> operands) {
  Section section = {.title = "operands", .entries = {}};
  for (const Operand &operand : operands) section.entries.emplace_back(operand.name, operand.help);
  return section;
}

Section options_of(std::span<const Option> options) {
  Section section = {.title = "options", .entries = {}};
  for (const Option &option : options) section.entries.push_back(option_entry(option));
  return section;
}

Section fields_of(const Manual &manual) {
  Section section = {.title = "fields", .entries = {}};
  for (const Field &column : manual.columns) section.entries.emplace_back(column.key, column.help);
  return section;
}

std::string spellings_text(std::string_view spellings) {
  std::string text;
  for (const std::string_view one : words_of(spellings))
    text += (text.empty() ? "" : ", ") + std::string(one.size() == 1 ? "-" : "--") + std::string(one);
  return text;
}

// What of other suites is taken, or what to write instead.
Section peers_section(const Manual &manual) {
  Section section = {.title = "spellings of other suites", .entries = {}};
  for (const Peer &peer : peers_of(manual.syntax.tool, manual.syntax.common_options & kHasFilters)) {
    std::string meaning = "as " + std::string(peer.ours) + (peer.ours.ends_with('=') ? "VALUE" : "");
    if (peer.ours.empty()) meaning = peer.met.empty() ? peer.instead : "taken: " + std::string(peer.met);
    section.entries.emplace_back(spellings_text(peer.spellings), meaning);
  }
  return section;
}

std::vector<Section> sections_of(const Manual &manual) {
  std::vector<Section> sections = {operands_of(manual.syntax.operands),
                                   options_of(all_options(manual.syntax)),
                                   {.title = "formats", .entries = manual.formats},
                                   fields_of(manual),
                                   peers_section(manual)};
  if (manual.syntax.common_options & kHasCommand) sections[1].entries.push_back(kCommandEntry);
  std::erase_if(sections, [](const Section &section) { return section.entries.empty(); });
  return sections;
}

std::string section_text(const Section &section) {
  return section.entries.empty() ? "" : "\n" + section.title + ":\n" + aligned_entries(section.entries);
}

std::string wrapped_lines(std::string_view text, std::string_view indent = "") {
  std::string lines;
  for (const std::string &line : wrapped(text, kWidth - indent.size())) lines += std::string(indent) + line + "\n";
  return lines;
}

constexpr char kNoBreak = '\1';

// Those of replay have a place where the line may break.
std::string formats_of(const Manual &manual) {
  std::string text;
  for (const Entry &format : manual.formats) {
    if (!text.empty()) text += text.find(' ') == std::string::npos && text.size() > kWidth * 3 / 4 ? "| " : "|";
    text += format.first;
  }
  return text;
}

// What it costs is a question of the second reading: `strata help TOOL` answers it, and what is above fits a screen.
std::string without_overhead(std::string_view page) {
  constexpr std::string_view kBegin = "\nOVERHEAD";
  std::string text(page);
  const size_t begin = text.find(kBegin);
  if (begin == std::string::npos || text.compare(begin + kBegin.size(), 4, " and") == 0) return text;
  const size_t end = text.find("\n\n", begin);
  return text.erase(begin, end == std::string::npos ? end : end - begin + 1);
}

// "--unit|--container|--pod NAME"
bool are_alike(const Option &one, const Option &next) {
  return one.short_name == '\0' && next.short_name == '\0' && !one.value.empty() && one.value == next.value &&
         one.default_value.empty() && next.default_value.empty();
}

// "-p PID -t TID ...", of the options that many tools have. COMMAND is in the synopsis.
std::string common_options_of(const Manual &manual) {
  std::string text;
  const std::vector<Option> all = all_options(manual.syntax);
  for (size_t i = manual.syntax.options.size(); i < all.size(); i++) {
    const Option &option = all[i];
    // Whoever reads this knows the first two; the third is -o json, the fourth is for many hosts, the last for few.
    constexpr std::string_view kLeftOut[] = {"help", "version", "json", "start-at", "btf"};
    if (std::ranges::find(kLeftOut, option.name) != std::end(kLeftOut)) continue;
    const bool joined = text.ends_with('|');
    text += (joined ? "" : " ") +
            (option.short_name == '\0' ? "--" + std::string(option.name) : std::string("-") + option.short_name);
    if (i + 1 < all.size() && are_alike(option, all[i + 1])) {
      text += '|';
      continue;
    }
    const std::string value = option.name == "output" ? formats_of(manual) + "[:FILE]" : std::string(option.value);
    if (!value.empty()) text += kNoBreak + value;
    if (!option.default_value.empty())
      text += std::string(" (default") + kNoBreak + std::string(option.default_value) + ")";
  }
  text = "common options (strata help options):" + text;
  text = "\n" + wrapped_lines(text);
  std::replace(text.begin(), text.end(), kNoBreak, ' ');
  return text;
}

// A key that other options than the default ones select: --by, --by-disk.
bool is_other_key(const Field &column, const Values &defaults) {
  return column.with.starts_with("by") && !any_holds(defaults, column.with);
}

// Those that are shown unless --columns or --by names others, which follow by name alone; of what is followed none, for
// each procedure has its own.
std::string shown_fields_text(const Manual &manual) {
  if (!(manual.syntax.common_options & kHasColumns)) {
    Manual shown = manual;
    std::erase_if(shown.columns, [](const Field &column) { return column.hidden; });
    return section_text(fields_of(shown));
  }
  Section section = {.title = "fields", .entries = {}};
  std::string others;
  const std::string only_help[] = {"--help"};
  const Values defaults = parse_arguments(manual.syntax, only_help);
  for (const Field &column : manual.columns) {
    if (!column.hidden && !is_other_key(column, defaults)) {
      section.entries.emplace_back(column.key, column.help);
    } else {
      others += (others.empty() ? "with --columns also " : ", ") + std::string(column.key);
    }
  }
  if (section.entries.empty()) return "";
  return section_text(section) + (others.empty() ? "" : wrapped_lines(others, "  "));
}

constexpr std::string_view kItem = "- ";

// Paragraphs as lines, items of a list too; a line that begins with two spaces stays as it is.
template <typename Paragraph, typename Line>
void for_each_part(std::string_view text, Paragraph &&on_paragraph, Line &&on_line) {
  std::string paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) on_paragraph(paragraph);
    paragraph.clear();
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with("  ") || line.starts_with(kItem)) flush();
    if (line.starts_with("  ")) {
      on_line(line);
    } else if (!line.empty()) {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
    }
  }
  flush();
}

std::string paragraphs_text(std::string_view paragraphs) {
  std::string text;
  bool in_lines = false, in_list = false;
  for_each_part(
      paragraphs,
      [&](const std::string &paragraph) {
        const bool item = paragraph.starts_with(kItem);
        const std::string lines =
            item ? wrapped_lines(paragraph.substr(kItem.size()), "  ").replace(0, kItem.size(), kItem)
                 : wrapped_lines(paragraph);
        text += (item && in_list ? "" : "\n") + lines;
        in_list = item;
        in_lines = false;
      },
      [&](std::string_view line) {
        text += (in_lines ? "" : "\n") + std::string(line) + "\n";
        in_lines = true;
        in_list = false;
      });
  return text;
}

std::string roff(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

constexpr std::string_view kStreamNotes =
    "JSON is a stream of objects, one a line, each with its type. The first one, run, says what ran: tool, version, "
    "host, kernel, options, and the two clocks of one moment. Then come event (what happened), row (of a table, "
    "from_ns to to_ns), histogram or sample. All of a view have the same keys: each of its columns, shown in text or "
    "not, so that "
    "options which only show more in text change nothing here; with --columns those that it names, as in text and csv. "
    "null is no value: there is none, or it is not known. The last one, "
    "end, says how many rows there were, what was lost, by reason, and why it ended; a stream without it was cut off. "
    "The reasons for that: ";

constexpr std::string_view kFormatNotes =
    ".\n\n"
    "OPENMETRICS. Of each column of numbers that add up, shown or not, strata_TOOL_KEY_total is a counter, in "
    "seconds where KEY ends with _ns. The other columns that are shown are its labels: --columns chooses them, and "
    "rows with the same labels are added up. A histogram's buckets end one below a power of two, of ns or bytes; "
    "its sum is as exact as that of json. Of 1000 rows, or 200 histograms, each has its name, and all that come "
    "later are one, (others): take --columns without numbers of processes and ports. strata_lost_total has what "
    "was not seen, strata_rows_left_out_total what --rows cut. FILE.prom, which others may read, is for the "
    "text-file collector of node_exporter, one file for a tool; it stays as it is when the run ends. FILE.gz and "
    "what is no file of its own are written at the end:\n\n"
    "    # strata biolatency -D -o openmetrics:/var/lib/node_exporter/disks.prom\n\n"
    "SQL has the rows of json as tables, in one transaction; strata help sql explains them, with ten questions:\n\n"
    "    # strata biosnoop -o sql -d 10 | sqlite3 -bail io.db\n\n"
    "PCAPNG, for Wireshark and tshark, has a packet for each line of rxsnoop, dropmon --list and tcpretrans. It begins "
    "with the header of IP, and ends with that of its protocol: no data is read, and the length says how much there "
    "was. What the line says besides, as process and reason, is the packet's comment; stacks are a second one. Each "
    "device is an interface. What tcpretrans shows has no headers yet, and a recording has them only of a run with "
    "-o pcapng: there addresses, protocol, ports, TCP's sequence number or ICMP's type are put into "
    "headers whose other fields are 0, the checksum too, without options of IP and TCP; the packet ends where nothing "
    "more is known. What is not IP (ARP, LLDP) has a comment alone:\n\n"
    "    # strata dropmon --list -o pcapng:drops.pcapng\n"
    "    # tshark -r drops.pcapng -T fields -e ip.src -e tcp.dstport -e frame.comment\n\n"
    "NAMES FROM ELSEWHERE. Other programs choose the names of files and tasks, with any bytes. In text and csv a name "
    "that has a backslash, characters that nobody sees (control characters, marks of direction, what has no width) or "
    "bytes that are not UTF-8 is quoted as bash reads it: 'a\\x0ab', or with a newline $'a\\x0ab'. No two names look "
    "alike. In csv a text that begins with =, +, - or @ and is no number, which a spreadsheet would take for a "
    "formula, "
    "is quoted in the same way, and so is one that begins with '. json has \\u001b for what nobody sees, and U+FFFD "
    "for what is not UTF-8: there KEY_bytes, which stands behind KEY in no other case, has all bytes in base64.\n\n"
    "LARGE NUMBERS. json has all digits of an integer, but many readers keep it as a double, and lose some beyond "
    "2^53. "
    "Behind such a KEY of a row stands KEY_digits, the same as a string. Times since 1970, which are in nearly every "
    "line, have "
    "none: there such readers (JavaScript, jq before 1.7) are wrong by at most 128 ns, and durations have columns of "
    "their own.\n";

}  // namespace

std::string aligned_entries(std::span<const Entry> entries) {
  size_t width = 0;
  for (const Entry &entry : entries) {
    if (cells(entry.first) <= kMostTermCells) width = std::max(width, cells(entry.first));
  }
  const size_t indent = 2 + width + 2;
  std::string text;
  for (const auto &[term, meaning] : entries) {
    std::string line = "  " + padded(term, -static_cast<int>(width));
    if (cells(term) > width) {
      text += line + "\n";
      line = std::string(indent - 2, ' ');
    }
    for (const std::string &part : wrapped(meaning, kWidth - indent)) {
      text += line;
      text += part.empty() ? "\n" : "  " + part + "\n";
      line = std::string(indent - 2, ' ');
    }
  }
  return text;
}

std::string help_text(const Manual &manual) {
  std::vector<Operand> own(manual.syntax.operands.begin(), manual.syntax.operands.end());
  std::erase_if(own, [](const Operand &operand) { return !operand.option.empty(); });  // the usage has them
  std::string text = usage(manual) + "\n" + paragraphs_text(without_overhead(manual.page.help));
  text += section_text(operands_of(own)) + section_text(options_of(manual.syntax.options));
  text += shown_fields_text(manual);
  return text + common_options_of(manual);
}

std::string full_text(const Manual &manual) {
  std::string text = usage(manual) + "\n\n" + wrapped_lines(manual.summary);
  text += paragraphs_text(manual.page.help) + paragraphs_text(manual.page.more);
  for (const Section &section : sections_of(manual)) text += section_text(section);
  return text;
}

std::string formats_text() {
  std::string reasons;
  for (const std::string_view one : kEndReasons) reasons += (reasons.empty() ? "" : ", ") + std::string(one);
  return std::string(kStreamNotes) + reasons + std::string(kFormatNotes);
}

std::string common_options_text(std::span<const Entry> formats) {
  Section options = options_of(all_options({.program = {}, .operands = {}, .options = {}, .common_options = ~0U}));
  options.entries.push_back(kCommandEntry);
  return wrapped_lines("Options of many tools; the --help of a tool lists those that it has.") + section_text(options) +
         section_text({.title = "formats", .entries = {formats.begin(), formats.end()}}) +
         paragraphs_text(formats_text());
}

std::string man_page(const Manual &manual, std::string_view version) {
  const std::string name = manual.name == "strata" ? "strata" : "strata-" + std::string(manual.name);
  std::string text = ".TH " + roff(upper(name)) + " 8 \"\" \"strata " + std::string(version) + "\"\n";
  text += ".SH NAME\n" + roff(name) + " \\- " + roff(manual.summary) + "\n";
  text += ".SH SYNOPSIS\n" + roff(synopsis(manual)) + "\n.SH DESCRIPTION\n";
  const std::string all = std::string(manual.page.help) + "\n\n" + std::string(manual.page.more);
  for_each_part(
      all,
      [&](const std::string &paragraph) {
        const bool item = paragraph.starts_with(kItem);
        text += (item ? ".IP \\(bu 2\n" : ".PP\n") + roff(std::string_view(paragraph).substr(item ? kItem.size() : 0)) +
                "\n";
      },
      [&](std::string_view line) { text += ".EX\n" + roff(line) + "\n.EE\n"; });
  for (const Section &section : sections_of(manual)) {
    text += ".SH " + upper(section.title) + "\n";
    for (const auto &[term, meaning] : section.entries) {
      const size_t first = std::min(term.find_first_not_of(' '), term.size());
      text += ".TP\n.B " + roff(std::string_view(term).substr(first)) + "\n" + roff(meaning) + "\n";
    }
  }
  return text;
}

}  // namespace strata
