/** The words of Terraform, kubectl and Pulumi for what a command or an option does here, so that people find it by the name that they know. */
import { Command } from "commander";

/** A command here, with a note if that is not all, or with what comes before it. */
type Ours =
  string | readonly [command: string, note: string] | { readonly first: string; readonly then: string };

const CHANGE = { first: "change the workspace file", then: "up" };
const REMOVE = { first: "delete its entry from the workspace file", then: "up" };
const ANEW = { first: "delete its entry, use up, and add it again", then: "up" };
const RENAME = { first: "write previously: [OLD-NAME] at the renamed entry", then: "up" };
const FORGET = {
  first: "to leave the object in the workspace, write retain: true, use up, and delete the entry",
  then: "up",
};

export const foreignCommands: Readonly<Record<string, Ours>> = {
  about: "doctor",
  accept: "drift accept",
  add: { first: "add an entry to the workspace file", then: "up" },
  annotate: CHANGE,
  "api-resources": ["schema", "docs/reference/resources.md lists the types"],
  auth: "login",
  backup: "stack export",
  cancel: "executions cancel",
  check: "validate",
  "cluster-info": "whoami",
  console: ["render", "it prints the file with all of its values"],
  context: ["whoami", "--connection chooses another connection"],
  convert: ["export --language typescript", "it writes the live workspace as a program"],
  create: ["up", "it creates what the file declares and the workspace lacks"],
  delete: ["destroy", "for a single object, delete its entry from the file, and use up"],
  deploy: "up",
  describe: "state show NAME",
  diff: "preview",
  down: "destroy",
  dump: "export",
  edit: CHANGE,
  env: "stack",
  events: ["history OBJECT", "what ran: executions"],
  explain: ["schema", "docs/reference/resources.md describes each argument"],
  "force-unlock": "stack unlock",
  get: ["state list", "export reads everything that is in the workspace"],
  inspect: "state show NAME",
  kustomize: ["render", "--overlay applies overlays"],
  label: CHANGE,
  list: "state list",
  logs: "executions show",
  ls: "state list",
  metadata: "schema",
  modules: ["render", "it prints the file with its includes and templates"],
  mv: RENAME,
  new: "init",
  outputs: "output",
  patch: CHANGE,
  ping: "whoami",
  policy: ["preview --policy FILE", "docs/guards.md describes what a file can hold"],
  providers: "version",
  ps: "executions",
  pull: "export",
  push: "up",
  remove: REMOVE,
  rename: RENAME,
  repair: "stack repair",
  replace: ANEW,
  report: ["preview", "--format FORM=FILE of preview, up, drift and compare writes a report"],
  resources: "state list",
  restart: ["run", "for a sandbox: sandbox restart"],
  restore: "stack repair",
  revert: "drift revert",
  rm: REMOVE,
  rollback: { first: "revert the commit in Git", then: "up" },
  rollout: ["executions", "to go back, revert the commit in Git, and use up"],
  scale: CHANGE,
  set: ["config set", "for the workspace itself, change the file, and use up"],
  show: ["state show NAME", "up --plan shows a saved plan before it asks"],
  start: "run",
  status: "drift",
  sync: "up",
  taint: ANEW,
  test: ["validate", "docs/testing-programs.md: tests of a program"],
  top: "executions",
  undo: { first: "revert the commit in Git (what was changed outside: drift revert)", then: "up" },
  unlock: "stack unlock",
  untaint: "pulumi -- state untaint URN",
  update: "up",
  wait: "run PROJECT/PIPELINE --watch",
  watch: "run PROJECT/PIPELINE --watch",
  workspace: ["stack", "a workspace of Terraform is a stack here"],
  "config delete": "pulumi -- config rm KEY",
  "config list": "config get",
  "config ls": "config get",
  "config rm": "pulumi -- config rm KEY",
  "config view": "config get",
  "stack create": "stack init",
  "stack current": "stack ls",
  "stack delete": "stack rm",
  "stack graph": "graph",
  "stack history": ["history OBJECT", "for all runs: workspacectl pulumi -- stack history"],
  "stack import": "pulumi -- stack import --file FILE",
  "stack new": "stack init",
  "stack output": "output",
  "stack show": ["state list", "stack ls lists the stacks"],
  "stack use": "stack select",
  "state delete": FORGET,
  "state export": "stack export",
  "state forget": FORGET,
  "state get": "state show NAME",
  "state migrate": "stack migrate",
  "state mv": RENAME,
  "state pull": "stack export",
  "state push": "pulumi -- stack import --file FILE",
  "state rename": RENAME,
  "state repair": "stack repair",
  "state replace-provider": "stack migrate",
  "state rm": FORGET,
  "state unlock": "stack unlock",
};

const NO_CONNECTION = "nothing: this command needs no connection, or names several (see --help)";

const NO_QUESTION = "nothing: this command asks no question";

