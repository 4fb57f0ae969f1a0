// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A judgement as JUnit XML, as CI systems read it: a gate that failed is a failure, one about which the run says
// nothing an error, and one that demands nothing has passed.
#include <string>

#include "base/text.h"
#include "render/formats.h"
#include "render/judgement.h"
#include "render/page.h"

namespace strata {
namespace {

// XML has no control characters, not even as references.
std::string escaped(std::string_view text) { return xml_text(printable(text)); }

class JunitSink final : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info) { head_ = info.head; }

  void on(const Judgement &judgement) {
    const auto count = [&](Verdict verdict) { return std::to_string(judgement.count(verdict)); };
    const std::string counts = " tests=\"" + std::to_string(judgement.gates.size()) + "\" failures=\"" +
                               count(Verdict::kFails) + "\" errors=\"" + count(Verdict::kInvalid) + "\"";
    write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts + ">\n<testsuite name=\"strata check\"" +
          counts + " hostname=\"" + escaped(head_.host) + "\">\n");
    write("<properties>\n" + property("run", run_text(head_)) + property("strata", head_.version) + "</properties>\n");
    for (const Judged &one : judgement.gates) put_case(one);
    write("</testsuite>\n</testsuites>\n");
  }

 private:
  static std::string property(std::string_view name, std::string_view value) {
    if (value.empty()) return "";
    return "<property name=\"" + std::string(name) + "\" value=\"" + escaped(value) + "\"/>\n";
  }

  void put_case(const Judged &one) {
    write("<testcase classname=\"strata." + escaped(one.metric) + "\" name=\"" +
          escaped(one.name.empty() ? one.gate : one.name) + "\">\n");
    const std::string gate = one.name.empty() ? "" : one.gate + ": ", got = gate + "got " + got_text(one);
    if (one.verdict == Verdict::kFails || one.verdict == Verdict::kInvalid) {
      const std::string element = one.verdict == Verdict::kFails ? "failure" : "error";
      write("<" + element + " message=\"" + escaped(one.why.empty() ? got : gate + one.why) + "\">\n");
      for (const std::string &line : evidence_lines(one.evidence, head_.clocks)) write(escaped(line) + "\n");
      write("</" + element + ">\n");
    } else {
      write("<system-out>" + escaped(got) + "</system-out>\n");
    }
    write("</testcase>\n");
  }

  RecordingHead head_;
};

}  // namespace

std::unique_ptr<Sink> make_junit_sink(Writer writer) { return std::make_unique<JunitSink>(std::move(writer)); }

}  // namespace strata
