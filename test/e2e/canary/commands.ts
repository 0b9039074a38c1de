/**
 * Defines how each command of `workspacectl` is called with planted secrets. The test compares the keys with the
 * command tree, so a new command must be added here or excluded with a reason.
 */
import { join } from "node:path";
import { repository } from "../support.js";
import { type Call, CLIENT } from "./call.js";
import type { Sources } from "./sources.js";

export interface Given {
  readonly token: string;
  /** The base address for `login`. */
  readonly baseUrl: string;
  readonly sources: Sources;
}

/** The stacks that the commands use. */
const STACKS = ["dev", "imported", "eu"];

/** Rules that read all commands. */
const RULES = join(repository, "examples/rules/rules");

const FILE = ["-f", "workspace.yaml", "--overlay", "literal.yaml"];
const STACK = [...FILE, "--stack", "dev"];
const PROGRAM = ["--program", "code", "--stack", "code"];
const PIPELINE = "web/deploy";

const offline = (...argv: string[]): Call => ({ argv });
const service = (...argv: string[]): Call => ({ argv, service: true });
const engine = (...argv: string[]): Call => ({ argv, service: true, engine: true });
const showing = (...argv: string[]): Call => ({ ...service(...argv), shows: true });
const given = (input: string, call: Call): Call => ({ ...call, input });

/** Requests a report in several formats, each in a file. */
function reports(name: string, ...forms: string[]): string[] {
  return forms.flatMap((form) => ["--format", `${form}=${name}.${form}`]);
}

