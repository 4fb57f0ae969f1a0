// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Tools that run until the exporter ends, as guests in one process and thread (run/session.h), and one page of metrics
// of all of them.
//
// The counters are read when somebody asks for the page, as Prometheus wants it, once a second at most; so no page is
// older than that, and many who ask cost no more than one. They are also read at the tool's interval, so that idle keys
// make room while nobody asks. Rejected: at the interval alone, whose beat against that of the scraper makes rates of
// one interval zero and of the next one double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bpf/run_time.h"
#include "export/budget.h"
#include "export/event_base.h"
#include "export/export_file.h"
#include "export/exported.h"
#include "export/http_server.h"
#include "export/push.h"
#include "rec/recording.h"

namespace strata {

class Exporter {
 public:
  // Listens, but attaches nothing yet; throws Error.
  Exporter(const ExportFile &file, Tools tools, Session &host);

  // Until the host's run ends; throws Error if no tool could begin. The exit status: 1 where memory ran out.
  int run();

 private:
  void run_from(size_t i);  // this tool, and inside its run the next ones
  void serve();
  void tick();  // each second

  void collect();
  [[nodiscard]] Families families();
  void add_own(Families &families);
  void add_tools(Families &families);
  void add_push(Families &families);
  HttpPage page(std::string_view path, std::string_view accept);
  HttpPage metrics(MetricsFormat format);
  void push();

  void measure();
  void begin_window();
  void end_window();
  void thin(Exported &one, uint32_t one_in);
  void detach(Exported &one);

  const ExportFile &file_;
  Session &host_;
  RecordingHead head_;  // of the host's run, once that has begun
  std::vector<Exported> tools_;
  RunTimeSwitch run_time_;
  EventBase events_;
  HttpServer server_;
  std::unique_ptr<Pusher> pusher_;

  bool failed_ = false;
  uint64_t collected_ns_ = 0;
  std::shared_ptr<const std::string> texts_[3];  // of that moment, by MetricsFormat
  uint64_t scrapes_ = 0, scrape_ns_ = 0;         // how long the last one took

  Budget budget_;
  uint64_t measure_at_ns_ = 0, window_from_ns_ = 0;  // 0: no window is open
  uint64_t judged_ns_ = 0, judged_cpu_ns_ = 0;       // the last time
};

}  // namespace strata
