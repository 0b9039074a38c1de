/**
 * A checkout whose files are links to files outside, or are themselves something else: credentials that a job has written there. No
 * command reads through such a link, and none quotes such a file.
 */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readMapping } from "../../automation/compare/mapping-file.js";
import { driftIgnoreFile } from "../../automation/drift/drift-report.js";
import { getKnownPeople } from "../../automation/export/people-file.js";
import { readPlan } from "../../automation/saved-plan/apply.js";
import { findProject, stackSettings } from "../../automation/stack/project.js";
import { readReport } from "../../cli/commands/drift/select-findings.js";
import { readFigures } from "../../cli/commands/fleet/shards.js";
import { hasChangedSince } from "../../reports/deliver-report.js";
import { editWorkspace } from "../../workspace-file/edit/edit.js";
import { loadModule } from "../../workspace-file/load/module.js";
import { run } from "./support.js";

const SECRET = "PLANTEDPLANTEDPLANTED";
const WORKSPACE = "version: 1\nworkspace: acme\ngroups: { QA: {} }\n";

/** What a file may be that is not what its name says. */
const contents: Readonly<Record<string, string>> = {
  "credentials of a cloud": `[default]\naws_access_key_id = AKIA\naws_secret_access_key = ${SECRET}\n`,
  "variables of an environment": `TOKEN=${SECRET}\nOTHER=x\n`,
  "a text": `${SECRET}\n`,
  "a map": `default:\n  token: ${SECRET}\n`,
  "a list": `- ${SECRET}\n- token: ${SECRET}\n`,
  "a compose file": `version: "3"\nservices:\n  a:\n    environment: { TOKEN: ${SECRET} }\n`,
  "a key as JSON": JSON.stringify({ type: "service_account", private_key: SECRET }, null, 2),
  "a token as JSON": JSON.stringify({ version: 1, token: SECRET }),
  "broken JSON": `{"token": "${SECRET}",,}`,
  "a JSON text": JSON.stringify(SECRET),
  "an alias": `a: *${SECRET}\n`,
  "a tag": `a: !${SECRET} x\n`,
  "an escape": `a: "\\q${SECRET}"\n`,
  "a directive": `%${SECRET}\n---\na: 1\n`,
  "a quote without an end": `a: "${SECRET}\nb: 1\n`,
  "a key twice": `${SECRET}: 1\n${SECRET}: 2\n`,
};

