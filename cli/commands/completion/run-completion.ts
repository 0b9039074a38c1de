/** Runs `workspacectl completion`: prints the script of a shell, which calls the hidden command `complete` at TAB, and what that offers. */
import type { Command, Option } from "commander";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { getCredentialsFile, readCredentials } from "../../../provider/connection/credentials.js";
import { type Io, print, printText } from "../../../reports/io.js";
import { quoteForShell } from "../../../text/safe-text.js";
import { getCommandFile } from "../../../toolchain/locations.js";
import { parts } from "../../options/graph-parts.js";
import type { CommandLine } from "../define-command.js";
import type { Shell } from "./completion-command.js";

/** Prints the completion script of a shell. */
export function runCompletion(
  { shell }: { readonly shell: Shell },
  io: Io,
  { tree }: CommandLine,
): Promise<number> {
  const text = scripts[shell](tree.name(), [process.execPath, getCommandFile()]);
  printText(io, text);
  return Promise.resolve(exitCodes.ok);
}

interface CompleteOptions {
  /** The words up to the cursor, without the command's name; the last one may be empty. */
  readonly words?: readonly string[];
}

/** Prints completions: one per line, with its description after a tab. */
export async function complete(
  { words = [] }: CompleteOptions,
  io: Io,
  { tree }: CommandLine,
): Promise<number> {
  // bash treats the = in --connection=us as a separate word.
  const typed = words.filter((word) => word !== "=");
  const codes = typed.includes("lint") ? await lintCodes() : [];
  const known = {
    connection: () => listConnectionNames(io),
    from: () => listConnectionNames(io),
    to: () => listConnectionNames(io),
    parts: () => parts,
    error: () => codes,
    warning: () => codes,
    off: () => codes,
  };
  for (const { value, description } of listCompletions(tree, typed, known)) {
    print(io, description === "" ? value : `${value}\t${description.split("\n", 1)[0]}`);
  }
  return exitCodes.ok;
}

/** Loads the codes only when needed, because the shell is waiting. */
async function lintCodes(): Promise<string[]> {
  const { lintRules } = await import("../../../workspace-file/lint/lint.js");
  return lintRules.map(({ code }) => code);
}

function listConnectionNames(io: Io): string[] {
  try {
    return Object.keys(readCredentials(getCredentialsFile(io.env)).connections);
  } catch {
    return []; // the command itself will say what is wrong with the file
  }
}

interface Completion {
  readonly value: string;
  readonly description: string;
}

/** Values of options that are not in the tree, by the option's name. */
type KnownValues = Readonly<Record<string, () => readonly string[]>>;

/**
 * Completes a command line.
 * @param words all words after the command's name up to the cursor; the last one, which may be empty, is completed
 * @returns nothing when any text is allowed: then the shell offers files
 */
function listCompletions(tree: Command, words: readonly string[], known: KnownValues): Completion[] {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const position = walk(tree, before);
  return listCandidates(position, current, known).filter(({ value }) => value.startsWith(current));
}

interface CursorPosition {
  readonly command: Command;
  /** An option without its value yet. */
  readonly option: Option | undefined;
  /** Number of arguments so far. */
  readonly given: number;
}

/** Finds the position after the words. */
function walk(tree: Command, words: readonly string[]): CursorPosition {
  let [command, option, given]: [Command, Option | undefined, number] = [tree, undefined, 0];
  for (const word of words) {
    if (option) option = undefined;
    else if (word.startsWith("-")) option = findWaitingOption(command, word);
    else {
      const next = given === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next) command = next;
      else given += 1;
    }
  }
  return { command, option, given };
}

function findWaitingOption(command: Command, word: string): Option | undefined {
  const found = listAllOptions(command).find(({ long, short }) => word === long || word === short);
  return found && (found.required || found.optional) ? found : undefined;
}

function listCandidates(
  { command, option, given }: CursorPosition,
  current: string,
  known: KnownValues,
): Completion[] {
  if (option) return toCompletions(option.argChoices ?? known[option.attributeName()]?.() ?? []);
  if (current.startsWith("-")) {
    return listAllOptions(command).flatMap(({ long, description }) =>
      long == null ? [] : [{ value: long, description }],
    );
  }
  const inner = command.createHelp().visibleCommands(command);
  if (given === 0 && inner.length > 0) {
    return inner.map((each) => ({ value: each.name(), description: each.description() }));
  }
  return toCompletions(command.registeredArguments[given]?.argChoices ?? []);
}

/** Lists the options of the command, then the global ones. */
function listAllOptions(command: Command): Option[] {
  const help = command.createHelp();
  help.showGlobalOptions = true;
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function toCompletions(values: readonly string[]): Completion[] {
  return values.map((value) => ({ value, description: "" }));
}

/** The command to run when none of that name is on PATH (an alias, npx): Node.js, and the current file. */
type Own = readonly [node: string, file: string];

const quoteFish = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** The scripts pass on the words unchanged, so that nothing typed is evaluated. */
export const scripts: Readonly<Record<Shell, (name: string, own: Own) => string>> = {
  bash: (name, own) => `# bash completion of ${name}. To use it: eval "$(${name} completion bash)"
_${name}_run() {
  if type -P ${name} >/dev/null; then command ${name} "$@"; else ${own.map(quoteForShell).join(" ")} "$@"; fi
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
  if (( $+commands[${name}] )); then command ${name} "$@"; else ${own.map(quoteForShell).join(" ")} "$@"; fi
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
