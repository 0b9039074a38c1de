/** Tests the members of groups and projects that own their list. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDeclarations, Ref, WorkspaceFileError } from "../../workspace-file/load/load.js";

function write(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "workspace-file-")), "workspace.yaml");
  writeFileSync(file, text);
  return file;
}

const read = (text: string) => readDeclarations(write(text), { env: {} });

/** Returns the error message for a file, without its folder. */
function complaint(text: string): string {
  const file = write(text);
  try {
    readDeclarations(file, { env: {} });
  } catch (error) {
    if (error instanceof WorkspaceFileError) return error.message.replaceAll(`${dirname(file)}/`, "");
    throw error;
  }
  return "nothing is wrong";
}

function argsOf(declared: ReturnType<typeof read>, name: string): Record<string, unknown> {
  const declaration = declared.declarations.find((one) => one.name === name);
  if (!declaration) throw new Error(`${name} is not declared`);
  return { ...declaration.args };
}

describe("members of an exclusive group or project", () => {
  const people = `version: 1
members: { ann@example.com: {}, bob@example.com: {} }
permissionSets: { Developer: { external: true } }
`;

  it("are arguments of the group or project instead of separate resources", () => {
    const declared = read(`${people}groups: { QA: { members: [ann@example.com], exclusive: true } }
projects:
  web:
    exclusive: true
    members: { ann@example.com: { permissionSet: Developer }, bob@example.com: Developer }
`);
    expect(declared.declarations.map(({ name }) => name)).toEqual([
      "members/ann@example.com",
      "members/bob@example.com",
      "groups/QA",
      "projects/web",
    ]);
    const [ann, bob] = ["members/ann@example.com", "members/bob@example.com"].map((name) => new Ref(name));
    expect(argsOf(declared, "groups/QA")).toEqual({ name: "QA", members: [ann], exclusive: true });
    expect(argsOf(declared, "projects/web")["members"]).toEqual([
      { member: ann, permissionSet: "Developer" },
      { member: bob, permissionSet: "Developer" },
    ]);
  });

  it("are reported at their location", () => {
    const text = complaint(`${people}groups:
  QA: { members: [ann@example.com, amy@example.com], exclusive: true }
  Nobody: { exclusive: true }
projects:
  web:
    exclusive: true
    members:
      ann@example.com: { permissionSet: Developr }
      bob@example.com: {}
`);
    expect(text).toMatchInlineSnapshot(`
      "workspace.yaml:5:36: no member "amy@example.com" is declared in this file. Declare it under members, with external: true if it is managed elsewhere
          5 |   QA: { members: [ann@example.com, amy@example.com], exclusive: true }
            |                                    ^
      workspace.yaml:6:11: members: is required with exclusive: true ([] for no member except the calling user)
          6 |   Nobody: { exclusive: true }
            |           ^
      workspace.yaml:11:41: no permission set "Developr" is declared in this file. Did you mean "Developer"? Declare it under permissionSets, with external: true if it is managed elsewhere
         11 |       ann@example.com: { permissionSet: Developr }
            |                                         ^
      workspace.yaml:12:24: permissionSet: is required
         12 |       bob@example.com: {}
            |                        ^
      4 problems in workspace.yaml; nothing was changed"
    `);
  });
});
