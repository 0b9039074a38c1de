/** Tests that no difference of spelling makes an object another one, whatever the service stores. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalizeName, isSameSpelling, SpelledNames, type Spelling } from "../../provider/index.js";
import { type ChangingService, startChangingService } from "./changing-service.js";
import { Engine, type State } from "./engine.js";
import { freshForEach } from "./fresh.js";

const fresh = freshForEach({ echoMemberEmail: true });
let service: ChangingService;
let engine: Engine;

/** How the service spells the names in its responses. */
let store: (text: string, spelling: Spelling) => string = (text) => text;

beforeEach(async () => {
  const { emulator } = fresh;
  service = await startChangingService(emulator, (response) =>
    response.startsWith("{") ? JSON.stringify(JSON.parse(response, revive)) : response,
  );
  engine = new Engine(service.baseUrl, emulator.token, emulator.workspace);
});
afterEach(() => service.close());

function revive(key: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (key === "email") return store(value, "email");
  return key === "name" || key === "key" ? store(value, "name") : value;
}

const lowered = (text: string, spelling: Spelling) => (spelling === "email" ? text.toLowerCase() : text);
const services = {
  "stores lower case of addresses": lowered,
  "stores composed letters": (text: string) => text.normalize("NFC"),
  "stores decomposed letters": (text: string) => text.normalize("NFD"),
  "trims names": (text: string) => text.trim(),
  "does all of it": (text: string, spelling: Spelling) => lowered(text.trim().normalize("NFC"), spelling),
};

/** Types with the argument that identifies an object, and what else an object needs. */
const kinds = [
  { type: "Group", arg: "name", spelling: "name", more: {} },
  { type: "Variable", arg: "key", spelling: "name", more: { value: "1" } },
  {
    type: "PermissionSet",
    arg: "name",
    spelling: "name",
    more: { description: "d", repositoryAccessLevel: "READ_ONLY", pipelineAccessLevel: "RUN_ONLY" },
  },
  { type: "WorkspaceMember", arg: "email", spelling: "email", more: { admin: false } },
] as const;

const spell = (spelling: Spelling) =>
  spelling === "email" ? fc.constantFrom(...emails) : fc.constantFrom(...names);
const emails = ["bob@example.com", "Bob@example.com", "BOB@EXAMPLE.COM", "bob@Example.Com"];
const names = ["Caf\u00e9", "Cafe\u0301", " Caf\u00e9", "Cafe\u0301  ", "\u00a0Caf\u00e9 "];

async function expectUnchanged(state: State, args: Record<string, unknown>): Promise<void> {
  const seen = await engine.refresh(state);
  expect(seen?.outs).toEqual(state.outs);
  const { changes, replaces } = await engine.diff(state, args);
  expect({ changes, replaces }).toEqual({ changes: false, replaces: [] });
}

describe.each(Object.entries(services))("at a service that %s", (_title, stored) => {
  it("an object is created once, and stays as it is in every spelling", async () => {
    store = stored;
    const story = fc
      .constantFrom(...kinds)
      .chain((kind) => fc.tuple(fc.constant(kind), spell(kind.spelling), spell(kind.spelling)));
    await fc.assert(
      fc.asyncProperty(story, async ([{ type, arg, more }, first, second]) => {
        const args = { [arg]: first, ...more };
        const state = await engine.create(type, args);
        try {
          expect(state.outs[arg]).toBe(first);
          await expectUnchanged(state, args);
          await expectUnchanged(state, { ...args, [arg]: second });
          await expect(engine.create(type, { ...args, [arg]: second })).rejects.toThrow(/already/);
          fresh.emulator.journal.clear();
          const adopted = await engine.create(type, { ...args, [arg]: second, adopt: true });
          expect([adopted.id, adopted.outs[arg]]).toEqual([state.id, second]);
          expect(fresh.emulator.journal.writes()).toEqual([]);
          await expectUnchanged(adopted, args);
        } finally {
          await engine.delete(state);
        }
      }),
      { numRuns: 6 },
    );
  });

  it("a person is found by any spelling of the address, and a group by any of its name", async () => {
    store = stored;
    await engine.create("WorkspaceMember", { email: "Bob@Example.com" });
    await engine.create("Group", { name: "Caf\u00e9" });
    const member = await engine.create("GroupMember", { group: "Cafe\u0301", member: "bob@example.COM" });
    await expectUnchanged(member, { group: " Caf\u00e9", member: "BOB@example.com" });
    const owned = await engine.create("Group", { name: "QA", exclusive: true, members: ["bob@example.com"] });
    await expectUnchanged(owned, { name: "QA", exclusive: true, members: ["BOB@example.com"] });
  });
});

