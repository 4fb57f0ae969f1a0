// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "match.h"

#include <cstdlib>

#include "base/error.h"

namespace btfcheck {

namespace {

struct Member {
  Type type;
  uint64_t bit = 0;
  uint32_t bits = 0;  // of a bit field
};

Member member_of(Type structure, uint32_t index) {
  const btf_member *member = btf_members(structure.get()) + index;
  return {structure.other(member->type), btf_member_bit_offset(structure.get(), index),
          btf_member_bitfield_size(structure.get(), index)};
}

// By name, in anonymous structs and unions too.
std::optional<Member> find_member(Type structure, std::string_view name) {
  for (uint32_t i = 0; i < btf_vlen(structure.get()); ++i) {
    const Member member = member_of(structure, i);
    const std::string_view member_name = structure.text(btf_members(structure.get())[i].name_off);
    if (!member_name.empty() && member_name == name) return member;
    const Type inner = plain(member.type);
    if (!member_name.empty() || !btf_is_composite(inner.get())) continue;
    if (const auto found = find_member(inner, name)) return Member{found->type, member.bit + found->bit, found->bits};
  }
  return {};
}

uint64_t size_of(Type type) {
  const int64_t size = btf__resolve_size(type.in, type.id);
  return size < 0 ? 0 : static_cast<uint64_t>(size);
}

// "is read as int (4 bytes) and is long (8 bytes)"
std::string difference(Type program, Type kernel) {
  const uint64_t ours = size_of(program), theirs = size_of(kernel);
  const auto text = [&](Type type, uint64_t size) {
    return describe(type) + (ours == theirs ? "" : " (" + std::to_string(size) + (size == 1 ? " byte)" : " bytes)"));
  };
  return " is read as " + text(program, ours) + " and is " + text(kernel, theirs);
}

// One type of the kernel that has the right name: where in it is the field?
class Search {
 public:
  Search(const Wanted &wanted, Type root) : wanted_(wanted), place_{root} {}

  bool run() {
    for (const Wanted::Step &step : wanted_.steps) {
      path_ += step.name.empty() ? "[" + std::to_string(step.element) + "]" : (path_.empty() ? "" : ".") + step.name;
      if (!(step.name.empty() ? enter_element(step) : enter_member(step))) return false;
    }
    return true;
  }

  const Member &place() const { return place_; }
  const std::string &problem() const { return problem_; }

 private:
  bool missing() {
    problem_ = wanted_.what() + " has no field " + path_;
    return false;
  }

  bool enter_member(const Wanted::Step &step) {
    const Type structure = plain(place_.type);
    if (!btf_is_composite(structure.get())) return missing();
    const auto found = find_member(structure, step.name);
    if (!found) return missing();
    place_ = {found->type, place_.bit + found->bit, found->bits};
    if (same_kind(step.type, place_.type)) return true;
    problem_ = wanted_.what() + "." + path_ + difference(step.type, place_.type);
    return false;
  }

  bool enter_element(const Wanted::Step &step) {
    const Type array = plain(place_.type);
    if (!btf_is_array(array.get())) return missing();
    const struct btf_array *elements = btf_array(array.get());
    if (elements->nelems != 0 && step.element >= elements->nelems) return missing();
    const Type type = array.other(elements->type);
    place_ = {type, place_.bit + step.element * size_of(type) * 8};
    return true;
  }

