// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A judgement in GitHub's Markdown, which the others read as well: a table of the gates, then the rows of those that
// failed.
#include <string>

#include "base/text.h"
#include "render/formats.h"
#include "render/judgement.h"
#include "render/page.h"

namespace strata {
namespace {

// Of text that may be anything: it neither ends a cell nor begins markup.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>()#+!|~&").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

class MarkdownSink final : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info) { head_ = info.head; }

  void on(const Judgement &judgement) {
    write("### strata check: " + totals_text(judgement) + "\n\n");
    if (!head_.command.empty()) write("`" + code(run_text(head_)) + "`\n\n");
    write("| verdict | gate | got |\n|---|---|---|\n");
    for (const Judged &one : judgement.gates) {
      const bool bad = one.verdict == Verdict::kFails || one.verdict == Verdict::kInvalid;
      const std::string verdict = (bad ? "**" : "") + std::string(name_of(one.verdict)) + (bad ? "**" : "");
      write("| " + verdict + " | " + escaped(label_of(one)) + " | " + escaped(got_text(one)) + " |\n");
    }
    for (const Judged &one : judgement.gates) {
      if (one.verdict != Verdict::kFails || one.evidence.rows.empty()) continue;
      write("\n" + escaped(label_of(one)) + "\n\n");
      for (const std::string &line : evidence_lines(one.evidence, head_.clocks)) write("    " + line + "\n");
    }
  }

 private:
  static std::string code(std::string text) {
    std::erase(text, '`');
    return text;
  }

  RecordingHead head_;
};

}  // namespace

std::unique_ptr<Sink> make_markdown_sink(Writer writer) { return std::make_unique<MarkdownSink>(std::move(writer)); }

}  // namespace strata
