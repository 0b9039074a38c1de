/** Tests on the real engine that a plan recognizes an object whose key was changed in the file alone. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUp } from "./support.js";

const shop = (entry: string) => `version: 1
workspace: acme
projects:
  ${entry}
    variables: { A: one }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: One, type: OTHER, triggerTime: ON_EVERY_EXECUTION, fields: {} }
          - { name: Two, type: OTHER, triggerTime: ON_EVERY_EXECUTION, fields: {} }
`;

describe.sequential("a project whose key changes in the file", async () => {
  const { file, folder, run } = await setUp(shop("shop:"));

  it("is renamed once the line is written that the plan names", async () => {
    expect(await run("up", "--create-stack", "--yes")).toMatchObject({ code: 0 });
    writeFileSync(file, shop("shop2:"));
    const hint = `projects/shop2 looks like projects/shop, which is deleted. If it was renamed, write "previously: [shop]" in its entry (${file}:4).`;
    const { stdout } = await run("preview", "--format", "json=plan.json", "--format", "markdown=plan.md");
    expect(stdout).toContain(`Hint:  ${hint}`);
    expect(readFileSync(join(folder, "plan.md"), "utf8")).toContain(
      "**Hint**\n\n- ⚠️ projects/shop2 looks like",
    );
    const report = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")) as object;
    expect(report).toMatchObject({
      possibleRenames: [
        {
          type: "Project",
          name: "projects/shop2",
          former: "projects/shop",
          write: "previously: [shop]",
          place: { file, line: 4 },
        },
      ],
    });
    writeFileSync(file, shop("shop2:\n    previously: [shop]"));
    const renamed = await run("preview");
    expect(renamed.stdout).toContain("0 to create, 6 to update, 0 to delete");
    expect(renamed.stdout + renamed.stderr).not.toContain("Hint:");
  });
});
