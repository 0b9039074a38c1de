/**
 * Tests on the real engine that drift can be accepted into the file, or reverted per object, and that nothing remains
 * to do.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { setUp } from "./support.js";

const declared = `version: 1
workspace: acme
# Who does what
groups:
  QA: { description: Testers } # they test
  # Nobody knows
  Old: { description: Old ones }
  Ops: { description: Operators }
variables:
  REGION: us-east # where
  COLOR: "blue"
projects:
  web:
    protect: false
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
          - { key: Ping 2, name: Ping, type: PING, triggerTime: ON_FAILURE, destination: example.org }
`;
const projects = declared.slice(declared.indexOf("projects:"));

const { file, emulator, run, get, edit } = await setUp(declared, { echoMemberEmail: true });

beforeAll(async () => {
  expect(await run("up", "--create-stack", "--yes")).toMatchObject({ code: 0 });
});

async function idOf(list: "groups" | "variables", name: string): Promise<number> {
  const all = await get<Record<string, { id: number; name?: string; key?: string }[]>>(`/${list}`);
  return all[list]?.find((one) => (one.name ?? one.key) === name)?.id ?? 0;
}

describe.sequential("drift can be", () => {
  it("reverted for the named object only", async () => {
    await edit("PATCH", `/groups/${await idOf("groups", "QA")}`, { description: "Hobby club" });
    await edit("PATCH", `/groups/${await idOf("groups", "Ops")}`, { description: "Golfers" });
    const { code, stdout } = await run("drift", "revert", "groups/Ops", "--yes");
    expect({ code, others: stdout.includes("groups/QA") }).toEqual({ code: 0, others: false });
    const { groups } = await get<{ groups: { name: string; description: string }[] }>("/groups");
    expect(groups.find(({ name }) => name === "Ops")?.description).toBe("Operators");
    expect(groups.find(({ name }) => name === "QA")?.description).toBe("Hobby club");
  });

  it("reverted for a deleted object with all that was in it", async () => {
    const pipelines = async () =>
      (await get<{ pipelines: { id: number }[] }>("/projects/web/pipelines")).pipelines;
    const actions = async () => {
      const [{ id } = { id: 0 }] = await pipelines();
      const shown = await get<{ actions: { destination: string }[] }>(
        `/projects/web/pipelines/${id}/actions`,
      );
      return shown.actions.map(({ destination }) => destination);
    };
    const before = await actions();
    expect(before).toEqual(["example.com", "example.org"]);
    await edit("DELETE", `/projects/web/pipelines/${(await pipelines())[0]?.id}`);
    expect(await run("drift", "revert", "projects/*/pipelines/deploy", "--yes")).toMatchObject({ code: 0 });
    expect(await actions()).toEqual(before);
  });

  it("accepted, after which up adopts the new objects without a write and no drift remains", async () => {
    await edit("DELETE", `/groups/${await idOf("groups", "Old")}`);
    await edit("PATCH", `/variables/${await idOf("variables", "REGION")}`, {
      key: "REGION",
      value: "eu-west",
    });
    await edit("POST", "/groups", { name: "Hackers", description: "At night" });
    await edit("DELETE", `/groups/${await idOf("groups", "Ops")}`);
    await edit("POST", "/groups", { name: "Ops", description: "Created again" });
    const dry = await run("drift", "accept", "--all", "--dry-run");
    expect(dry).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toBe(declared);
    const { code, stderr } = await run("drift", "accept", "--all");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("6 of 6 accepted");
    expect(readFileSync(file, "utf8")).toBe(`version: 1
workspace: acme
# Who does what
groups:
  QA: { description: Hobby club } # they test
  Ops: { description: Created again, adopt: true }
  Hackers: { description: At night, adopt: true }
variables:
  REGION: eu-west # where
  COLOR: "blue"
${projects}`);
    emulator.journal.clear();
    expect(await run("up", "--create-stack", "--yes")).toMatchObject({ code: 0 });
    // The objects are adopted without a write.
    expect(emulator.journal.writes().map(({ method }) => method)).toEqual([]);
    expect(await run("drift")).toMatchObject({ code: 0 });
  });
});
