/** Tests guards, saved plans and the request budget on the real engine. */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { type Document, parseDocument } from "yaml";
import { type Ended, repository, setUp, workspacectl } from "./support.js";

const { folder, file, emulator, env, ...service } = await setUp();
const plan = join(folder, "plan.json");
const receipt = join(folder, "receipt.json");

/** Runs a command with an empty request log. */
function run(...argv: string[]): Promise<Ended> {
  emulator.journal.clear();
  return service.run(...argv);
}

function edit(change: (document: Document) => void): void {
  const document = parseDocument(readFileSync(file, "utf8"));
  change(document);
  writeFileSync(file, document.toString());
}

const writes = () => emulator.journal.writes().map(({ method, path }) => `${method} ${path}`);

interface Count {
  reads: number;
  writes: number;
}

interface Told {
  guards: { guard: string; ignored: boolean; objects: string[] }[];
  requests: { made: Count; needed: Count; sufficiency: string };
}

/** Compares the estimated with the actual number of requests, from the first of the preview to the last of `up`. */
function accuracy(preview: Ended): { said: number; took: number; off: number } {
  const { made, needed } = (JSON.parse(preview.stdout) as Told).requests;
  const said = made.reads + made.writes + needed.reads + needed.writes;
  const took = emulator.journal.requests.length;
  return { said, took, off: Math.abs(said - took) / took };
}

async function changeOutside(name: string, description: string): Promise<void> {
  const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
  const group = (body as { groups: { id: number; name: string }[] }).groups.find((g) => g.name === name);
  await emulator.edit({
    method: "PATCH",
    path: `/workspaces/acme/groups/${group?.id}`,
    body: { description },
  });
}

function valid(schema: string, value: string): unknown[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.validate(
    JSON.parse(readFileSync(join(repository, "schema", schema), "utf8")) as object,
    JSON.parse(value),
  );
  return ajv.errors ?? [];
}

describe.sequential("a plan", () => {
  it("is saved for its user only, without plain secrets, in the published format", async () => {
    const previewed = await run("preview", "--save-plan", plan, "--json");
    expect(previewed.code).toBe(0);
    expect(writes()).toEqual([]);
    expect((statSync(plan).mode & 0o777).toString(8)).toBe("600");
    const text = readFileSync(plan, "utf8");
    expect(text).not.toContain("in-clear");
    expect(text).toMatch(/"\$secret": "[0-9a-f]{16}"/);
    expect(valid("plan.schema.json", text)).toEqual([]);

    const done = await run("up", "--create-stack", "--yes", "--plan", plan, "--receipt", receipt);
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 });
    expect(done.stdout).toContain("Done: 41 created");
    expect(accuracy(previewed).off).toBeLessThan(0.1);
  });

  it("results in a receipt with ids and the number of requests", () => {
    const text = readFileSync(receipt, "utf8");
    expect(valid("receipt.schema.json", text)).toEqual([]);
    const told = JSON.parse(text) as { done: { name: string; id: string }[]; requests: { made: Count } };
    expect(told).toMatchObject({ outcome: "succeeded", counts: { create: 41 }, stack: "dev" });
    expect(told.done.find(({ name }) => name === "groups/QA")?.id).toMatch(/^acme\/\d+$/);
    expect(told.requests.made.reads + told.requests.made.writes).toBe(emulator.journal.requests.length);
  });

  it("does nothing a second time, because nothing is left of it", async () => {
    const { code, stdout, stderr } = await run("up", "--yes", "--plan", plan);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("No changes");
    expect(writes()).toEqual([]);
  });

  it("is rejected if the workspace has changed since", async () => {
    edit((document) => document.setIn(["variables", "REGION"], "us-west"));
    await run("preview", "--save-plan", plan);
    await changeOutside("QA", "Hobby club");
    const { code, stderr } = await run("up", "--yes", "--plan", plan);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nothing was changed: changed in the workspace: groups/QA") as string,
    });
    expect(writes()).toEqual([]);
  });

  it("is rejected for a changed file or another stack before the workspace is read", async () => {
    const text = readFileSync(file, "utf8");
    edit((document) => document.setIn(["variables", "REGION"], "eu-west"));
    const { code, stderr } = await run("up", "--create-stack", "--yes", "--plan", plan, "--stack", "other");
    expect(code).toBe(1);
    expect(stderr).toContain("the stack is other, and the plan is for dev");
    expect(stderr).toContain("changed in the file: workspace.yaml");
    expect(writes()).toEqual([]);
    writeFileSync(file, text);
  });

  it("estimates the requests of a refresh and a few updates", async () => {
    const previewed = await run("preview", "--json");
    const { code } = await run("up", "--yes");
    expect(code).toBe(0);
    expect(writes()).toHaveLength(2);
    expect(accuracy(previewed).off).toBeLessThan(0.1);
  });

  it("needs only reads for an object that was deleted outside and is no longer declared", async () => {
    edit((document) => document.deleteIn(["groups", "On call"]));
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
    const group = (body as { groups: { id: number; name: string }[] }).groups.find(
      (g) => g.name === "On call",
    );
    await emulator.edit({ method: "DELETE", path: `/workspaces/acme/groups/${group?.id}` });
    const previewed = await run("preview", "--json");
    expect((await run("up", "--yes")).code).toBe(0);
    expect(writes()).toEqual([]);
    expect(accuracy(previewed).off).toBeLessThan(0.1);
  });
});

