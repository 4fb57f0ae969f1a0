// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The makers of the sinks, one per format, so that nobody includes a whole format to open it.
#pragma once

#include <memory>

#include "render/sink.h"

namespace strata {

std::unique_ptr<Sink> make_text_sink(Writer writer);
std::unique_ptr<Sink> make_json_sink(Writer writer);
std::unique_ptr<Sink> make_csv_sink(Writer writer);
std::unique_ptr<Sink> make_timeline_sink(Writer writer);
std::unique_ptr<Sink> make_perfetto_sink(Writer writer);
std::unique_ptr<Sink> make_heatmap_sink(Writer writer);
std::unique_ptr<Sink> make_folded_sink(Writer writer);
std::unique_ptr<Sink> make_flame_sink(Writer writer);
std::unique_ptr<Sink> make_pprof_sink(Writer writer);
std::unique_ptr<Sink> make_otlp_sink(Writer writer);
std::unique_ptr<Sink> make_openmetrics_sink(Writer writer);
std::unique_ptr<Sink> make_markdown_sink(Writer writer);
std::unique_ptr<Sink> make_junit_sink(Writer writer);
std::unique_ptr<Sink> make_sql_sink(Writer writer);
std::unique_ptr<Sink> make_pcapng_sink(Writer writer);
std::unique_ptr<Sink> make_record_sink(Writer writer);

}  // namespace strata
