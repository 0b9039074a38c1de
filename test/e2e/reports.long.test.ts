/** Tests that what each command writes as JSON follows its published schema. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { editByHand, repository, setUp, workspacectl } from "./support.js";

const { file, folder, emulator, env } = await setUp();
let firstPlan = "";
const covered = new Set<string>();

/** Returns where a report does not follow its schema. */
function faultsOf(schema: string, text: string): unknown[] {
  covered.add(schema);
  const published = readFileSync(join(repository, `schema/${schema}.schema.json`), "utf8");
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(published) as object,
  );
  validate(JSON.parse(text));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

async function follows(schema: string, ...argv: string[]): Promise<string> {
  const { stdout, stderr } = await workspacectl(argv, folder, env);
  expect(stdout, stderr).not.toBe("");
  expect(faultsOf(schema, stdout), stdout).toEqual([]);
  return stdout;
}

describe.sequential("the JSON follows the published schema", () => {
  it("of a plan, and of what was done", async () => {
    firstPlan = await follows("preview-report", "preview", "--json", "--save-plan", "plan.json");
    expect(faultsOf("plan", readFileSync(join(folder, "plan.json"), "utf8"))).toEqual([]);
    await follows("up-report", "up", "--json", "--yes", "--create-stack", "--receipt", "receipt.json");
    expect(faultsOf("receipt", readFileSync(join(folder, "receipt.json"), "utf8"))).toEqual([]);
    await follows("up-report", "up", "--json", "--yes");
  });

  it("of an import, with what differs", async () => {
    await editByHand(emulator, ["PATCH", "groups", "QA"], { description: "Hobby club" });
    writeFileSync(
      join(folder, "small.yaml"),
      "version: 1\nworkspace: acme\ngroups: { QA: { description: Testers } }\n",
    );
    await follows("import-report", "import", "-f", "small.yaml", "--json", "--stack", "b", "--create-stack");
  });

  it("of outside changes", async () => {
    await editByHand(emulator, ["DELETE", "groups", "On call"]);
    await editByHand(emulator, ["POST", "groups"], { name: "Hackers" });
    await follows("drift-report", "drift", "--json");
    await follows("compare-report", "compare", "workspace.yaml", "stack:dev", "--json");
    await follows("preview-report", "preview", "--json");
    await follows("refresh-report", "refresh", "--json");
  });

  it("of what the file says", async () => {
    await follows("access-report", "access", "--format", "json");
    await follows("access-report", "access", "--format", "json", "--live");
    await follows("owners-report", "owners", "workspace.yaml", "--json");
    await follows("owners-report", "owners", "workspace.yaml", "--json", "--offline");
    for (const event of [["--push", "main"], ["--schedule"], ["--manual", "web/Deploy"]])
      await follows("what-runs-report", "what-runs", "--json", ...event);
    await follows("diagnostics-report", "validate", "--json");
    await follows("diagnostics-report", "lint", "--json");
    writeFileSync(join(folder, "wrong.yaml"), "version: 1\ngroups: { QA: { descripton: x } }\n");
    await follows("diagnostics-report", "lint", "-f", "wrong.yaml", "--json");
  });

  it("of the user, and of the installation", async () => {
    await follows("whoami-report", "whoami", "--json");
    await follows("whoami-report", "whoami", "-w", "acme", "--json");
    await follows("doctor-report", "doctor", "--json");
    await follows("probe-report", "probe", "-w", "acme", "--json");
  });

  it("of executions", async () => {
    await follows("executions-report", "run", "web/Deploy", "-w", "acme", "--json");
    await follows("executions-report", "executions", "list", "web/Deploy", "-w", "acme", "--json");
    await follows("executions-report", "executions", "show", "web/Deploy", "-w", "acme", "--json");
  });

  it("of a fleet", async () => {
    writeFileSync(join(folder, "fleet.yaml"), `version: 1\nworkspaces: { dev: { file: ${file} } }\n`);
    for (const command of ["preview", "drift"])
      await follows("fleet-report", "fleet", command, "--format", "json");
    await follows("fleet-report", "fleet", "up", "--yes", "--format", "json");
  });

  it("of a destroy, and of errors", async () => {
    await follows("destroy-report", "destroy", "--json", "--yes", "--allow-delete", "**");
    await follows("error-report", "up", "--json", "--yes", "--stack", "nosuch");
    await follows("error-report", "preview", "--nosuch", "--json");
  });

  it("of a plan is whole, so that a policy engine can judge it", async () => {
    const judge = async (text: string) => {
      writeFileSync(join(folder, "judged.json"), text);
      const check = join(repository, "examples/plan-policy/check.mjs");
      const { stderr, exitCode } = await execa(process.execPath, [check, "judged.json"], {
        cwd: folder,
        reject: false,
      });
      return { stderr, exitCode };
    };
    expect(await judge(firstPlan)).toEqual({
      exitCode: 1,
      stderr: "the plan breaks a rule: runs images of registry.example.com only",
    });
    const others = firstPlan.replaceAll('"node"', '"registry.example.com/node"');
    expect(await judge(others)).toEqual({ exitCode: 0, stderr: "" });
  });

  it("of each report that is published", () => {
    const published = readdirSync(join(repository, "schema")).flatMap(
      (name) => /^(.*-report|receipt|plan)\.schema\.json$/.exec(name)?.[1] ?? [],
    );
    // Only programs get this one (test/e2e/automation.nightly.test.ts).
    covered.add("export-report");
    expect([...covered].toSorted()).toEqual(published.toSorted());
  });
});