const OPTIONS: Readonly<Record<string, string>> = {
  "auto-approve": "--yes",
  c: NO_CONNECTION,
  connection: NO_CONNECTION,
  "backend-config": "PULUMI_BACKEND_URL, or backend.url in Pulumi.yaml",
  chdir: "-f FILE",
  context: "--connection NAME",
  destroy: 'the command "workspacectl destroy"',
  "detailed-exitcode": "--exit-code",
  "dry-run": 'the command "workspacectl preview"',
  "expect-no-changes": "preview --exit-code",
  f: "an argument without an option, where the command takes a file (see --help)",
  file: "an argument without an option, where the command takes a file (see --help)",
  filename: "-f FILE",
  force: "--yes, to skip the question",
  json: "--json",
  lock: "nothing: a run always holds the lock of its stack",
  namespace: "--stack NAME",
  out: "--save-plan FILE",
  recursive: "-f FOLDER",
  refresh: "--no-refresh, to skip reading the workspace first",
  "refresh-only": 'the command "workspacectl drift"; "workspacectl refresh" also writes the state',
  replace: "nothing: to create an object anew, delete its entry, use up, and add it again",
  selector: "--only PATTERN",
  "skip-preview": "--yes",
  state: "PULUMI_BACKEND_URL for the place of the state, and --stack for its name",
  target: "--only PATTERN",
  "target-dependents": "--only 'PATTERN/**'",
  "target-replace": "--only PATTERN",
  upgrade: "nothing: npm installs another release (docs/install.md)",
  var: "config set KEY VALUE, or WORKSPACE_VAR_NAME for ${env:NAME}",
  "var-file": "--overlay FILE",
  y: NO_QUESTION,
  yes: NO_QUESTION,
};

/** What commander calls. Its types omit both. */
interface Complaining {
  unknownCommand(): never;
  unknownOption(flag: string): never;
  _excessArguments(words: readonly string[]): void;
  _outputHelpIfRequested(unknown: readonly string[]): void;
}

const usual = Command.prototype as unknown as Complaining;

/** A command that knows the words of other tools. */
export class HintingCommand extends Command {
  override createCommand(name?: string): HintingCommand {
    return new HintingCommand(name);
  }

  protected unknownCommand(): never {
    const [word = ""] = this.args;
    const ours = findOurs(this.parent === null ? word : `${this.name()} ${word}`);
    if (ours === undefined) return usual.unknownCommand.call(this);
    return this.error(`error: unknown command '${word}'\n(${ours})`, { code: "commander.unknownCommand" });
  }

  protected unknownOption(flag: string): never {
    const isOurs = /^-[a-z]{2}/.test(flag) && this.options.some(({ long }) => long === `-${flag}`);
    const ours = isOurs ? `Did you mean -${flag}?` : findOurOption(flag);
    if (ours === undefined) return usual.unknownOption.call(this, flag);
    return this.error(`error: unknown option '${flag}'\n(${ours})`, { code: "commander.unknownOption" });
  }

  /** Help for a command that does not exist is no success. */
  protected _outputHelpIfRequested(unknown: readonly string[]): void {
    const isNoCommand = this.commands.length > 0 && /^\w/.test(this.args[0] ?? "-");
    if (isNoCommand && unknown.some((one) => one === "-h" || one === "--help")) this.unknownCommand();
    usual._outputHelpIfRequested.call(this, unknown);
  }

  /** A file and a name are options here, and arguments in other tools. */
  protected _excessArguments(words: readonly string[]): void {
    const takes = (long: string) => this.options.some((option) => option.long === long);
    const file = words.find((word) => /\.(ya?ml|json|ts)$/.test(word));
    const name = words.find((word) => word.includes("/"));
    const ours =
      file !== undefined && takes("--file")
        ? `-f ${file}`
        : name !== undefined && takes("--only")
          ? `--only ${name}`
          : takes("--plan")
            ? `--plan ${words[0] ?? ""}, for a saved plan`
            : undefined;
    if (ours === undefined && this.name() !== "import") return usual._excessArguments.call(this, words);
    const answer = ours === undefined ? IMPORT : `Here, that is ${ours}`;
    this.error(`error: unexpected argument '${(ours && (file ?? name)) ?? words[0]}'\n(${answer})`, {
      code: "commander.excessArguments",
    });
  }
}

const IMPORT =
  "Here, the workspace file says what to import: declare the object there, then use import without its name";

function findOurs(word: string): string | undefined {
  if (!Object.hasOwn(foreignCommands, word)) return undefined;
  const ours = foreignCommands[word] ?? "";
  if (typeof ours === "object" && "first" in ours)
    return `Here: ${ours.first}, then "workspacectl ${ours.then}"`;
  const [command, note] = typeof ours === "string" ? [ours] : ours;
  return `Did you mean "workspacectl ${command}"?${note === undefined ? "" : ` Note: ${note}`}`;
}

function findOurOption(flag: string): string | undefined {
  const name = /^--?([\w-]+)/.exec(flag)?.[1] ?? "";
  return Object.hasOwn(OPTIONS, name) ? `Here, that is ${OPTIONS[name]}` : undefined;
}

/**
 * Finds an option that Terraform writes with one dash: `-out plan` would be `-o ut` otherwise, and write a file.
 * @returns the option and what it is here
 */
export function findSingleDashOption(argv: readonly string[]): readonly [string, string] | undefined {
  const end = argv.indexOf("--");
  for (const word of end < 0 ? argv : argv.slice(0, end)) {
    const ours = /^-[a-z]{2}/.test(word) ? findOurOption(word) : undefined;
    if (ours !== undefined) return [word, ours];
  }
  return undefined;
}