let folder: string;
let checkout: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "foreign-")));
  checkout = join(folder, "checkout");
  put("checkout/.git/config", `token: ${SECRET}\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);
function put(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

interface Reader {
  /** The file that is something else. */
  readonly file: string;
  /** The other files. */
  readonly more?: Readonly<Record<string, string>>;
  readonly read: (checkout: string) => unknown;
}

const validate =
  (...more: readonly string[]) =>
  (checkout: string) =>
    run([
      "validate",
      "-f",
      join(checkout, "workspace.yaml"),
      ...more.map((one) => one.replace("@", checkout)),
    ]);
const inFolder = (name: string, work: (path: string) => unknown) => (checkout: string) =>
  work(join(checkout, name));
const scope = { enters: () => true };

/** Everything that reads a file of a checkout. */
const readers: Readonly<Record<string, Reader>> = {
  "a workspace file": { file: "workspace.yaml", read: validate() },
  "a workspace file, for render": {
    file: "workspace.yaml",
    read: (checkout) => run(["render", "-f", join(checkout, "workspace.yaml")]),
  },
  "a workspace file, for lint": {
    file: "workspace.yaml",
    read: (checkout) => run(["lint", "-f", join(checkout, "workspace.yaml")]),
  },
  "a workspace file, as JSON": {
    file: "workspace.json",
    read: (checkout) => run(["validate", "-f", join(checkout, "workspace.json"), "--format", "json"]),
  },
  "a file in a folder of workspace files": {
    file: "ws/b.yaml",
    more: { "ws/a.yaml": WORKSPACE },
    read: (checkout) => run(["validate", "-f", join(checkout, "ws")]),
  },
  "a file to format": {
    file: "workspace.yaml",
    read: (checkout) => run(["fmt", "--check", join(checkout, "workspace.yaml")]),
  },
  "an overlay of a stack": {
    file: "workspace.dev.yaml",
    more: { "workspace.yaml": WORKSPACE },
    read: validate("--stack", "dev"),
  },
  "an overlay": {
    file: "o.yaml",
    more: { "workspace.yaml": WORKSPACE },
    read: validate("--overlay", "@/o.yaml"),
  },
  "an include": {
    file: "part.yaml",
    more: { "workspace.yaml": `include: part.yaml\n${WORKSPACE}` },
    read: validate(),
  },
  "an include of JSON": {
    file: "part.json",
    more: { "workspace.yaml": `include: "*.json"\n${WORKSPACE}` },
    read: validate(),
  },
  "an edited file": {
    file: "workspace.dev.yaml",
    more: { "workspace.yaml": WORKSPACE },
    read: (checkout) => editWorkspace(join(checkout, "workspace.yaml"), { env: {}, stack: "dev" }, []),
  },
  "lint rules": {
    file: "rules/a.yaml",
    more: { "workspace.yaml": WORKSPACE },
    read: (checkout) =>
      run(["lint", "-f", join(checkout, "workspace.yaml"), "--rules", join(checkout, "rules")]),
  },
  "a fleet": {
    file: "fleet.yaml",
    read: (checkout) => run(["fleet", "plan", join(checkout, "fleet.yaml"), "--shards", "2"]),
  },
  "the figures of a fleet": { file: "fleet.figures.json", read: inFolder("fleet.figures.json", readFigures) },
  "a shard's report": {
    file: "shard.json",
    read: (checkout) => run(["fleet", "merge", join(checkout, "shard.json")]),
  },
  "a people file": {
    file: "people.yaml",
    read: inFolder("people.yaml", (people) => getKnownPeople({ people }, scope)),
  },
  "a mapping": {
    file: "replicate-mapping.yaml",
    more: { "workspace.yaml": WORKSPACE },
    read: inFolder("workspace.yaml", (file) => readMapping(undefined, file)),
  },
  "ignored drift": {
    file: "drift-ignore.yaml",
    read: inFolder("drift-ignore.yaml", (file) => driftIgnoreFile.read(undefined, file)),
  },
  "a saved plan": { file: "plan.json", read: inFolder("plan.json", readPlan) },
  "a drift report": { file: "drift.json", read: inFolder("drift.json", readReport) },
  "the state file of a report": {
    file: "last.json",
    read: inFolder("last.json", (file) =>
      hasChangedSince(file, { fingerprint: "x", findings: [], complete: true }),
    ),
  },
  "a project file": { file: "Pulumi.yaml", read: inFolder("workspace.yaml", findProject) },
  "the settings of a stack": {
    file: "Pulumi.dev.yaml",
    more: { "Pulumi.yaml": "name: x\n" },
    read: inFolder("workspace.yaml", (file) => stackSettings(findProject(file), "dev")),
  },
};

/** Everything that a reader prints or throws. */
async function shownBy({ read }: Reader): Promise<string> {
  try {
    const result = await read(checkout);
    const { stdout, stderr } = (result ?? {}) as { stdout?: string; stderr?: string };
    return `${stdout ?? ""}${stderr ?? ""}`;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each(Object.entries(readers))("%s", (_title, reader) => {
  beforeEach(() => {
    for (const [name, text] of Object.entries(reader.more ?? {})) put(`checkout/${name}`, text);
  });

  it.each(Object.entries(contents))("is not quoted when it is %s", async (_kind, text) => {
    put(`checkout/${reader.file}`, text);
    expect(await shownBy(reader)).not.toContain(SECRET);
  });

  it.each([
    ["out of the checkout", "secret"],
    ["to a hidden file", "checkout/.git/config"],
    ["to the environment of the process", "/proc/self/environ"],
  ])("is refused when it is a link %s", async (_kind, target) => {
    put("secret", contents["a map"] ?? "");
    mkdirSync(dirname(at(`checkout/${reader.file}`)), { recursive: true });
    symlinkSync(target.startsWith("/") ? target : at(target), at(`checkout/${reader.file}`));
    const shown = await shownBy(reader);
    expect(shown).toMatch(/is a link|is hidden|outside the folder|hidden folder/);
    expect(shown).not.toContain(SECRET);
  });
});

it("a module is still loaded", () => {
  put("checkout/module.cjs", "module.exports = { version: 1 };");
  expect(loadModule(at("checkout/module.cjs")).value).toEqual({ version: 1 });
});

describe("a result", () => {
  const writers: Readonly<Record<string, (file: string) => readonly string[]>> = {
    "a schema": (file) => ["schema", "-o", file],
    "a graph": (file) => ["graph", "-f", join(checkout, "workspace.yaml"), "-o", file],
    "who has access": (file) => ["access", "-f", join(checkout, "workspace.yaml"), "-o", file],
    "the shards of a fleet": (file) => [
      "fleet",
      "plan",
      join(checkout, "fleet.yaml"),
      "--shards",
      "1",
      "--format",
      `json=${file}`,
    ],
    "a formatted file": (file) => ["fmt", file],
  };

  it.each(Object.entries(writers))("%s is not written through a link", async (_title, argv) => {
    put("checkout/workspace.yaml", WORKSPACE);
    put("checkout/fleet.yaml", "version: 1\nworkspaces: { us: {} }\n");
    put("victim/file.yaml", "groups:   {}\n");
    symlinkSync(at("victim/file.yaml"), at("checkout/file.yaml"));
    symlinkSync(at("victim"), at("checkout/folder"));
    for (const file of ["checkout/file.yaml", "checkout/folder/file.yaml"]) {
      const { code, stderr } = await run(argv(at(file)));
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/is a link/);
    }
    expect(readFileSync(at("victim/file.yaml"), "utf8")).toBe("groups:   {}\n");
  });

  it("init writes nothing through links", async () => {
    put("victim/x", "");
    mkdirSync(at("checkout/new"));
    for (const name of ["workspace.yaml", ".gitignore"])
      symlinkSync(at(`victim/${name}`), at(`checkout/new/${name}`));
    symlinkSync(at("victim"), at("checkout/linked"));
    for (const dir of ["new", "linked"]) {
      const { code, stderr } = await run(["init", at(`checkout/${dir}`), "--yes", "--workspace", "acme"]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/is a link/)]);
    }
    expect(() => readFileSync(at("victim/workspace.yaml"))).toThrow(/ENOENT/);
  });
});
