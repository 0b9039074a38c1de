/** Tests on the real engine what renames cannot do, with the steps that work, and an import of which a part fails. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chooseStories } from "../stories.js";
import { setUp } from "./support.js";

const head = `version: 1
workspace: acme
guards: { maxDeleteShare: 100, sectionDeletion: allow }
`;
const groups = (a: string, b: string) => `${head}groups:\n  a: ${a}\n  b: ${b}\n`;

describe.sequential("two objects that exchange their names", async () => {
  const { file, emulator, run, get } = await setUp(groups("{}", "{}"));
  const numbers = async () => {
    const { groups: all } = await get<{ groups: { id: number; name: string }[] }>("/groups");
    return Object.fromEntries(all.map(({ id, name }) => [name, id]));
  };

  it("are refused with the steps that work", async () => {
    expect(await run("up", "--create-stack", "--yes")).toMatchObject({ code: 0 });
    emulator.journal.clear();
    writeFileSync(file, groups("{ name: b }", "{ name: a }"));
    const { code, stderr } = await run("up", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("groups/b of this stack has the name of groups/a until this plan renames it");
    expect(stderr).not.toContain("previously");
    writeFileSync(file, groups("{ previously: [b] }", "{ previously: [a] }"));
    expect((await run("validate")).stderr).toContain("would exchange their names, which takes several runs");
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("exchange them in these steps, without being replaced", async () => {
    const before = await numbers();
    writeFileSync(file, groups("{}", "{ name: between }"));
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    writeFileSync(file, groups("{ name: b }", "{ name: a }"));
    expect(await run("up", "--yes", "--only", "groups/a")).toMatchObject({ code: 0 });
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    expect(await numbers()).toEqual({ a: before["b"], b: before["a"] });
  });
});

describe.sequential("an object that is declared in another parent", async () => {
  const projects = (web: string, api: string) =>
    `${head}projects:\n  web: { protect: false, variables: { ${web} } }\n  api: { protect: false, variables: { ${api} } }\n`;
  const { file, run } = await setUp(projects("A: one", ""));

  it.each(chooseStories(["A", "projects/web/variables/A"], 1))(
    "is not moved by previously: [%s], which the plan says",
    async (former) => {
      await run("up", "--create-stack", "--yes");
      writeFileSync(file, projects("", `B: { value: one, previously: ["${former}"] }`));
      const { stdout, stderr } = await run("preview");
      expect(stdout + stderr).toContain(
        "projects/api/variables/B is created and projects/web/variables/A is deleted: `previously` renames an object within its parent",
      );
      writeFileSync(file, projects("A: one", ""));
    },
  );
});

describe("an import of which a part does not exist", async () => {
  const declared = `${head}groups:\n  QA: { description: Testers }\n  Missing: {}\n`;
  const { emulator, run, edit } = await setUp(declared);

  it("names what differs in the rest, besides what is missing", async () => {
    await edit("POST", "/groups", { name: "QA", description: "Hobby club" });
    emulator.journal.clear();
    const { code, stdout, stderr } = await run("import", "--create-stack");
    expect(code).toBe(1);
    expect(stderr).toContain("1 of 2 objects could not be imported");
    expect(stderr).toContain("The workspace differs from the file; `up` would change:");
    expect(stdout).toContain('description  "Hobby club" → "Testers"');
    expect(emulator.journal.writes()).toEqual([]);
  });
});
