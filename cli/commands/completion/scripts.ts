/** Completion scripts: at TAB, the shell runs the hidden command `complete`, and offers files when it prints nothing. */

export type Shell = "bash" | "zsh" | "fish";

export const completionShells: readonly Shell[] = ["bash", "zsh", "fish"];

/** The command to run when none of that name is on PATH (an alias, npx): Node.js, and the current file. */
export type Own = readonly [node: string, file: string];

const quotePosix = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const quoteFish = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** The scripts pass on the words unchanged, so that nothing typed is evaluated. */
export const scripts: Readonly<Record<Shell, (name: string, own: Own) => string>> = {
  bash: (name, own) => `# bash completion of ${name}. To use it: eval "$(${name} completion bash)"
_${name}_run() {
  if type -P ${name} >/dev/null; then command ${name} "$@"; else ${own.map(quotePosix).join(" ")} "$@"; fi
}
_${name}() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(_${name}_run complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _${name} ${name}
`,
  zsh: (name, own) => `#compdef ${name}
# zsh completion of ${name}. To use it: eval "$(${name} completion zsh)", after compinit
_${name}_run() {
  if (( $+commands[${name}] )); then command ${name} "$@"; else ${own.map(quotePosix).join(" ")} "$@"; fi
}
_${name}() {
  local line
  local -a found
  for line in "\${(@f)$(_${name}_run complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then _describe '${name}' found; else _files; fi
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`,
  fish: (name, own) => `# fish completion of ${name}. To use it: ${name} completion fish | source
function __${name}_run
    if command -q ${name}
        command ${name} $argv
    else
        ${own.map(quoteFish).join(" ")} $argv
    end
end
function __${name}_complete
    set -l typed (commandline -opc) (commandline -ct)
    set -l found (__${name}_run complete -- $typed[2..-1] 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c ${name} -f -a '(__${name}_complete)'
`,
};
