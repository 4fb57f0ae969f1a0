// One run of a tool: everything that every tool has and none should write again. A tool's function reads as
//
//   Skeleton<x_bpf> skel;
//   Object object(skel->skeleton, kHooks);
//   session.attach(object);
//   session.loop().watch(...);
//   session.run();
//   session.report(object.losses());
//   session.out().summary(...);
//   return session.finish();
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "model/loss.h"
#include "render/sink.h"
#include "run/command.h"
#include "run/loop.h"
#include "run/tool.h"

namespace strata {

class Object;
class Values;

class Session {
 public:
  // Opens the outputs and prepares the command; throws Error before anything is traced.
  Session(const Tool &tool, const Values &values, std::string program);

  [[nodiscard]] const Values &values() const { return values_; }
  [[nodiscard]] Schema columns() const;  // the tool's
  // Formats, options and columns are these from now on: of a recording, or where they depend on how the tool was
  // called. Throws Error where what was asked for is not among them.
  void show(const Tool &tool);
  void show(const Tool &tool, std::vector<Column> columns);  // its columns are these
  [[nodiscard]] const Clocks &clocks() const { return clocks_; }
  [[nodiscard]] Loop &loop() { return *loop_; }
  [[nodiscard]] Outputs &out() { return outputs_; }
  [[nodiscard]] bool asks_for_tasks() const;  // for certain ones: by a common filter, or a command
  [[nodiscard]] pid_t command_pid() const { return command_ ? command_->pid() : 0; }

  // Applies the common filters, loads and attaches; -v tells which variants were taken.
  void attach(Object &object);
  void prepare(Object &object);  // as attach(), but leaves the attaching to the tool
  // What either of them calls when the object is loaded and not attached: to fill its maps.
  void when_loaded(std::function<void()> fill) { fill_ = std::move(fill); }

  // The head of all outputs, once: by run(), or before it by a tool that has something to put out first. A replay
  // gives the clocks of its recording.
  void begin() { begin(clocks_); }
  void begin(const Clocks &clocks);

  // Starts the command, if there is one, and loops until it ends, the time of -d is over, a signal comes, the loop is
  // stopped, or an output cannot be written.
  void run();
  void report(std::vector<Loss> losses);  // what was lost: after the last record, before a summary
  int finish();                           // ends the outputs, waits for the command; the exit status

 private:
  Tool tool_;
  std::vector<Column> columns_;  // those of tool_, if show() gave them
  const Values &values_;
  std::string program_;
  Clocks clocks_;
  bool replay_;
  std::vector<size_t> shown_;
  bool begun_ = false;
  std::function<void()> fill_;
  Outputs outputs_;
  std::unique_ptr<Command> command_;
  std::unique_ptr<Loop> loop_;
};

std::vector<OutputRequest> output_requests(const Values &values, const Tool &tool);  // throws Error
// Of --columns, or by default; throws Error.
std::vector<size_t> shown_columns(const Tool &tool, const Values &values, bool replay);

}  // namespace strata
