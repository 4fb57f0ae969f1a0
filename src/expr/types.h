// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The types that a program names: C's own, those that it declares, and the kernel's, which are read from BTF when they
// are asked for. A program that names none reads none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "btf/file.h"
#include "expr/ast.h"
#include "expr/type.h"

namespace strata::expr {

// By its name and kind (BTF_KIND_STRUCT, ...), in the kernel's types and those of its modules.
using FindBtf = std::function<BtfType(const std::string &name, uint32_t kind)>;

struct Function {
  std::vector<Field> parameters;  // offset: its number; of a function of the kernel in words, as the next
  Type result;
  BtfType at = {};
};

struct Enumerator {
  uint64_t value = 0;
  Type type;
};

class Types {
 public:
  explicit Types(FindBtf find) : find_(std::move(find)) {}
  ~Types();  // structs, which may lead to themselves, have no fields from then on
  Types(const Types &) = delete;
  Types &operator=(const Types &) = delete;

  void define(const Program &program, const Source &source);  // all that it defines; throws Error
  // nullopt: there is no such type. A pointer that a program casts to leads where its value says.
  std::optional<Type> named(const TypeName &name, Space space = Space::kUnknown);
  // With its fields; of a pointer, what it points to. nullptr: it has none.
  const Record *record_of(const Type &type);
  // Also one in an unnamed struct or union within; nullopt: it has none.
  std::optional<Field> field(const Record &record, std::string_view name);
  std::vector<std::string> field_names(const Record &record);

  // Of the file of the program that is probed: its types go before the kernel's until another one is looked into;
  // nullptr: none is. It is sound, and lives as long as this.
  void look_into(const BtfFile *program);
  [[nodiscard]] bool is_known(const std::string &name) const;  // C's, or the program's own

  std::optional<Function> function(const std::string &name);  // of the kernel
  std::optional<Function> function(const BtfFile &program, const std::string &name);
  bool in_module(const Function &function);
  std::optional<Function> tracepoint(const std::string &name);  // its arguments as raw tracepoints have them
  std::optional<Enumerator> own_enumerator(const std::string &name) const;  // that the program defines
  std::optional<Enumerator> enumerator(const std::string &name);            // of any enum of the kernel
  std::map<uint64_t, std::string> names_of_enum(const std::string &name);   // the first of those of a value
  // Of a field of a tracepoint, as tracefs says it: "const char * filename", "char comm[16]".
  Type of_declaration(const std::string &declaration, uint32_t size, bool is_signed);

 private:
  void define(const EnumDefinition &definition);
  void lay_out(const StructDefinition &definition, const Source &source);
  Type member_type(const StructDefinition::Member &member, const Source &source);
  BtfType find(const std::string &name, uint32_t kind) const;  // of the program, else of the kernel
  BtfType find_beside(const BtfFile *file, const std::string &name, uint32_t kind) const;
  BtfType find_enum(const std::string &name) const;
  std::string name_of_enum(BtfType at, const std::string &name);
  std::optional<Type> plain(const std::string &name) const;
  std::optional<Type> base(const std::string &name);
  Type read(BtfType at, Space space, unsigned depth = 0);
  Type read_record(BtfType at, const BtfFile::Type &type);
  std::optional<Function> read_function(BtfType at, size_t skipped, Space space = Space::kKernel);
  std::optional<Field> field_of_macro(const Record &record, std::string_view name);
  void complete(Record &record);
  void complete_from_btf(Record &record);
  uint32_t bytes_of(const Type &type);
  uint32_t align_of(const Type &type);

  using Enumerators = std::optional<std::map<std::string, BtfFile::Enumerator>>;  // of a file, once they are asked for

  FindBtf find_;
  const BtfFile *program_ = nullptr;
  std::map<const BtfFile *, Enumerators> programs_;  // that were looked into
  std::map<std::string, std::shared_ptr<Record>> defined_;
  std::map<std::pair<const BtfFile *, uint32_t>, std::shared_ptr<Record>> records_;
  std::map<const Record *, BtfType> places_;
  std::map<std::string, const Type> enums_;  // that the program defines
  std::map<std::string, Enumerator> own_enumerators_;
  std::map<std::string, std::map<uint64_t, std::string>> names_;  // of their enumerators, and of those of programs
  Enumerators enumerators_;                                       // the kernel's
};

}  // namespace strata::expr
