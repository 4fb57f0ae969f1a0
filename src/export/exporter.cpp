// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/exporter.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/outlet.h"
#include "base/text.h"
#include "bpf/object.h"
#include "bpf/thinning.h"
#include "export/accept.h"
#include "export/guest_sink.h"
#include "render/otlp.h"
#include "run/session.h"

namespace strata {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kMostAgeNs = kSecondNs;  // of a page

// By MetricsFormat.
constexpr std::string_view kMetricsTypes[] = {
    "application/openmetrics-text; version=1.0.0; charset=utf-8", "text/plain; version=0.0.4; charset=utf-8",
    "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"};

constexpr std::string_view kRootPage =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>strata export</title></head>\n"
    "<body><h1>strata export</h1><ul><li><a href=\"/metrics\">Metrics</a></li>"
    "<li><a href=\"/-/healthy\">Health</a></li></ul></body></html>\n";

HttpPage page_of(int status, std::string_view type, std::string_view text) {
  return {.status = status, .type = type, .body = std::make_shared<std::string>(text)};
}

uint64_t millionths(uint64_t ns, uint64_t of_ns) { return of_ns == 0 ? 0 : ns * 1'000'000 / of_ns; }

}  // namespace

Exporter::Exporter(const ExportFile &file, Tools tools, Session &host)
    : file_(file),
      host_(host),
      events_(host.loop()),
      server_(events_, file.listen,
              [this](std::string_view path, std::string_view accept) { return page(path, accept); }),
      budget_(file.budget_millionths, kThinnest) {
  const bool pushes = !file.push.host.empty();
  tools_.reserve(file.tools.size());
  for (const ExportedTool &wanted : file.tools) {
    Exported one = exported_of(wanted, tools, pushes, host.values().given("verbose"));
    const auto is_same = [&](const Exported &other) { return other.found.tool == one.found.tool; };
    if (std::ranges::any_of(tools_, is_same))
      throw usage_error(wanted.place + ": " + std::string(one.found.tool->name) +
                        " is there already, and their metrics would have the same names");
    tools_.push_back(std::move(one));
  }
  if (pushes) pusher_ = std::make_unique<Pusher>(events_, file.push);
  host_.out().only(std::make_unique<HostSink>(head_));
}

int Exporter::run() {
  run_from(0);
  const int status = host_.finish();
  return failed_ ? 1 : status;
}

void Exporter::run_from(size_t i) {
  if (i == tools_.size()) return serve();
  Exported &one = tools_[i];
  const bool may_thin = !one.values.given("when");  // which would see what is not multiplied yet
  const size_t watches = host_.loop().watches();
  try {
    Session guest(*one.found.tool, one.values, one.program, host_, [&] {
      one.state = Exported::State::kUp;
      const Object *object = one.session->object();
      one.one_in = may_thin && object != nullptr && can_be_thinned(*object) ? 1 : 0;
      run_from(i + 1);
    });
    one.session = &guest;
    if (may_thin) guest.allow_thinning();
    guest.out().only(std::make_unique<GuestSink>(one, pusher_.get()));
    if (run_tool(*one.found.tool, one.values, guest) != 0) failed_ = true;
    one.session = nullptr;
    return;
  } catch (const Error &error) {
    one.session = nullptr;
    if (one.state != Exported::State::kStarting) throw;  // the run has begun, with the others inside
    one.state = Exported::State::kRefused;
    host_.loop().forget_after(watches);
    say("strata export: %s: %s\n", one.name().c_str(), error.what());
  }
  run_from(i + 1);
}

void Exporter::serve() {
  const auto up = static_cast<size_t>(std::ranges::count_if(tools_, &Exported::is_up));
  if (up == 0) throw Error("none of the tools can run on this host (try: strata doctor)");
  if (!run_time_)
    say("strata export: this host does not let us measure what the programs cost (CAP_SYS_ADMIN, Linux 5.8): the "
        "budget is about the reading of what they count alone\n");
  judged_ns_ = monotonic_ns();
  judged_cpu_ns_ = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  measure_at_ns_ = judged_ns_ + kSecondNs;
  host_.loop().every(kSecondNs, [this] { tick(); });
  if (pusher_) host_.loop().every(file_.push.interval_ns, [this] { push(); });
  say("strata export: http://%s/metrics has %zu of %zu tools\n", text_of(file_.listen).c_str(), up, tools_.size());
  host_.run();
}

void Exporter::tick() {
  server_.end_old_connections();
  if (pusher_) pusher_->tick();
  measure();
}

