/** Tests a program with a resource of another provider next to ours, on the real engine: plans and approvals contain it too. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tellsAllStories } from "../stories.js";
import {
  connected,
  emulatorForTests,
  isolated,
  repository,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const SECRET = "secret-of-the-other-provider";
const program = `
const pulumi = require("@pulumi/pulumi");
const { Group } = require("pulumi-workspace-automation");

class Other extends pulumi.dynamic.Resource {
  constructor(name) {
    const size = process.env.OTHER_SIZE;
    const diff = async (_id, before, after) => ({ changes: before.size !== after.size });
    super({ create: async (inputs) => ({ id: "1", outs: inputs }), diff }, name, { nested: { secret: pulumi.secret("${SECRET}") }, size });
  }
}
const other = new Other("other");
new Group("qa", { name: "QA", description: other.id });
`;

it.runIf(tellsAllStories)(
  "is planned, approved, applied and compared with its name and its public values",
  { timeout: 600_000 },
  async () => {
    const folder = temporaryFolder();
    const root = join(folder, "program");
    const emulator = await emulatorForTests();
    const env = isolated(folder, {
      ...{ ...connected(emulator), ...stateIn(folder) },
      WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
    });
    mkdirSync(root);
    writeFileSync(join(root, "Pulumi.yaml"), "name: foreign\nruntime: nodejs\n");
    writeFileSync(join(root, "package.json"), JSON.stringify({ name: "foreign", main: "index.js" }));
    writeFileSync(join(root, "index.js"), program);
    symlinkSync(join(repository, "node_modules"), join(root, "node_modules"), "dir");
    const run = async (size: number, command: string, ...argv: string[]) => {
      const ran = await workspacectl([command, "--program", ".", ...argv], root, {
        ...env,
        OTHER_SIZE: String(size),
      });
      expect(ran.stdout + ran.stderr).not.toContain(SECRET);
      return ran;
    };
    const fingerprintOf = async (size: number) => {
      const { code, stdout, stderr } = await run(size, "preview", "--json");
      expect(code, stderr).toBe(0);
      return (JSON.parse(stdout) as { fingerprint: string }).fingerprint;
    };

    const first = await run(1, "up", "--stack", "dev", "--create-stack", "--yes", "--details");
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout + first.stderr).toMatch(
      /\+ pulumi-nodejs:dynamic:Resource other\n +nested:\n +secret: \[secret\]\n +size: "1"\n\+ group qa\n/,
    );
    const approved = await fingerprintOf(2);
    // In CI, the plan of a change is enough. Each further run takes ten seconds.
    if (!tellsAllStories) return;
    const changed = await run(3, "up", "--yes", "--approved", approved);
    expect([changed.code, changed.stderr]).toEqual([
      1,
      expect.stringContaining("this is not the approved plan"),
    ]);
    expect(await run(2, "up", "--yes", "--approved", approved)).toMatchObject({ code: 0 });
    const { code, stdout } = await run(2, "drift");
    expect([code, stdout]).toEqual([0, expect.stringContaining("No drift")]);

    leaveUnknown(join(folder, "state"));
    const { stderr } = await run(2, "preview");
    const forget = ["stack", "repair", "--forget", "oauth/app", "-f", "Pulumi.yaml"];
    expect(stderr).toContain(`To remove this message, run "workspacectl ${forget.join(" ")}"`);
    expect(await workspacectl(forget, root, env)).toMatchObject({ code: 0 });
  },
);

/** Writes the journal of a run that was killed while it created what nobody can recognize. */
function leaveUnknown(state: string): void {
  const journals = join(state, ".pulumi/workspacectl/journal/foreign/dev");
  const urn = "urn:pulumi:dev::foreign::pulumi-nodejs:dynamic/workspace-automation:OAuthClient::oauth/app";
  const creation = { urn, inputs: { workspace: "acme", name: "app" }, secrets: [] };
  const lines = [
    { pid: 99_999_999 },
    { type: "OAuthClient", address: "", key: urn, at: Date.now(), creation },
  ];
  mkdirSync(journals, { recursive: true });
  writeFileSync(join(journals, "killed.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
