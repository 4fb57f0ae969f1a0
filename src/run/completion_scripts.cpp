// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The scripts of three shells. Each asks `strata --complete`, not the word on the line, which may be a path: to press
// Tab runs nothing that is not in PATH.
#include "run/completion.h"

namespace strata {
namespace {

// Readline has broken the line at each : and = too: what stands on both sides of one is one word for us, and only what
// is behind the last one is to be replaced.
constexpr std::string_view kBash = R"sh(# bash completion of strata and of its links
_strata() {
  local word joined= words=() lines=()
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ ( $joined || $word == [:=]* ) && ${#words[@]} -gt 0 ]]; then words[-1]+=$word; else words+=("$word"); fi
    joined=
    [[ $word != *[:=] ]] || joined=1
  done
  word=${COMP_WORDS[COMP_CWORD]}
  [[ $word == *[!:=]* ]] || word=
  local fixed=${words[-1]%"$word"}
  mapfile -t lines < <(command strata --complete "${words[@]}" 2>/dev/null)
  COMPREPLY=()
  case ${lines[0]} in
  files) compopt -o default ;;
  command)
    local at=1
    while [[ ${COMP_WORDS[at]} != -- ]]; do at=$((at + 1)); done
    if declare -F _command_offset >/dev/null; then
      _command_offset $((at + 1))
    elif [ $((at + 1)) = "$COMP_CWORD" ]; then
      mapfile -t COMPREPLY < <(compgen -c -- "$word")
    else
      compopt -o default
    fi
    ;;
  *)
    [ "${lines[0]}" != parts ] || compopt -o nospace
    for word in "${lines[@]:1}"; do
      word=${word%%$'\t'*}
      COMPREPLY+=("${word#"$fixed"}")
    done
    ;;
  esac
}
complete -F _strata strata)sh";

constexpr std::string_view kZsh = R"sh(#compdef strata -P strata-*
# zsh completion of strata and of its links
_strata() {
  local line at
  local -a lines described
  lines=("${(@f)$(command strata --complete "${(@Q)words[1,CURRENT]}" 2>/dev/null)}")
  case $lines[1] in
  files)
    compset -P '*[:=]'
    _files
    ;;
  command)
    at=${words[(i)--]}
    shift $at words
    ((CURRENT -= at))
    _normal
    ;;
  *)
    for line in "${(@)lines[2,-1]}"; do
      described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    if [[ $lines[1] == parts ]]; then
      _describe -V strata described -S ''
    else
      _describe -V strata described
    fi
    ;;
  esac
}
if [[ $funcstack[1] == _strata ]]; then
  _strata "$@"
else
  compdef _strata strata -P 'strata-*'
fi
)sh";

constexpr std::string_view kFish = R"sh(# fish completion of strata and of its links
function __strata_complete
  set -l current (commandline -ct)
  set -l words (commandline -opc) "$current"
  set -l lines (command strata --complete $words 2>/dev/null)
  switch "$lines[1]"
    case files
      set -l fixed (string match -r '^.*[:=]' -- "$current")
      for path in (__fish_complete_path (string replace -r '^.*[:=]' '' -- "$current"))
        echo "$fixed$path"
      end
    case command
      set -l at (contains -i -- -- $words)
      set -l rest (string escape -- $words[(math $at + 1)..-2])
      complete -C "$(string join ' ' -- $rest "$current")"
    case '*'
      test (count $lines) -lt 2; or printf '%s\n' $lines[2..-1]
  end
end
for name in strata)sh";
constexpr std::string_view kFishEnd = R"sh(
  complete -c $name -f -a '(__strata_complete)'
end
)sh";

std::string links(Tools tools) {
  std::string names;
  for (const Tool *tool : tools) {
    names += " strata-" + std::string(tool->name);
    for (const Link &link : tool->links) names += " strata-" + std::string(link.name);
  }
  return names;
}

}  // namespace

std::string completion_script(Tools tools, std::string_view shell) {
  if (shell == "zsh") return std::string(kZsh);
  if (shell == "fish") return std::string(kFish) + links(tools) + std::string(kFishEnd);
  return std::string(kBash) + links(tools) + "\n";
}

}  // namespace strata
