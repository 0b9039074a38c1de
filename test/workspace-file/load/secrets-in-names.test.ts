/** Tests what is said of a secret in a name: which placeholder brings it, and where, also in short forms and in modules. */
import { describe, expect, it } from "vitest";
import type { WorkspaceFileError } from "../../../workspace-file/load/load.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";
import { problemsOf } from "./loaded.js";

const folder = temporaryFolder();
const options = {
  env: { WORKSPACE_VAR_T: "s3cret" },
  config: (key: string) => ({ value: `value of ${key}`, secret: key === "hidden" }),
};
const why =
  "must not be part of a name, a reference or a choice, because addresses, plans and logs show these: write the value itself, or use ${env:NAME} if it is not secret";
const secretsIn = (text: string) => problemsOf(text, options).filter((line) => line.includes(why));

describe("a secret in a name", () => {
  it.each([
    ["${secret:env:T}", "${secret:env:T}"],
    ["${env:T} ${secret:env:T}", "${secret:env:T}"],
    ["${config:open} ${config:hidden} ${env:T}", "${config:open}"],
    ["${env:T} ${config:hidden}", "${config:hidden}"],
    ["${secret:env:T} ${ref:groups/Ops.groupId}", "${secret:env:T}"],
  ])("is told with the placeholder that brings it: %s", (name, placeholder) => {
    expect(secretsIn(`groups: { QA: { name: "${name}" }, Ops: {} }`)).toEqual([
      `2:23: ${placeholder} ${why}`,
    ]);
  });

  it("is told in the short forms of entries, also in what is managed elsewhere", () => {
    const people = "members: { ann@example.com: {} }\n";
    for (const external of ["", "external: true, "]) {
      const group = `${people}groups:\n  QA: { ${external}members: ["\${secret:env:T}"] }`;
      expect(secretsIn(group).map((line) => line.split(":")[0])).toEqual(["4"]);
      const project = `${people}projects:\n  web: { ${external}members: { ann@example.com: "\${secret:env:T}" } }`;
      expect(secretsIn(project).map((line) => line.split(":")[0])).toEqual(["4"]);
    }
    expect(secretsIn('variables: { A: "${secret:env:T}" }')).toEqual([]);
  });

  it("of another object is told at the reference, and one to nothing is only unknown", () => {
    const text = (value: string) => `variables: { A: "${value}" }
groups: { QA: { name: "of \${ref:variables/A.value}" } }`;
    expect(problemsOf(text("${secret:env:T}"), options)).toEqual([`3:27: \${ref:variables/A.value} ${why}`]);
    expect(problemsOf(text("open"), options)).toEqual([]);
    expect(problemsOf('groups: { QA: { name: "${ref:groups/none.name}" } }')).toEqual([
      expect.stringContaining("nothing of that name is declared"),
    ]);
  });
});

it("a secret in a module, which has no lines, is told with its path", () => {
  const document = {
    version: 1,
    owns: ["groups/*", "variables/*", "${secret:env:T}"],
    variables: { A: "${secret:env:T}" },
    groups: { QA: { name: "${secret:env:T}" }, Ops: { name: "${ref:variables/A.value}" } },
  };
  const file = fileIn(folder, "workspace.mjs", `export default ${JSON.stringify(document)};`);
  try {
    readDeclarations(file, options);
    expect.unreachable();
  } catch (error) {
    const messages = (error as WorkspaceFileError).problems.map(({ message }) => message);
    expect(messages.filter((message) => message.includes(why))).toEqual([
      "groups.Ops.name: ${ref:variables/A.value} " + why,
      "groups.QA.name: ${secret:env:T} " + why,
      "owns: ${secret:env:T} " + why,
    ]);
  }
});
