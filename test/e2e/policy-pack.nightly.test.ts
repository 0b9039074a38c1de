/** Tests the example policy pack on the real engine: policies select resources of a program by their class. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pulumi, repository, setUp, stateIn } from "./support.js";

const { folder, env: environment } = await setUp();
const program = join(folder, "program");
const pack = join(folder, "policy-pack");
const env = { ...environment, ...stateIn(folder), WORKSPACE_AUTOMATION_DOMAIN: "acme" };

mkdirSync(program);
writeFileSync(join(program, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
writeFileSync(join(program, "package.json"), JSON.stringify({ main: "index.js" }));
writeFileSync(
  join(program, "index.js"),
  `const { Action, Pipeline, Project } = require("pulumi-workspace-automation");
const web = new Project("web", { name: "web" });
const pipeline = new Pipeline("deploy", { project: web, name: "deploy", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" });
const destination = process.env.DESTINATION;
new Action("ping", { pipeline, name: "Ping", type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination });
`,
);
cpSync(join(repository, "examples/policy-pack"), pack, { recursive: true });
for (const project of [program, pack])
  symlinkSync(join(repository, "node_modules"), join(project, "node_modules"), "dir");

const preview = (DESTINATION: string) =>
  pulumi(
    ["preview", "--stack", "dev", "--policy-pack", join(pack, "pulumi-analyzer-workspace-policies")],
    program,
    { ...env, DESTINATION },
  );

it("rejects a PING action to an external host, and accepts one to an internal host", async () => {
  expect(await pulumi(["stack", "init", "dev"], program, env)).toMatchObject({ code: 0 });
  const refused = await preview("elsewhere.test");
  expect(refused.stdout).toContain('The action "Ping" pings elsewhere.test, which is not a host of ours.');
  expect(refused.code).not.toBe(0);
  expect(await preview("shop.example.com")).toMatchObject({ code: 0 });
});
