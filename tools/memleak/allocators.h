// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Probes in the functions by which processes allocate and free memory: in every file that a traced process has mapped
// and that has one of their names as a symbol, be it a C library, another allocator, or a static program. Only traced
// processes pay for them: each has probes of its own, where gethostlatency's, of calls that are rare, are everybody's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/file_id.h"
#include "bpf/uprobe.h"
#include "memleak/memleak.h"
#include "sym/mapped.h"

namespace strata {

class Object;
class Session;

void choose_allocator_hooks(Object &object);  // for load time: those that this kernel takes
void leave_out_blocks(Object &object);        // instead: none of them

class Allocators {
 public:
  // Before the object is loaded. Throws a usage Error if --functions cannot be understood.
  Allocators(Session &session, Object &object);

  void look_at(uint32_t tgid, std::span<const CodeMapping> mappings);  // as Stacks does
  void look_at_command();                                              // before it begins
  void settle();                                                       // at the end: nothing was found is a loss
  [[nodiscard]] std::string comm(uint32_t tgid) const;                 // as it was called when it was looked at last

 private:
  struct Function {
    std::string name;
    memory_call call;
    bool cpp = false;  // operator new or delete: only those that do not call malloc() and free()
  };
  struct File {
    Fd file;  // none: it has no such function
    std::string path;
    std::array<std::vector<UprobePoint>, MEMORY_CALLS> points;
    bool refused = false;
  };

  [[nodiscard]] static std::vector<Function> functions_of(const std::string &words);
  File *file_of(Fd file, const std::string &path);  // nullptr: it has none
  void attach(uint32_t tgid, File &file);
  int attach_points(uint32_t tgid, const File &file);
  void count_unseen(const Fd &program);
  void forget_ended();

  Session &session_;
  Object &object_;
  std::vector<Function> functions_;
  std::function<bool(uint32_t tgid, const std::string &comm)> passes_;
  std::map<std::string, File *> mapped_;  // by CodeMapping::file
  std::map<FileId, File> files_;
  std::map<uint32_t, std::set<const File *>> attached_;  // by process
  std::map<uint32_t, std::string> comms_;
  std::set<FileId> unseen_;  // programs without a function that is known
  bool found_ = false;       // functions of some process, which may have ended
};

}  // namespace strata
