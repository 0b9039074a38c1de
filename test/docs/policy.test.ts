/** Checks that docs/policy.md shows the policy of examples/policy, and that the example meets it. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { planVerdicts } from "../../automation/policy/policy-file/cel-rules.js";
import { parsePolicy } from "../../automation/policy/policy-file/policy.js";
import { object } from "../automation/policy/guards/plan.js";
import { run, temporaryFolder } from "../cli/support.js";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/policy.md"), "utf8");
const folder = temporaryFolder();
cpSync(join(root, "examples/policy"), join(folder, "checkout"), { recursive: true });
cpSync(join(root, "examples/policy/policy.yaml"), join(folder, "policy.yaml"));
const policy = join(folder, "policy.yaml");
const file = join(folder, "checkout/workspace.yaml");

it("the page shows the policy", () => {
  expect(page).toContain(readFileSync(policy, "utf8"));
});

it("the example meets its rules about the document, and a change of the image does not", async () => {
  expect(await run(["lint", "-f", file, "--policy", policy])).toMatchObject({ code: 0 });
  expect(await run(["validate", "-f", file, "--policy", policy])).toMatchObject({ code: 0 });
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("registry.example.com/node", "node"));
  const refused = await run(["validate", "-f", file, "--policy", policy, "--json"]);
  writeFileSync(file, text);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    valid: false,
    problems: [{ code: "acme/images-from-our-registry", line: expect.any(Number) as number }],
  });
  expect(refused.code).toBe(1);
});

it("the rules about the plan refuse an image from elsewhere, and a permission set that changes next to a deletion", () => {
  const refused = (...objects: Parameters<typeof planVerdicts>[0]) =>
    planVerdicts(objects, parsePolicy(policy, false)).map(({ guard }) => guard);
  const build = (image: string) =>
    object(
      "create",
      "Action",
      "projects/web/pipelines/build/actions/Build",
      {},
      {
        type: "BUILD",
        containerImageName: image,
      },
    );
  const levels = object("update", "PermissionSet", "permissionSets/developers");
  const gone = object("delete", "Variable", "variables/A");
  expect(refused(build("registry.example.com/node"), levels)).toEqual([]);
  expect(refused(build("node"))).toEqual(["acme/runs-images-from-our-registry"]);
  expect(refused(build("registry.example.com.evil.test/node"))).toEqual([
    "acme/runs-images-from-our-registry",
  ]);
  expect(refused(levels, gone)).toEqual(["acme/permission-sets-apart"]);
});
