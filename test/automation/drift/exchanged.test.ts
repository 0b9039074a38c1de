/** Tests projects that nothing identifies but their names, which somebody has exchanged: accepting would write each into the entry of the other. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { DriftFinding } from "../../../automation/drift/drift-report.js";
import { noteExchanges } from "../../../automation/drift/exchanged.js";
import { reportWith } from "../../cli/commands/drift/support.js";
import { fileIn, run, temporaryFolder } from "../../cli/support.js";

const workspace = `version: 1
groups: { QA: { description: Testers } }
projects:
  api: { displayName: Interface }
  web: { displayName: Web shop }
  web-2: { displayName: Second }
`;

const changed = (type: string, name: string, path: string, applied: string, live: string): DriftFinding => ({
  ...{ id: `id-${name}`, class: "changed", type, name, path, pathParts: [path], secret: false },
  ...{ declared: applied, applied, live },
});
const exchanged = [
  changed("Project", "projects/api", "displayName", "Interface", "Web shop"),
  changed("Project", "projects/web", "displayName", "Web shop", "Interface"),
];
const others = [
  changed("Group", "groups/QA", "description", "Testers", "Hobby club"),
  changed("Project", "projects/web-2", "displayName", "Second", "Third"),
];
const member: DriftFinding = {
  ...{ id: "id-member", class: "added", type: "ProjectMember", name: "projects/web/members/bob@example.com" },
  ...{ path: "", pathParts: [], secret: false, live: { member: "bob@example.com" } },
};

async function accept(findings: readonly DriftFinding[], ...argv: string[]) {
  const folder = temporaryFolder();
  const file = fileIn(folder, "workspace.yaml", workspace);
  const report = fileIn(folder, "drift.json", JSON.stringify(reportWith({ findings: [...findings] })));
  const { code, stderr } = await run(["drift", "accept", "-f", file, "--report", report, ...argv]);
  return { code, stderr, text: readFileSync(file, "utf8") };
}

it("are not accepted, nor is what is in them, but everything else is", async () => {
  const { code, stderr, text } = await accept([...exchanged, ...others, member], "--all");
  expect(code).toBe(1);
  const why = "shows what projects/web has shown before, and the reverse. Perhaps the two have exchanged";
  expect(stderr).toContain(`not accepted: projects/api: projects/api ${why} their names`);
  expect(stderr).toContain("not accepted: projects/web: projects/web shows what projects/api");
  expect(stderr).toContain("not accepted: projects/web/members/bob@example.com: projects/web shows");
  expect(stderr).toContain("2 of 5 accepted");
  expect(text).toBe(workspace.replace("Testers", "Hobby club").replace("Second", "Third"));
});

it("are named in the report", () => {
  const noted = { ...exchanged[1]!, note: "the file was changed too" };
  const perhaps =
    "shows what this has shown before, and the reverse: perhaps the two have exchanged their names";
  expect(noteExchanges([exchanged[0]!, noted, ...others, member]).map(({ note }) => note)).toEqual([
    `projects/web ${perhaps}`,
    `the file was changed too; projects/api ${perhaps}`,
    ...[undefined, undefined, undefined],
  ]);
});

it("are accepted one after the other", async () => {
  const { code, text } = await accept(exchanged, "projects/api");
  expect([code, text]).toEqual([0, workspace.replace("Interface", "Web shop")]);
});

it("are those of one type that show each other's value of one argument", async () => {
  const half = [exchanged[0]!, changed("Project", "projects/web", "displayName", "Web shop", "Other")];
  const other = [exchanged[0]!, { ...exchanged[1]!, path: "status" }];
  const groups = [
    changed("Group", "groups/QA", "description", "Testers", "Hobby club"),
    changed("Group", "groups/Ops", "description", "Hobby club", "Testers"),
  ];
  for (const findings of [half, other])
    expect((await accept(findings, "--all")).stderr).not.toContain("exchanged");
  // A group has an id, which an exchange of names does not change.
  expect((await accept(groups, "--all")).stderr).not.toContain("exchanged");
});