describe.sequential("removal of a section", () => {
  it("is refused before any write, with the objects and the flag", async () => {
    edit((document) => document.deleteIn(["projects", "web", "pipelines"]));
    const previewed = await run("preview", "--json");
    expect(previewed.code).toBe(0);
    const { guards } = JSON.parse(previewed.stdout) as Told;
    expect(guards.map(({ guard }) => guard)).toEqual(["max-deletes", "max-delete-share", "whole-section"]);
    expect(guards[0]?.objects).toContain("projects/web/pipelines/Deploy");

    const { code, stderr } = await run("up", "--yes", "--receipt", receipt);
    expect(code).toBe(1);
    expect(stderr).toContain("refused, nothing was changed: 3 guards:");
    expect(stderr).toContain("--allow-delete");
    expect(JSON.parse(readFileSync(receipt, "utf8"))).toMatchObject({ outcome: "refused", done: [] });
    expect(writes()).toEqual([]);
  });

  it("is applied with a flag, with about the estimated number of requests", async () => {
    const named = ["--allow-delete", "projects/web/pipelines/**"];
    const previewed = await run("preview", "--json", "--strict-guards", ...named);
    expect(previewed.code).toBe(0);
    const { code, stdout } = await run("up", "--yes", ...named);
    expect(code).toBe(0);
    expect(stdout).toContain("14 deleted");
    expect(accuracy(previewed).off).toBeLessThan(0.1);
  });

  it("is refused for a project, and applied with its own flag despite the protection", async () => {
    edit((document) => document.deleteIn(["projects", "web"]));
    const refused = await run("up", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--delete-project web");
    expect(refused.stdout).toMatch(/^- project web {2}with 2 members/m);
    expect(writes()).toEqual([]);

    const { code, stdout } = await run("up", "--yes", "--delete-project", "web");
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Done: .*\d deleted/) as string,
    });
    expect(writes()).toContain("DELETE /workspaces/acme/projects/web");
  });

  it("is refused for another file on the same stack, with a hint at --stack", async () => {
    const other = join(folder, "other.yaml");
    writeFileSync(other, "version: 1\nworkspace: acme\nvariables: { OTHER: x }\n");
    emulator.journal.clear();
    const { code, stderr } = await workspacectl(["up", "--create-stack", "--yes", "-f", other], folder, env);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "other-file: this stack was last applied from workspace.yaml, and other.yaml would delete",
    );
    expect(stderr).toContain("--stack");
    expect(writes()).toEqual([]);
    rmSync(other);
  });
});

describe.sequential("the request budget", () => {
  it("refuses a run when it is short, with the reset time, unless a smaller reserve is set", async () => {
    edit((document) => document.setIn(["variables", "REGION"], "eu-west"));
    emulator.setRemaining(600);
    const { code, stderr } = await run("up", "--yes");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /takes about 1 requests, and \d+ of 5000 are left until .*Z, of which 1000 are reserved/,
    );
    expect(stderr).toContain("--wait");
    expect(writes()).toEqual([]);
    expect((await run("up", "--yes", "--reserve", "1")).code).toBe(0);
    expect(writes()).toHaveLength(1);
  });
});
