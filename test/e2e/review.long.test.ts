/** Tells the story of a review on the real engine: the plan on the pull request, the approval, and exactly that plan applied. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { tellsAllStories } from "../stories.js";
import { type Ended, repository, setUp, workspacectl } from "./support.js";

const { folder, file, emulator, env, edit, get, ...service } = await setUp();
const at = (name: string) => join(folder, name);

/** Runs a command with an empty request log. */
function run(...argv: string[]): Promise<Ended> {
  emulator.journal.clear();
  return service.run(...argv);
}

function declare(path: readonly string[], value: unknown): void {
  const document = parseDocument(readFileSync(file, "utf8"));
  document.setIn(path, value);
  writeFileSync(file, document.toString());
}

interface Told {
  readonly fingerprint: string;
  readonly result: string;
  readonly plan: { readonly steps: readonly { readonly operation: string; readonly name: string }[] };
}

async function preview(...argv: string[]): Promise<Told> {
  const { code, stdout, stderr } = await run("preview", "--json", ...argv);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(emulator.journal.writes()).toEqual([]);
  return JSON.parse(stdout) as Told;
}

/** Expects a run to be refused with a message, and to write nothing. */
async function refused(message: RegExp, ...argv: string[]): Promise<string> {
  const { code, stderr } = await run("up", "--yes", ...argv);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(message) as string });
  expect(emulator.journal.writes()).toEqual([]);
  return stderr;
}

describe.sequential("a review", () => {
  it("begins with the same fingerprint in every run, also of a new stack", async () => {
    const first = await preview();
    expect(first).toMatchObject({
      result: "changes",
      fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
    });
    const elsewhere = await workspacectl(["preview", "--json", "-f", file], repository, {
      ...env,
      ...{ CI: "true", TZ: "Asia/Tokyo", LANG: "de_DE.UTF-8" },
    });
    expect((JSON.parse(elsewhere.stdout) as Told).fingerprint).toBe(first.fingerprint);
    await refused(/is approved, and this plan is sha256:/, "--create-stack", "--approved", "0".repeat(64));
    const { code, stdout } = await run("up", "--yes", "--create-stack", "--approved", first.fingerprint);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("41 created") as string,
    });
  });

  it("shows the plan in every format at once", async () => {
    declare(["variables", "REGION"], "us-west");
    declare(["members", "dan@example.com"], { admin: true });
    const formats = ["json", "markdown", "html", "junit", "text"].flatMap((format) => [
      "--format",
      `${format}=${at(`plan.${format}`)}`,
    ]);
    const { code, stdout } = await run("preview", "--format", "github", ...formats);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^::notice title=plan result::Plan: /) as string,
    });
    expect(stdout).toMatch(
      /^::notice file=workspace\.yaml,line=\d+,col=\d+,title=plan update::Variable variables\/REGION value: "us-east" → "us-west"$/m,
    );
    const text = (format: string) => readFileSync(at(`plan.${format}`), "utf8");
    const { fingerprint } = JSON.parse(text("json")) as Told;
    for (const format of ["markdown", "html", "text"]) expect(text(format)).toContain(fingerprint);
    expect(text("markdown")).toMatch(/dan@\S*example\.com.* administrator/);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(readFileSync(join(repository, "schema/preview-report.schema.json"), "utf8")) as object,
    );
    validate(JSON.parse(text("json")));
    expect(validate.errors ?? []).toEqual([]);
  });

  it("ends with exactly the approved plan, or with its differences object by object", async () => {
    const { fingerprint } = await preview("--save-plan", at("plan.json"));
    const both = ["--plan", at("plan.json"), "--approved", fingerprint];
    declare(["groups", "Later"], { description: "came after the approval" });
    await refused(/this is not the approved plan[^]*--plan FILE/, "--approved", fingerprint);
    await refused(/changed in the file: workspace\.yaml/, ...both);
    const changed = await preview("--save-plan", at("later.json"));
    await refused(
      /the saved plan is not the approved one/,
      "--plan",
      at("later.json"),
      "--approved",
      fingerprint,
    );
    expect(changed.fingerprint).not.toBe(fingerprint);

    const group = (await get<{ groups: { id: number; name: string }[] }>("/groups")).groups.find(
      ({ name }) => name === "QA",
    );
    await edit("PATCH", `/groups/${group?.id}`, { description: "Hobby club" });
    const approved = ["--plan", at("later.json"), "--approved", changed.fingerprint];
    const told = await refused(/Differences from the approved plan:/, ...approved);
    expect(told).toMatch(/\+ not approved: update Group groups\/QA/);
    expect(told).not.toContain("Later");

    const now = await preview();
    const { code, stdout } = await run(
      "up",
      "--yes",
      "--approved",
      now.fingerprint,
      "--receipt",
      at("receipt.json"),
    );
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: ") as string });
    expect(JSON.parse(readFileSync(at("receipt.json"), "utf8"))).toMatchObject({
      outcome: "succeeded",
      approved: now.fingerprint,
      fingerprint: now.fingerprint,
    });
    // A job that is started again finds that nothing is left.
    expect(await run("up", "--yes", "--approved", now.fingerprint)).toMatchObject({ code: 0 });
    expect(emulator.journal.writes()).toEqual([]);
  });

  it.runIf(tellsAllStories)("counts another secret, and is not valid for another stack", async () => {
    declare(["variables", "REGION"], "us-south");
    declare(["variables", "DEPLOY_TOKEN", "description"], "rotated soon");
    const { fingerprint } = await preview();
    const rotated = await workspacectl(["up", "--yes", "--approved", fingerprint, "-f", file], folder, {
      ...env,
      WORKSPACE_VAR_DEPLOY_TOKEN: "another-token-in-clear",
    });
    expect(rotated.code).toBe(1);
    expect(rotated.stderr).toContain("Secret values are part of the fingerprint");
    expect(rotated.stdout + rotated.stderr).not.toContain("token-in-clear");
    await refused(
      /this is not the approved plan/,
      "--create-stack",
      "--stack",
      "other",
      "--approved",
      fingerprint,
    );
    expect((await preview()).fingerprint).toBe(fingerprint);
  });
});
