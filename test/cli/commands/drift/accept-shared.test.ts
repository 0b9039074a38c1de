/** Tests that `drift accept` says which of the files that it changes may be of other workspaces too. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileIn, run, temporaryFolder } from "../../support.js";
import { reportWith } from "./support.js";

it("is a template in another folder, and not a part of the workspace file next to it", async () => {
  const folder = temporaryFolder();
  const [teams, templates] = ["teams", "templates"].map((name) => join(folder, name)) as [string, string];
  for (const path of [teams, templates]) mkdirSync(path);
  const file = fileIn(
    teams,
    "web.yaml",
    "version: 1\nworkspace: acme\ninclude: [../templates/base.yaml, web.variables.yaml]\n",
  );
  fileIn(teams, "web.variables.yaml", "version: 1\nvariables: { REGION: us-east }\n");
  fileIn(templates, "base.yaml", "version: 1\ngroups: { QA: { description: Testers } }\n");
  const changed = (type: string, name: string, arg: string, live: string) => ({
    ...{ class: "changed" as const, id: name, type, name, path: arg, pathParts: [arg], secret: false, live },
  });
  const findings = [
    changed("Group", "groups/QA", "description", "Hobby club"),
    changed("Variable", "variables/REGION", "value", "eu-west"),
  ];
  const report = fileIn(folder, "drift.json", JSON.stringify(reportWith({ findings })));
  const argv = ["drift", "accept", "--all", "-f", file, "--report", report, "--allow-path", templates];
  const { code, stderr } = await run([...argv, "--dry-run"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr.match(/.* is not in the folder of .*: whatever else uses it changes, too\./g)).toEqual([
    expect.stringMatching(/base\.yaml is not in the folder of .*web\.yaml/),
  ]);
});