  const Wanted &wanted_;
  Member place_;
  std::string path_, problem_;
};

// It is there: but is it what the program takes it for?
std::string mistyped(const Wanted &wanted, const Member &place) {
  if (wanted.any_size || wanted.kind == BPF_CORE_FIELD_BYTE_SIZE || wanted.steps.empty()) return "";
  const std::string field = wanted.what() + "." + wanted.path();
  if (!wanted.bitfield && place.bits) return field + " is a bit field there and not here";
  if (wanted.bitfield || same_value(wanted.accessed(), place.type)) return "";
  return field + difference(wanted.accessed(), place.type);
}

Answer field_answer(const Wanted &wanted, const std::vector<Type> &roots) {
  Answer result;
  std::vector<Member> places;
  for (const Type root : roots) {
    Search search(wanted, root);
    if (search.run())
      places.push_back(search.place());
    else if (result.problem.empty())
      result.problem = search.problem();
  }
  if (places.empty()) return result;
  result = {.exists = true};
  for (const Member &place : places) {
    if (place.bit != places[0].bit)
      result.problem = "there are several " + wanted.what() + " that differ in " + wanted.path();
    if (result.problem.empty()) result.problem = mistyped(wanted, place);
  }
  const bool sized = wanted.kind == BPF_CORE_FIELD_BYTE_SIZE && !places[0].bits;
  if (sized) result.value = size_of(places[0].type);
  return result;
}

// Types of another kind have not been looked at; a typedef is followed.
Answer type_answer(const Wanted &wanted, const std::vector<Type> &roots) {
  Answer result;
  for (const Type root : roots) {
    const btf_type *ours = plain(wanted.root).get(), *theirs = plain(root).get();
    if (btf_kind(ours) != btf_kind(theirs) && !(btf_is_any_enum(ours) && btf_is_any_enum(theirs))) continue;
    result.exists = true;
    if (wanted.kind == BPF_CORE_TYPE_SIZE) result.value = size_of(root);
    return result;
  }
  result.problem = wanted.what() + " is of another kind";
  return result;
}

bool has_enumerator(Type type, std::string_view name) {
  for (uint32_t i = 0; i < btf_vlen(type.get()); ++i) {
    const uint32_t offset =
        btf_is_enum(type.get()) ? btf_enum(type.get())[i].name_off : btf_enum64(type.get())[i].name_off;
    if (essential(type.text(offset)) == name) return true;
  }
  return false;
}

Answer enumerator_answer(const Wanted &wanted, const std::vector<Type> &roots) {
  Answer result;
  for (const Type root : roots) result.exists |= has_enumerator(plain(root), wanted.steps[0].name);
  if (!result.exists) result.problem = wanted.what() + " has no enumerator " + wanted.path();
  return result;
}

[[noreturn]] void contradiction(const Object &object, const Relocation &relocation) {
  throw strata::Error(object.file + ": relocation '" + relocation.access + "' does not fit its type",
                      strata::kUsageStatus);
}

std::vector<uint32_t> numbers(const Object &object, const Relocation &relocation) {
  std::vector<uint32_t> result;
  const char *at = relocation.access.c_str();
  while (true) {
    char *end = nullptr;
    result.push_back(static_cast<uint32_t>(strtoul(at, &end, 10)));
    if (end == at || (*end != ':' && *end != '\0')) contradiction(object, relocation);
    if (*end == '\0') return result;
    at = end + 1;
  }
}

}  // namespace

Asks asks(bpf_core_relo_kind kind) {
  if (kind <= BPF_CORE_FIELD_RSHIFT_U64) return Asks::kField;
  if (kind == BPF_CORE_TYPE_ID_LOCAL) return Asks::kNothing;
  if (kind == BPF_CORE_ENUMVAL_EXISTS || kind == BPF_CORE_ENUMVAL_VALUE) return Asks::kEnumerator;
  return Asks::kType;
}

bool is_guard(bpf_core_relo_kind kind) {
  return kind == BPF_CORE_FIELD_EXISTS || kind == BPF_CORE_TYPE_EXISTS || kind == BPF_CORE_ENUMVAL_EXISTS ||
         kind == BPF_CORE_TYPE_MATCHES;
}

std::string Wanted::what() const { return keyword(root) + std::string(essential(root.name())); }

std::string Wanted::path() const {
  std::string result;
  for (const Step &step : steps) {
    if (step.name.empty())
      result += "[" + std::to_string(step.element) + "]";
    else
      result += (result.empty() ? "" : ".") + step.name;
  }
  return result;
}

std::string Wanted::word() const {
  for (size_t i = steps.size(); i-- > 0;) {
    if (!steps[i].name.empty()) return steps[i].name;
  }
  return std::string(root.name());
}

Wanted wanted(const Object &object, const Relocation &relocation) {
  Wanted result = {.kind = relocation.kind, .root = {object.types.get(), relocation.type}};
  if (!result.root.get()) contradiction(object, relocation);
  const std::vector<uint32_t> path = numbers(object, relocation);
  Type type = plain(result.root);
  if (asks(relocation.kind) == Asks::kEnumerator) {
    if (!btf_is_any_enum(type.get()) || path[0] >= btf_vlen(type.get())) contradiction(object, relocation);
    const bool small = btf_is_enum(type.get());
    const uint32_t name = small ? btf_enum(type.get())[path[0]].name_off : btf_enum64(type.get())[path[0]].name_off;
    result.steps.push_back({std::string(essential(type.text(name))), 0, type});
    return result;
  }
  if (asks(relocation.kind) != Asks::kField) return result;
  // The first index is of the pointer, as if it pointed to an array; no kernel can contradict it.
  for (size_t i = 1; i < path.size(); ++i) {
    if (btf_is_composite(type.get()) && path[i] < btf_vlen(type.get())) {
      const Member member = member_of(type, path[i]);
      const std::string name(type.text(btf_members(type.get())[path[i]].name_off));
      if (!name.empty()) result.steps.push_back({name, 0, member.type});
      result.bitfield = member.bits != 0;
      type = plain(member.type);
    } else if (btf_is_array(type.get())) {
      const Type element = type.other(btf_array(type.get())->type);
      result.steps.push_back({"", path[i], element});
      type = plain(element);
    } else {
      contradiction(object, relocation);
    }
  }
  return result;
}

Answer answer(const Wanted &wanted, const Kernel &kernel) {
  if (asks(wanted.kind) == Asks::kNothing) return {.exists = true};
  const std::vector<Type> roots = kernel.types(essential(wanted.root.name()), wanted.root.get());
  Answer result;
  if (wanted.root.name().empty())
    result.problem = "a type without a name cannot be found in any kernel";
  else if (roots.empty())
    result.problem = "there is no " + wanted.what();
  else if (asks(wanted.kind) == Asks::kField)
    result = field_answer(wanted, roots);
  else if (asks(wanted.kind) == Asks::kEnumerator)
    result = enumerator_answer(wanted, roots);
  else
    result = type_answer(wanted, roots);
  if (is_guard(wanted.kind) && wanted.kind != BPF_CORE_TYPE_MATCHES) result.value = result.exists;
  return result;
}

}  // namespace btfcheck
