/** Which environment variables the placeholders of a file read, on the way to the engine and to the provider. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Ended, type Setup, setUp, workspacectl } from "./support.js";

const file = (more = "") => `version: 1
workspace: acme
groups: { QA: { description: "\${secret:env:SHOP_NOTE}" } }
variables:
  REGION: "\${env:SHOP_REGION}"
${more}`;

let setup: Setup;
const given = { SHOP_NOTE: "note-in-clear", SHOP_REGION: "us-east", CI_JOB_TOKEN: "token-of-the-runner" };
const run = (argv: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  workspacectl([...argv, "-f", setup.file], setup.folder, { ...setup.env, ...given, ...more });
const requests = () => JSON.stringify(setup.emulator.journal.requests);

beforeAll(async () => {
  setup = await setUp(file());
});

describe.sequential("a file reads", { timeout: 600_000 }, () => {
  it("no variable of the caller's that is not allowed", async () => {
    const { code, stdout, stderr } = await run(["up", "--yes", "--create-stack"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "WORKSPACE_VAR_SHOP_REGION is not set: set this environment variable before you run the command, or add --allow-env SHOP_REGION to use SHOP_REGION itself",
    );
    expect(stdout + stderr).not.toMatch(/us-east|in-clear/);
    expect(setup.emulator.journal.writes()).toEqual([]);
  });

  it("no secret that is missing, and up says so before its first change", async () => {
    const region = { WORKSPACE_VAR_SHOP_REGION: "us-east" };
    const reason =
      "groups/QA: WORKSPACE_VAR_SHOP_NOTE is not set: set this environment variable before you run the command";
    const planned = await run(["preview"], region);
    expect(planned.code).toBe(0);
    expect(planned.stdout).toContain(`Secrets:  up needs one for ${reason}`);
    // The variable alone could be created, and would be there without the group.
    const { code, stderr } = await run(["up", "--yes", "--create-stack"], region);
    expect(code).toBe(1);
    expect(stderr).toContain(`refused, nothing was changed, because a secret is missing: ${reason}`);
    expect(setup.emulator.journal.writes()).toEqual([]);
  });

  it("what --allow-env names, as does the provider", async () => {
    const { code, stdout, stderr } = await run(["up", "--yes", "--create-stack", "--allow-env", "SHOP_*"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("Done: 2 created");
    expect(stdout + stderr).not.toContain("in-clear");
    expect(await setup.get("/groups")).toMatchObject({ groups: [{ description: "note-in-clear" }] });
  });

  it("what the environment allows, or provides for files", async () => {
    const allowed = await run(["drift"], { WORKSPACE_AUTOMATION_ALLOW_ENV: "SHOP_NOTE,SHOP_REGION" });
    expect(allowed).toMatchObject({ code: 0 });
    const other = { WORKSPACE_VAR_SHOP_NOTE: "other-note", WORKSPACE_VAR_SHOP_REGION: "eu-west" };
    const { code, stdout } = await run(["preview", "--json", "--allow-env", "SHOP_*"], other);
    expect(code).toBe(0);
    expect(stdout).toContain("eu-west");
    expect(stdout).not.toContain("other-note");
  });

  it("nothing of the CI system, whatever the caller allows, and fleets pass on what the caller allows", async () => {
    const more = '  TOKEN: { value: "${secret:env:CI_JOB_TOKEN:-none}", encrypted: true }\n';
    writeFileSync(setup.file, file(more));
    writeFileSync(join(setup.folder, "fleet.yaml"), "version: 1\nworkspaces: { dev: }\n");
    const argv = [
      "fleet",
      "up",
      "fleet.yaml",
      "--yes",
      "--allow-env",
      "*",
      "--allow-env",
      "CI_JOB_TOKEN,SHOP_*",
    ];
    const { code, stdout, stderr } = await workspacectl(argv, setup.folder, { ...setup.env, ...given });
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("1 created");
    expect(stdout + stderr + requests()).not.toContain("token-of-the-runner");
  });
});