it("a project is in paths as the service spells it, and in the file as it was written", async () => {
  store = (text) => text;
  await fresh.api.projects.create("acme", { name: "web" });
  const args = { name: " web" };
  const project = await engine.create("Project", { ...args, adopt: true });
  expect([project.id, project.outs["name"]]).toEqual(["acme/web", "web"]);
  await expectUnchanged(project, args);
  const pipeline = {
    project: project.outs["name"],
    projectId: project.id,
    name: "p",
    triggerMode: "MANUAL",
    refName: "main",
  };
  await expectUnchanged(await engine.create("Pipeline", pipeline), { ...pipeline, project: "web " });
});

describe("of two objects that differ only by their spelling", () => {
  beforeEach(() => {
    store = (text) => text;
  });
  const twins = ["Caf\u00e9", "Cafe\u0301"];

  it("an exact match is meant, and another spelling is ambiguous, with the ids", async () => {
    const made = [];
    for (const name of twins) made.push((await fresh.api.groups.create("acme", { name })).id);
    for (const [index, name] of twins.entries())
      expect((await engine.create("Group", { name, adopt: true })).outs["groupId"]).toBe(made[index]);
    await expect(engine.create("Group", { name: " Caf\u00e9", adopt: true })).rejects.toThrow(
      `exists several times in workspace acme (numbers ${made.join(", ")})`,
    );
    await expect(engine.create("GroupMember", { group: " Caf\u00e9", member: 1 })).rejects.toThrow(
      /could be any of these: /,
    );
  });

  it("the second one is not created, and the error shows the difference", async () => {
    await fresh.api.groups.create("acme", { name: "Cafe\u0301" });
    await expect(engine.create("Group", { name: "Caf\u00e9" })).rejects.toThrow(
      'already exists in workspace acme (number 12); the service spells it "Cafe\\u0301", and the declaration "Café"',
    );
  });

  it("one run adopts or creates only one of two declarations", async () => {
    for (const adopt of [false, true])
      await engine.run(async () => {
        const first = await engine.create("Group", { name: "Caf\u00e9" });
        await expect(engine.create("Group", { name: "Cafe\u0301", adopt })).rejects.toThrow(
          /is also declared by another entry or resource of this run/,
        );
        await engine.delete(first);
      });
  });

  it("upper and lower case of names make two", async () => {
    await fresh.api.groups.create("acme", { name: "qa" });
    expect((await engine.create("Group", { name: "QA", adopt: true })).outs["name"]).toBe("QA");
    expect(await fresh.api.groups.list("acme").toArray()).toHaveLength(2);
  });
});

describe("the spelling of a value", () => {
  it("differs by case, form and blanks as its kind allows, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const other of [` ${text}`, text.normalize("NFD"), text.normalize("NFC"), `${text}\t`]) {
          expect(isSameSpelling("name", text, other)).toBe(true);
          expect(isSameSpelling("email", text, other)).toBe(true);
          expect(isSameSpelling(undefined, text, other)).toBe(text === other);
        }
        expect(isSameSpelling("name", text, `${text}x`)).toBe(false);
      }),
    );
    expect(isSameSpelling("email", "Bob@Example.com", "bob@example.com")).toBe(true);
    expect(isSameSpelling("name", "QA", "qa")).toBe(false);
    expect([isSameSpelling("name", 1, 1), isSameSpelling("name", undefined, null)]).toEqual([true, false]);
  });

  it("does not matter in logical names, where the key of its section allows it", () => {
    const same = [
      ["members/Bob@Example.com", "members/bob@example.com"],
      ["groups/Cafe\u0301/members/Bob@Example.com", "groups/Caf\u00e9/members/bob@example.com"],
    ] as const;
    for (const [one, other] of same) expect(canonicalizeName(one)).toBe(canonicalizeName(other));
    expect(canonicalizeName("groups/QA")).not.toBe(canonicalizeName("groups/qa"));
    expect(canonicalizeName("somewhere/Else")).toBe("somewhere/Else");
    expect(new SpelledNames(["members/Bob@Example.com"]).others("members/bob@example.com")).toEqual([
      "members/Bob@Example.com",
    ]);
  });
});