void Exporter::collect() {
  const uint64_t now_ns = monotonic_ns();
  if (collected_ns_ != 0 && now_ns - collected_ns_ < kMostAgeNs) return;
  collected_ns_ = now_ns;
  for (std::shared_ptr<const std::string> &text : texts_) text.reset();
  for (Exported &one : tools_) {
    if (!one.is_up()) continue;
    const uint64_t from_ns = monotonic_ns(), cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    one.session->read();
    one.read_ns = monotonic_ns() - from_ns;
    one.reading_cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
  }
}

// Of a tool that was detached nothing is there: a counter that stands still would say that nothing happens.
Families Exporter::families() {
  Families families;
  add_own(families);
  add_tools(families);
  if (pusher_) add_push(families);
  for (const Exported &one : tools_)
    if (one.is_up()) one.totals.add_to(families);
  return families;
}

HttpPage Exporter::metrics(MetricsFormat format) {
  const uint64_t from_ns = monotonic_ns();
  scrapes_++;
  collect();
  std::shared_ptr<const std::string> &text = texts_[static_cast<size_t>(format)];
  if (!text) {
    text = std::make_shared<std::string>(families().exposition(format));
    scrape_ns_ = monotonic_ns() - from_ns;
  }
  return {.status = 200, .type = kMetricsTypes[static_cast<size_t>(format)], .body = text};
}

HttpPage Exporter::page(std::string_view path, std::string_view accept) {
  if (path == "/metrics") return metrics(format_for(accept));
  if (path == "/-/healthy") return page_of(200, "text/plain; charset=utf-8", "strata export is healthy\n");
  if (path == "/") return page_of(200, "text/html; charset=utf-8", kRootPage);
  return page_of(404, "text/plain; charset=utf-8", "there are /metrics and /-/healthy\n");
}

void Exporter::push() {
  collect();
  pusher_->push_metrics(otlp_metrics(families(), head_, kService, clock_ns(CLOCK_REALTIME)));
  pusher_->tick();
}

void Exporter::measure() {
  const uint64_t now_ns = monotonic_ns();
  if (window_from_ns_ != 0)
    end_window();
  else if (now_ns >= measure_at_ns_)
    begin_window();
}

void Exporter::begin_window() {
  run_time_.set(true);
  window_from_ns_ = monotonic_ns();
  measure_at_ns_ = window_from_ns_ + file_.budget_every_ns;
  for (Exported &one : tools_)
    if (one.is_up()) one.programs = one.session->object()->run_time();
}

void Exporter::end_window() {
  const uint64_t now_ns = monotonic_ns(), cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  std::vector<std::optional<ToolCost>> costs;
  for (Exported &one : tools_) {
    one.cost.reset();
    if (one.is_up())
      one.cost = {.programs = millionths(run_time_.without_counting(one.session->object()->run_time() - one.programs),
                                         now_ns - window_from_ns_),
                  .reading = millionths(one.reading_cpu_ns, now_ns - judged_ns_),
                  .one_in = one.one_in};
    one.reading_cpu_ns = 0;
    costs.push_back(one.cost);
  }
  run_time_.set(false);
  window_from_ns_ = 0;
  const uint64_t own = millionths(cpu_ns - judged_cpu_ns_, now_ns - judged_ns_);
  judged_ns_ = now_ns;
  judged_cpu_ns_ = cpu_ns;
  const auto step = budget_.judge(own, costs);
  if (!step) return;
  if (step->one_in == 0)
    detach(tools_[step->tool]);
  else
    thin(tools_[step->tool], step->one_in);
}

// What is counted between the change and the reading before or after it stands for too few: the other way round a burst
// would be a thousandfold of itself.
void Exporter::thin(Exported &one, uint32_t one_in) {
  const bool thinner = one_in > one.one_in;
  const std::string which = one_in == 1 ? "each event" : "one event in " + std::to_string(one_in);
  say("strata export: %s the budget: %s, and %s is allowed; %s, which costs %s, looks at %s from now on\n",
      thinner ? "over" : "within", cpu_text(budget_.judged()).c_str(), cpu_text(budget_.millionths()).c_str(),
      one.name().c_str(), cpu_text(one.cost->all()).c_str(), which.c_str());
  if (thinner) thin_to(*one.session->object(), one_in);
  one.session->read();
  if (!thinner) thin_to(*one.session->object(), one_in);
  one.totals.count_each(one_in);
  one.one_in = one_in;
  collected_ns_ = 0;  // the next page is to be of what is counted now
}

void Exporter::detach(Exported &one) {
  say("strata export: over the budget: %s, and %s is allowed; %s, which costs %s, is detached\n",
      cpu_text(budget_.judged()).c_str(), cpu_text(budget_.millionths()).c_str(), one.name().c_str(),
      cpu_text(one.cost->all()).c_str());
  one.session->object()->detach();
  one.state = Exported::State::kDetached;
  one.cost.reset();
  collected_ns_ = 0;  // the next page has it no more
}

}  // namespace strata
