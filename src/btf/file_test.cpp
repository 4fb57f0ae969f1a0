// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "btf/file.h"

#include <bpf/btf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/test.h"
#include "btf/subset.h"

namespace strata {
namespace {

struct FreeBtf {
  void operator()(btf *types) const { btf__free(types); }
};
using Btf = std::unique_ptr<btf, FreeBtf>;

Fd file_of(const std::string &bytes) {
  Fd file(memfd_create("types", MFD_CLOEXEC));
  REQUIRE(write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  return file;
}

// By its path, which maps it.
std::unique_ptr<BtfFile> opened(const std::string &bytes, const BtfFile *base = nullptr) {
  const Fd file = file_of(bytes);
  return BtfFile::open("/proc/self/fd/" + std::to_string(file.get()), base);
}

std::string bytes_of(const btf *types) {
  uint32_t size = 0;
  const void *data = btf__raw_data(types, &size);
  return {static_cast<const char *>(data), size};
}

// struct inner { int a; };   struct outer { struct inner in; struct outer *next; int b[3]; };
// enum kind { FIRST = 0, LAST = 7 };   typedef struct outer outer_t;   int work(struct outer *what);   struct unasked
// {}
Btf constructed() {
  Btf made(btf__new_empty());
  btf *types = made.get();
  const int number = btf__add_int(types, "int", 4, BTF_INT_SIGNED);
  const int inner = btf__add_struct(types, "inner", 4);
  btf__add_field(types, "a", number, 0, 0);
  const int array = btf__add_array(types, number, number, 3);
  const int outer = btf__add_struct(types, "outer", 32);
  btf__add_field(types, "in", inner, 0, 0);
  btf__add_field(types, "next", outer + 1, 64, 0);
  btf__add_field(types, "b", array, 128, 0);
  btf__add_ptr(types, outer);
  btf__add_enum(types, "kind", 4);
  btf__add_enum_value(types, "FIRST", 0);
  btf__add_enum_value(types, "LAST", 7);
  btf__add_typedef(types, "outer_t", outer);
  const int proto = btf__add_func_proto(types, number);
  btf__add_func_param(types, "what", outer + 1);
  btf__add_func(types, "work", BTF_FUNC_GLOBAL, proto);
  btf__add_typedef(types, "work_t", proto);
  btf__add_struct(types, "unasked", 0);
  return made;
}

}  // namespace

TEST_CASE("enumerators have their values, with their signs, and say of which enumeration they are") {
  const Btf types = constructed();
  const int low = btf__add_enum(types.get(), "low", 4);
  btf__add_enum_value(types.get(), "BELOW", -2);
  const int wide = btf__add_enum64(types.get(), "wide", 8, false);
  btf__add_enum64_value(types.get(), "WIDE", 0x1234567890);
  const auto file = opened(bytes_of(types.get()));
  REQUIRE(file);
  auto all = file->enumerators();
  CHECK((all["LAST"].value == 7 && all["LAST"].of == file->named("kind", BTF_KIND_ENUM)));
  CHECK((all["BELOW"].value == static_cast<uint64_t>(-2) && all["BELOW"].of == static_cast<uint32_t>(low)));
  CHECK((all["WIDE"].value == 0x1234567890 && all["WIDE"].of == static_cast<uint32_t>(wide)));
  CHECK(file->enumerators(all["LAST"].of) == std::vector<std::pair<std::string, uint64_t>>{{"FIRST", 0}, {"LAST", 7}});
  CHECK(file->enumerators(1).empty());
}

TEST_CASE("types of a file are found by name and number") {
  const Btf types = constructed();
  const auto file = opened(bytes_of(types.get()));
  REQUIRE(file);
  CHECK(file->named("work", BTF_KIND_FUNC) == static_cast<uint32_t>(btf__find_by_name(types.get(), "work")));
  CHECK(file->named("work", BTF_KIND_STRUCT) == 0);
  CHECK(file->named("a").empty());  // a member's
  const BtfFile::Type outer = file->type(file->named("outer", BTF_KIND_STRUCT));
  CHECK((outer.vlen() == 3 && outer.rest.size() == 9 && outer.words_each() == 3));
  CHECK(file->name(outer.rest[3]) == "next");
  CHECK(file->type(1000).kind() == BTF_KIND_UNKN);
}

TEST_CASE("each of many names is found, also where two windows of the strings meet") {
  const Btf types(btf__new_empty());
  for (int i = 0; i < 9001; i++) btf__add_struct(types.get(), ("a_structure_" + std::to_string(i)).c_str(), 0);
  btf__add_func(types.get(), "a_structure_7", BTF_FUNC_GLOBAL, 1);
  const std::string bytes = bytes_of(types.get());
  const auto mapped = opened(bytes), read = BtfFile::open(file_of(bytes));
  for (const auto *file : {mapped.get(), read.get()}) {
    REQUIRE(file);
    for (uint32_t i = 0; i < 9001; i++) {
      const std::string name = "a_structure_" + std::to_string(i);
      if (file->named(name, BTF_KIND_STRUCT) != i + 1) FAIL(name << " is not found");
    }
    CHECK(file->named("a_structure_7") == std::vector<uint32_t>{8, 9002});
    CHECK(file->named("a_structure_9001").empty());
  }
}

TEST_CASE("a module's types are numbered on from the kernel's, and use its names") {
  const Btf base = constructed();
  const Btf split(btf__new_empty_split(base.get()));
  btf__add_typedef(split.get(), "of_module", btf__find_by_name(base.get(), "outer"));
  btf__add_struct(split.get(), "next", 8);  // a string of the base
  const auto kernel = opened(bytes_of(base.get()));
  REQUIRE(kernel);
  const auto module = opened(bytes_of(split.get()), kernel.get());
  REQUIRE(module);
  const uint32_t id = module->named("of_module", BTF_KIND_TYPEDEF);
  CHECK(id == btf__type_cnt(base.get()));
  CHECK(module->named("next", BTF_KIND_STRUCT) == id + 1);
  CHECK(module->name(module->type(module->type(id).head.type).head.name_off) == "outer");
}

TEST_CASE("what is cut short or no BTF is refused") {
  const std::string bytes = bytes_of(constructed().get());
  CHECK_FALSE(BtfFile::open("/no/such/file"));
  CHECK_FALSE(opened(""));
  for (size_t size = 0; size < bytes.size(); size++) {
    CHECK_FALSE(opened(bytes.substr(0, size)));
    CHECK_FALSE(BtfFile::open(file_of(bytes.substr(0, size))));
  }
}

TEST_CASE("a subset has what is named and what that contains, and pointers to void") {
  const auto file = opened(bytes_of(constructed().get()));
  REQUIRE(file);
  const std::string bytes = btf_subset(
      *file, {.names = {"outer_t", "kind", "work", "work_t", "no_such_type"}, .members = {"in", "next", "b"}});
  const Btf subset(btf__new(bytes.data(), static_cast<uint32_t>(bytes.size())));
  REQUIRE(subset);
  CHECK(btf__find_by_name(subset.get(), "unasked") < 0);
  CHECK(btf__find_by_name(subset.get(), "work") < 0);
  const int32_t id = btf__find_by_name_kind(subset.get(), "outer", BTF_KIND_STRUCT);
  REQUIRE(id > 0);
  CHECK(btf__resolve_size(subset.get(), static_cast<uint32_t>(id)) == 32);
  const btf_member *members = btf_members(btf__type_by_id(subset.get(), static_cast<uint32_t>(id)));
  CHECK(btf__resolve_size(subset.get(), members[0].type) == 4);
  CHECK(btf__type_by_id(subset.get(), members[1].type)->type == 0);
  CHECK(members[1].offset == 64);
  CHECK(btf__resolve_size(subset.get(), members[2].type) == 12);
  const int32_t kind = btf__find_by_name_kind(subset.get(), "kind", BTF_KIND_ENUM);
  REQUIRE(kind > 0);
  CHECK(btf_enum(btf__type_by_id(subset.get(), static_cast<uint32_t>(kind)))[1].val == 7);
}

// struct whole { int kept; union { int one; struct { int two; } in[2]; }; int left_out; };   typedef struct { int
// of_typedef; } unnamed_t;   typedef void (*btf_trace_done)(void *, struct whole *, int);
TEST_CASE("members that nobody looks for are left out, and sizes stay") {
  const Btf made(btf__new_empty());
  btf *types = made.get();
  const int number = btf__add_int(types, "int", 4, BTF_INT_SIGNED);
  const int inner = btf__add_struct(types, nullptr, 4);
  btf__add_field(types, "two", number, 0, 0);
  const int array = btf__add_array(types, number, inner, 2);
  const int either = btf__add_union(types, nullptr, 8);
  btf__add_field(types, "one", number, 0, 0);
  btf__add_field(types, "in", array, 0, 0);
  const int whole = btf__add_struct(types, "whole", 16);
  btf__add_field(types, "kept", number, 0, 0);
  btf__add_field(types, nullptr, either, 32, 0);
  btf__add_field(types, "left_out", number, 96, 0);
  const int unnamed = btf__add_struct(types, nullptr, 4);
  btf__add_field(types, "of_typedef", number, 0, 0);
  btf__add_typedef(types, "unnamed_t", unnamed);
  const int proto = btf__add_func_proto(types, 0);
  for (const int type : {0, whole, number}) btf__add_func_param(types, "", type);
  btf__add_typedef(types, "btf_trace_done", btf__add_ptr(types, proto));
  RelocatedTypes wanted = types_to_relocate(types);
  CHECK(wanted.names == std::set<std::string>{"btf_trace_done", "unnamed_t", "whole"});
  CHECK(wanted.members == std::set<std::string>{"", "in", "kept", "left_out", "of_typedef", "one", "two"});
  wanted.members.erase("left_out");
  wanted.members.erase("one");

  const auto file = opened(bytes_of(types));
  REQUIRE(file);
  const std::string bytes = btf_subset(*file, wanted);
  const Btf subset(btf__new(bytes.data(), static_cast<uint32_t>(bytes.size())));
  REQUIRE(subset);
  const auto named = [&](const char *name) {
    return btf__type_by_id(subset.get(), static_cast<uint32_t>(btf__find_by_name(subset.get(), name)));
  };
  const btf_type *cut = named("whole");
  REQUIRE((btf_vlen(cut) == 2 && cut->size == 16 && btf_members(cut)[1].offset == 32));
  const btf_type *part = btf__type_by_id(subset.get(), btf_members(cut)[1].type);
  REQUIRE((btf_vlen(part) == 1 && part->size == 8));
  const btf_type *two =
      btf__type_by_id(subset.get(), btf_array(btf__type_by_id(subset.get(), btf_members(part)[0].type))->type);
  CHECK((btf_vlen(two) == 1 && two->size == 4));
  CHECK(btf_vlen(btf__type_by_id(subset.get(), named("unnamed_t")->type)) == 1);
  CHECK(btf_vlen(btf__type_by_id(subset.get(), btf__type_by_id(subset.get(), named("btf_trace_done")->type)->type)) ==
        3);
}

TEST_CASE("what vmlinux does not define is taken from a module") {
  const Btf kernel(btf__new_empty());
  btf__add_int(kernel.get(), "int", 4, BTF_INT_SIGNED);
  btf__add_fwd(kernel.get(), "journal", BTF_FWD_STRUCT);
  btf__add_func(kernel.get(), "journal", BTF_FUNC_STATIC, btf__add_func_proto(kernel.get(), 0));
  const int inode = btf__add_struct(kernel.get(), "inode", 8);
  btf__add_field(kernel.get(), "number", 1, 32, 0);
  const Btf module(btf__new_empty_split(kernel.get()));
  btf__add_struct(module.get(), "journal", 16);
  btf__add_field(module.get(), "number", 1, 0, 0);
  btf__add_field(module.get(), "of", inode, 64, 0);
  btf__add_struct(module.get(), "inode", 4);
  const auto base = opened(bytes_of(kernel.get())), types = opened(bytes_of(module.get()), base.get());
  REQUIRE((base && types));
  const BtfFile *modules[] = {types.get()};

  const std::string bytes = btf_subset(*base, {.names = {"inode", "journal"}, .members = {"number", "of"}}, modules);
  const Btf subset(btf__new(bytes.data(), static_cast<uint32_t>(bytes.size())));
  REQUIRE(subset);
  const auto sizes_of = [&](std::string_view name) {
    std::vector<uint32_t> sizes;
    for (uint32_t id = 1; id < btf__type_cnt(subset.get()); id++) {
      const btf_type *type = btf__type_by_id(subset.get(), id);
      if (btf_is_struct(type) && name == btf__name_by_offset(subset.get(), type->name_off)) sizes.push_back(type->size);
    }
    return sizes;
  };
  CHECK(sizes_of("journal") == std::vector<uint32_t>{16});
  CHECK(sizes_of("inode") == std::vector<uint32_t>{8, 8});  // the base's, and once more as a part of the module's
}

TEST_CASE("the names that an object asks for are without their flavors") {
  const Btf types(btf__new_empty());
  btf__add_struct(types.get(), "bio___old", 8);
  btf__add_enum(types.get(), "kind", 4);
  btf__add_int(types.get(), "int", 4, 0);
  CHECK(types_to_relocate(types.get()).names == std::set<std::string>{"bio", "kind"});
}

}  // namespace strata