/** Returns the calls in an order in which each finds what it depends on. */
export function callsOf(world: Given): Readonly<Record<string, readonly Call[]>> {
  const wide = ["--max-deletes", "1000", "--max-delete-share", "100", "--allow-delete", "**"];
  const { token, baseUrl } = world;
  return {
    pulumi: STACKS.map((stack) => ({ ...offline("pulumi", "--", "stack", "init", stack), raw: true })),
    "config set": STACKS.flatMap((stack) =>
      Object.entries(world.sources.config).map(([key, value]) =>
        given(value, offline("config", "set", key, "-", "--secret", "--stack", stack)),
      ),
    ),
    "config get": [offline("config", "get", "--stack", "dev", "--json")],
    up: [
      { ...engine("up", ...STACK, "--yes", "--details", "--receipt", "receipt.json"), rotates: true },
      { ...engine("up", ...STACK, "--yes", "--approved", "0".repeat(64)), code: 1 },
      engine("up", ...PROGRAM, "--create-stack", "--yes", "--details"),
    ],
    validate: [offline("validate", ...FILE), offline("validate", ...FILE, "--format", "sarif")],
    // Lint does not know variables whose names are secrets, and reports an error.
    lint: ["text", "json", "github", "sarif"].map((form) => ({
      ...offline("lint", ...FILE, "--format", form, "--rules", RULES),
      code: 1,
    })),
    "what-runs": [
      offline("what-runs", ...FILE, "--push", "main"),
      offline("what-runs", ...FILE, "--manual", PIPELINE, "--json"),
    ],
    owners: [
      offline("owners", "workspace.yaml", "--offline"),
      service("owners", "workspace.yaml"),
      service("owners", "workspace.yaml", "--json"),
    ],
    render: [offline("render", ...FILE), offline("render", ...FILE, "--format", "json")],
    graph: [offline("graph", ...FILE), offline("graph", ...FILE, "-o", "graph.mmd")],
    fmt: [offline("fmt", "--diff", "workspace.yaml")],
    schema: [offline("schema", "-o", "schema.json")],
    init: [offline("init", "begun", "--yes", "--pulumi", "--workspace", "acme", "--force")],
    access: [offline("access", ...FILE, "--declared"), service("access", "--live")],
    preview: [
      engine(
        ...["preview", ...STACK, "--details", "--unverifiable", "--save-plan", "plan.json"],
        ...reports("preview", "text", "json", "markdown", "html", "junit"),
        ...["--format", "github"],
      ),
      { ...engine("preview", ...STACK, "--json"), rotates: true },
      engine("preview", ...STACK, "--only", "variables/**", "--details"),
      engine(
        "preview",
        ...PROGRAM,
        "--details",
        "--save-plan",
        "code.json",
        ...reports("code", "json", "html"),
      ),
    ],
    refresh: [{ ...engine("refresh", ...STACK, "--unverifiable"), guardsAlone: true }],
    drift: [
      engine(
        ...["drift", ...STACK, "--state-file", "drift-state.json"],
        ...reports("drift", "table", "json", "markdown", "html", "junit", "sarif"),
      ),
      engine("drift", ...PROGRAM, ...reports("code-drift", "table", "json", "html")),
    ],
    // A list that contains a secret cannot be accepted.
    "drift accept": [{ ...engine("drift", "accept", "--all", ...STACK, "--dry-run"), code: 1 }],
    "drift history": [engine("drift", "history", ...STACK, "--state-file", "drift-state.json")],
    "drift revert": [engine("drift", "revert", "--all", ...STACK, "--yes", "--details")],
    compare: [
      service(
        ...["compare", "workspace.yaml+literal.yaml", "connection:us"],
        ...reports("compare", "table", "json", "markdown", "html"),
      ),
      service("compare", "stack:dev", "connection:us"),
    ],
    export: [
      service("export", "-o", "workspace.yaml", "--overlay", "literal.yaml", "--dry-run"),
      showing("export", "-o", "exported.yaml", "--force"),
      showing("export", "--language", "typescript", "-o", "program", "--force"),
      showing("export", "--format", "import-file", "-o", "import.json", "--force"),
    ],
    import: [engine("import", ...FILE, "--stack", "imported", "--json")],
    replicate: [engine("replicate", ...FILE, "--from", "us", "--to", "eu", "--yes")],
    "fleet preview": [engine("fleet", "preview", "--format", "json")],
    "fleet plan": [offline("fleet", "plan", "--shards", "2")],
    "fleet merge": [
      engine("fleet", "drift", "--shard", "1/1", "--format", "json=shard.json"),
      offline("fleet", "merge", "shard.json", "--format", "html"),
    ],
    "fleet up": [{ ...engine("fleet", "up", "--yes"), rotates: true }],
    "fleet drift": [engine("fleet", "drift", "--format", "markdown")],
    "fleet validate": [offline("fleet", "validate")],
    "fleet lint": [{ ...offline("fleet", "lint"), code: 1 }],
    "fleet access": [offline("fleet", "access", "--format", "json")],
    // The fleet has one workspace.
    "fleet compare": [{ ...engine("fleet", "compare", "--with", "one"), code: 1 }],
    // The entry has no pinned revision.
    "fleet promote": [{ ...offline("fleet", "promote", "--from", "one", "--to", "one"), code: 1 }],
    history: [offline("history", "groups/QA", ...STACK.slice(-2), "--receipts", "receipt.json", "--json")],
    "state list": [offline("state", "list", ...FILE, "--stack", "dev", "--json")],
    "state show": [
      offline("state", "show", "groups/QA", ...FILE, "--stack", "dev"),
      offline("state", "show", "groups/QA", ...FILE, "--stack", "dev", "--json"),
    ],
    output: [offline("output", ...FILE, "--stack", "dev", "--json")],
    "stack ls": [offline("stack", "ls", "--json")],
    "stack repair": [engine("stack", "repair", ...FILE, "--stack", "dev", "--yes")],
    // The stack exists.
    "stack init": [{ ...offline("stack", "init", "dev"), code: 1 }],
    "stack select": [offline("stack", "select", "dev")],
    "stack unlock": [offline("stack", "unlock", "--stack", "dev", "--yes")],
    "stack export": [
      offline("stack", "export", "--stack", "dev"),
      offline("stack", "export", "--stack", "dev", "-o", "state.json"),
    ],
    "stack migrate": ["plugin", "dynamic"].map((to) =>
      offline("stack", "migrate", "--stack", "dev", "--to", to, "--yes"),
    ),
    "plugin install": [offline("plugin", "install")],
    whoami: [service("whoami"), service("whoami", "--json")],
    doctor: [service("doctor"), service("doctor", "--json")],
    probe: [
      service("probe", ...reports("probe", "text", "json", "markdown")),
      service("probe", "--write", "--project", "probed", "--save-profile", "profile.json"),
    ],
    run: [showing("run", PIPELINE, "--watch"), showing("run", PIPELINE, "--json")],
    "executions list": [showing("executions", "list", PIPELINE)],
    "executions show": [showing("executions", "show", PIPELINE, "--json")],
    "executions retry": [{ ...showing("executions", "retry", PIPELINE, "1"), code: 1 }],
    "executions cancel": [{ ...showing("executions", "cancel", PIPELINE, "1"), code: 1 }],
    "sandbox restart": [service("sandbox", "restart", "sandbox-1")],
    "oauth-client register": [
      service(
        "oauth-client",
        "register",
        "--name",
        "tool",
        "--redirect-uri",
        "http://127.0.0.1:1/",
        "--save",
      ),
    ],
    "oauth-client show": [
      service("oauth-client", "show", CLIENT),
      given(token, { ...service("oauth-client", "show", CLIENT, "--registration-token", "-"), code: 1 }),
    ],
    "oauth-client update": [service("oauth-client", "update", CLIENT, "--name", "other")],
    "oauth-client delete": [service("oauth-client", "delete", CLIENT)],
    login: [
      given(token, service("login", "--connection", "kept", "--base-url", baseUrl, "--token", "-")),
      service(
        ...["login", "--connection", "oauth", "--base-url", baseUrl],
        ...["--client-id", "ci", "--client-credentials"],
      ),
    ],
    logout: [service("logout", "--connection", "kept"), service("logout", "--connection", "oauth")],
    completion: [offline("completion", "bash")],
    complete: [{ ...offline("complete", "--", "up", "-f", "work"), raw: true }],
    version: [offline("version")],
    destroy: [{ ...engine("destroy", ...STACK, "--yes", "--include-protected", ...wide), guardsAlone: true }],
    "stack rm": [offline("stack", "rm", "dev", "--yes")],
  };
}

/** Commands that run elsewhere, with the reason. */
export const elsewhere: Readonly<Record<string, string>> = {
  emulator:
    "it serves until it is stopped, and prints its own token for its user; test/e2e/emulator-command.test.ts",
  adopt: "it runs export, import and preview, which are here; test/e2e/adopt.test.ts",
  demo: "a workspace, a service and secrets of its own; test/e2e/demo.test.ts",
};
