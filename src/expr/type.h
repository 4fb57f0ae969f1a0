// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Types of the values of a program, and how they lie in memory: in keys and values of maps, and in records to user
// space. There each value begins at a multiple of 8, and numbers have 8 bytes, whatever their type.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace strata::expr {

struct Record;

// Where a pointer leads to. Unknown: the program looks at its highest bit.
enum class Space : uint8_t { kUnknown, kKernel, kUser };

// By which a time was read, in nanoseconds. The first one is that of nsecs alone.
enum class Clock : uint8_t { kBoot, kMonotonic, kTai };

// How a stack is shown: by its functions, by addresses with functions and files, or by addresses alone.
enum class StackForm : uint8_t { kFunctions, kPerf, kRaw };

struct Type {
  enum class Kind : uint8_t {
    kNone,
    kInt,      // also bool and enum
    kPointer,  // to `to`
    kArray,    // `count` of `to`, in the memory that is traced: its value is its address
    kRecord,   // struct or union, in the memory that is traced: its value is its address
    kString,   // at most size - 1 bytes, the rest zeros
    kBuffer,   // 8 bytes of length, then so many
    kTuple,    // of `parts`; with a `record`, whose fields name them
    kWhole,    // the bytes of `to`, a record or an array, as it lies in the memory that is traced
    kKernelSymbol,
    kUserSymbol,  // address, and tgid
    kInet,        // family, and 16 bytes of address
    kMac,
    kKernelStack,  // a number in the map of stacks
    kUserStack,
    kPlaceName,   // `probe` or `func`: its number in Plan::names
    kTime,        // nanoseconds, shown as `name` says for strftime(3)
    kCgroupPath,  // its id, as of the next three
    kCgroupUnit,
    kCgroupContainer,
    kCgroupPod,
    kUserName,    // of a uid
    kErrno,       // shown as strerror(3) has it
    kSystemCall,  // its number
    kCount,       // from here on aggregations, which are values of maps alone
    kSum,
    kMin,
    kMax,
    kAverage,
    kStats,
    kHistogram,  // from here on with buckets
    kLinear,
    kSeries,
  };
  Kind kind = Kind::kNone;
  uint32_t size = 8;  // of an integer, as it lies in the memory that is traced; of what lies in ours, there
  bool is_signed = false;
  bool is_bool = false, is_char = false;
  StackForm form = StackForm::kFunctions;
  Space space = Space::kUnknown;
  Clock clock = Clock::kBoot;         // of a number that is a time
  uint32_t bit_offset = 0, bits = 0;  // of a bit field: within its `size` bytes
  uint32_t count = 0;
  std::shared_ptr<const Type> to;
  std::shared_ptr<Record> record;
  std::vector<Type> parts;
  std::string name;  // of an enum (one that has none: #1), with the format of a time

  [[nodiscard]] bool is(Kind one) const { return kind == one; }
  [[nodiscard]] bool known() const { return kind != Kind::kNone; }
  [[nodiscard]] bool is_char_array() const { return is(Kind::kArray) && to->is_char; }  // a string, to most who use it
  // One that has a name, or one of the program.
  [[nodiscard]] bool is_enum() const { return kind == Kind::kInt && !name.empty(); }
  [[nodiscard]] bool is_number() const { return kind == Kind::kInt || kind == Kind::kPointer; }
  [[nodiscard]] bool is_aggregate() const { return kind >= Kind::kCount; }
  [[nodiscard]] bool is_cgroup() const { return kind >= Kind::kCgroupPath && kind <= Kind::kCgroupPod; }
  // In a register; all others are in memory of ours.
  [[nodiscard]] bool is_scalar() const;
  [[nodiscard]] uint32_t bytes() const;  // in our memory, a multiple of 8
};

struct Field {
  std::string name;
  Type type;
  uint32_t offset = 0;
};

struct Record {
  std::string name;  // "struct task_struct"
  uint32_t size = 0;
  uint32_t align = 1;  // of those that a program declares; 0: it is not known yet
  bool packed = false;
  uint32_t id = 0;  // in BTF, where its fields are read from when they are asked for
  bool complete = false;
  std::vector<Field> fields;
};

// Of 8 bytes each, in which an argument of a function of the kernel comes: a struct may have two, and one that is
// longer lies elsewhere.
uint32_t words_of_argument(const Type &type);
uint32_t words_of_arguments(const std::vector<Field> &all);

Type int_type(uint32_t size = 8, bool is_signed = true);
Type bool_type();
Type pointer_to(Type to, Space space);
Type string_type(uint32_t size);
Type of_kind(Type::Kind kind, uint32_t size = 8);
Type tuple_of(std::vector<Type> parts);

// "int64", "struct task_struct *", "string[64]", "(int64,string[16])", as messages and typeof() have it.
std::string name_of(const Type &type);
// That count(), hist() and so on make; kNone of other names.
Type::Kind aggregation(std::string_view function);
// Makes `to`, which it fits, wide enough for both: numbers of an enum and others are numbers.
void widen(Type &to, const Type &from);
// Do values of both lie in memory, and mean, the same?
bool alike(const Type &a, const Type &b);
// Of tuples: do their values have the same names, or none?
bool same_names(const Type &a, const Type &b);
// May a value of the one stand where the other is? Sizes of strings may differ.
bool fits(const Type &value, const Type &place);

}  // namespace strata::expr
