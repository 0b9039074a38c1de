/** The words of Terraform, kubectl and Pulumi for what a command or an option does here, so that people find it by the name that they know. */
import { Command } from "commander";

/** A command here, and a note if that is not all. */
type Ours = string | readonly [command: string, note: string];

const CHANGE = ["up", "change the workspace file first"] as const;

export const foreignCommands: Readonly<Record<string, Ours>> = {
  add: ["up", "add an entry to the workspace file first"],
  annotate: CHANGE,
  auth: "login",
  cancel: "executions cancel",
  console: ["render", "it prints the file with all of its values"],
  context: ["whoami", "--connection chooses another connection"],
  create: ["up", "it creates what the file declares and the workspace lacks"],
  delete: ["destroy", "for a single object, delete its entry from the file, and use up"],
  describe: "state show NAME",
  diff: "preview",
  down: "destroy",
  dump: "export",
  edit: CHANGE,
  env: "stack",
  explain: ["schema", "docs/reference/resources.md describes each argument"],
  "force-unlock": "stack unlock",
  get: ["state list", "export reads everything that is in the workspace"],
  kustomize: ["render", "--overlay applies overlays"],
  label: CHANGE,
  list: "state list",
  logs: "executions show",
  ls: "state list",
  metadata: "schema",
  new: "init",
  outputs: "output",
  patch: CHANGE,
  ping: "whoami",
  providers: "version",
  pull: "export",
  push: "up",
  remove: ["up", "delete its entry from the workspace file first"],
  replace: ["up", "to create an object anew, delete its entry, use up, and add it again"],
  restart: ["run", "for a sandbox: sandbox restart"],
  rm: ["up", "delete its entry from the workspace file first"],
  rollback: ["up", "revert the commit in Git first"],
  rollout: ["executions", "to go back, revert the commit in Git, and use up"],
  scale: CHANGE,
  set: ["config set", "for the workspace itself, change the file, and use up"],
  show: ["state show NAME", "up --plan shows a saved plan before it asks"],
  start: "run",
  status: "drift",
  sync: "up",
  taint: ["up", "to create an object anew, delete its entry, use up, and add it again"],
  untaint: "pulumi -- state untaint URN",
  update: "up",
  wait: "run PROJECT/PIPELINE --watch",
  workspace: ["stack", "a workspace of Terraform is a stack here"],
  "config delete": "pulumi -- config rm KEY",
  "config list": "config get",
  "config ls": "config get",
  "config rm": "pulumi -- config rm KEY",
  "config view": "config get",
  "stack current": "stack ls",
  "stack delete": "stack rm",
  "stack graph": "graph",
  "stack history": ["history OBJECT", "for all runs: workspacectl pulumi -- stack history"],
  "stack import": "pulumi -- stack import --file FILE",
  "stack list": ["stack ls", "state list has the objects of a stack"],
  "stack new": "stack init",
  "stack output": "output",
  "stack show": ["state list", "stack ls lists the stacks"],
  "stack use": "stack select",
  "state delete": [
    "up",
    "delete its entry first; with retain: true applied before, the object stays in the workspace",
  ],
  "state export": "stack export",
  "state get": "state show NAME",
  "state ls": ["state list", "stack ls lists the stacks"],
  "state migrate": "stack migrate",
  "state mv": ["up", "write previously: [OLD-NAME] at the renamed entry first"],
  "state pull": "stack export",
  "state push": "pulumi -- stack import --file FILE",
  "state rename": ["up", "write previously: [OLD-NAME] at the renamed entry first"],
  "state repair": "stack repair",
  "state replace-provider": "stack migrate",
  "state rm": [
    "up",
    "delete its entry first; with retain: true applied before, the object stays in the workspace",
  ],
  "state unlock": "stack unlock",
};

const OPTIONS: Readonly<Record<string, string>> = {
  "auto-approve": "--yes",
  "backend-config": "PULUMI_BACKEND_URL, or backend.url in Pulumi.yaml",
  chdir: "-f FILE",
  context: "--connection NAME",
  destroy: 'the command "workspacectl destroy"',
  "detailed-exitcode": "--exit-code",
  "dry-run": 'the command "workspacectl preview"',
  "expect-no-changes": "preview --exit-code",
  filename: "-f FILE",
  force: "--yes",
  json: "--json",
  lock: "nothing: a run always holds the lock of its stack",
  namespace: "--stack NAME",
  out: "--save-plan FILE",
  recursive: "-f FOLDER",
  refresh: "--no-refresh, to skip reading the workspace first",
  "refresh-only": 'the command "workspacectl refresh"',
  replace: "nothing: to create an object anew, delete its entry, use up, and add it again",
  selector: "--only PATTERN",
  "skip-preview": "--yes",
  state: "PULUMI_BACKEND_URL for the place of the state, and --stack for its name",
  target: "--only PATTERN",
  "target-dependents": "--only 'PATTERN/**'",
  "target-replace": "--only PATTERN",
  var: "config set KEY VALUE, or WORKSPACE_VAR_NAME for ${env:NAME}",
  "var-file": "--overlay FILE",
};

/** What commander calls. Its types omit both. */
interface Complaining {
  unknownCommand(): never;
  unknownOption(flag: string): never;
  _excessArguments(words: readonly string[]): void;
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
    const ours = findOurOption(flag);
    if (ours === undefined) return usual.unknownOption.call(this, flag);
    return this.error(`error: unknown option '${flag}'\n(${ours})`, { code: "commander.unknownOption" });
  }

  /** A file is an option here, and a first argument in other tools. */
  protected _excessArguments(words: readonly string[]): void {
    const file = words.find((word) => /\.(ya?ml|json|ts)$/.test(word));
    if (file === undefined || !this.options.some(({ long }) => long === "--file"))
      return usual._excessArguments.call(this, words);
    this.error(`error: unexpected argument '${file}'\n(Here, that is -f ${file})`, {
      code: "commander.excessArguments",
    });
  }
}

function findOurs(word: string): string | undefined {
  if (!Object.hasOwn(foreignCommands, word)) return undefined;
  const ours = foreignCommands[word] ?? "";
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
