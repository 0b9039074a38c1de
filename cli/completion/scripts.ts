/** What a shell runs at TAB: it asks this command, and offers files where the answer is empty. */

export type Shell = "bash" | "zsh" | "fish";

export const shells: readonly Shell[] = ["bash", "zsh", "fish"];

/** The words are handed on as they are: nothing that was typed is evaluated. */
export const scripts: Readonly<Record<Shell, (name: string) => string>> = {
  bash: (name) => `# bash completion of ${name}. To use it: eval "$(${name} completion bash)"
_${name}() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(${name} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _${name} ${name}
`,
  zsh: (name) => `#compdef ${name}
# zsh completion of ${name}. To use it: eval "$(${name} completion zsh)", after compinit
_${name}() {
  local line
  local -a found
  for line in "\${(@f)$(${name} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then _describe '${name}' found; else _files; fi
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`,
  fish: (name) => `# fish completion of ${name}. To use it: ${name} completion fish | source
function __${name}_complete
    set -l typed (commandline -opc) (commandline -ct)
    set -l found (${name} complete -- $typed[2..-1] 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c ${name} -f -a '(__${name}_complete)'
`,
};
