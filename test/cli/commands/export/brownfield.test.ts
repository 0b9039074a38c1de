/** Tests what eases the first export of a workspace that has grown by hand: fewer questions, a file for the values, a team's part. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Placeholders } from "../../../../automation/export/written-values.js";
import type { Emulator } from "../../../../emulator/index.js";
import { readDeclarations } from "../../../../workspace-file/load/load.js";
import { emulated, personAt } from "../../service-support.js";
import { fileIn, run, temporaryFolder } from "../../support.js";
import { apply } from "./apply.js";

async function workspaceOf(text: string): Promise<Emulator> {
  const emulator = await emulated({ echoMemberEmail: true });
  const { declarations } = readDeclarations("-", { mock: true, stdin: () => `version: 1\n${text}` });
  await apply(emulator, declarations);
  return emulator;
}

const exporting = (emulator: Emulator, ...options: string[]) =>
  personAt(emulator).types(["export", ...options]);

const SECRETS = `groups: { QA: { description: Testers } }
variables:
  API_KEY: { value: one and the same, encrypted: true }
  OTHER: { value: another, encrypted: true }
projects:
  web:
    variables:
      API_KEY: { value: one and the same, encrypted: true }
      LINK_TOKEN: shown-token
    pipelines:
      nightly: { triggerMode: SCHEDULED, cron: "0 2 * * *", refType: BRANCH, refName: main }
  api:
    variables: { LINK_TOKEN: shown-token }
    pipelines: { deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main } }
`;

describe("an export asks for few values", () => {
  it("gives equal secrets one variable, and names all their uses", async () => {
    const emulator = await workspaceOf(SECRETS);
    const { stdout, stderr } = await exporting(emulator);
    expect(stdout.match(/\$\{secret:env:[^}]+\}/g)).toEqual([
      "${secret:env:API_LINK_TOKEN}",
      "${secret:env:API_LINK_TOKEN}",
    ]);
    // Whether two encrypted values are equal, the service does not say.
    expect(stdout.match(/\$\{env:[A-Z_]*API_KEY\}/g)).toEqual(["${env:API_KEY}", "${env:WEB_API_KEY}"]);
    expect(stderr).toContain(
      "WORKSPACE_VAR_API_LINK_TOKEN  projects/api/variables/LINK_TOKEN: value; " +
        "the same value: projects/web/variables/LINK_TOKEN: value",
    );
    expect(stdout).not.toMatch(/shown-token|one and the same|another/);
  });

  it("keeps a shared variable as long as one object uses it", () => {
    const placeholders = new Placeholders();
    placeholders.add("variables/A", "value", "value", { same: "x" });
    placeholders.add("variables/B", "value", "value", { same: "x" });
    placeholders.drop("variables/A");
    expect(placeholders.needed).toEqual([{ variable: "A", name: "variables/B", arg: "value", also: [] }]);
    placeholders.drop("variables/B");
    expect(placeholders.needed).toEqual([]);
  });

  it("asks for the cron of a scheduled pipeline, not for a start date and a delay", async () => {
    const emulator = await workspaceOf(SECRETS);
    const { stdout } = await exporting(emulator, "--project", "web");
    expect(stdout).toContain("cron: ${env:WEB_NIGHTLY_CRON}");
    expect(stdout).not.toMatch(/^ +(startDate|delay):/m);
  });
});

describe("export --variables-file", () => {
  it("writes a file that only its user can read, and adds to it without changing what is set", async () => {
    const emulator = await workspaceOf(SECRETS);
    const folder = temporaryFolder();
    const [file, env] = [join(folder, "workspace.yaml"), join(folder, "workspace.env")];
    fileIn(folder, "workspace.env", "WORKSPACE_VAR_OTHER=mine\n");
    const { stderr } = await exporting(emulator, "-o", file, "--variables-file", env);
    expect(stderr).toContain(`4 variables added to ${env}`);
    expect(stderr).not.toContain("WORKSPACE_VAR_API_KEY");
    const text = readFileSync(env, "utf8");
    expect(text).toMatch(/^WORKSPACE_VAR_OTHER=mine$/m);
    expect(text).toMatch(
      /# projects\/api\/variables\/LINK_TOKEN: value; the same value: .*\nWORKSPACE_VAR_API_LINK_TOKEN=$/m,
    );
    expect(statSync(env).mode & 0o777).toBe(0o600);
    await exporting(emulator, "-o", file, "--force", "--variables-file", env);
    expect(readFileSync(env, "utf8")).toBe(text);
  });

  it("fills in what the output of terraform show -json says of the same object, and nothing ambiguous", async () => {
    const emulator = await workspaceOf(SECRETS);
    const folder = temporaryFolder();
    const variable = (values: object) => ({ mode: "managed", type: "workspace_variable", values });
    const state = {
      format_version: "1.0",
      values: {
        root_module: {
          resources: [
            variable({ key: "OTHER", value: "it's another", project: null }),
            variable({ key: "OTHER", value: "not this", project: "web" }),
            { ...variable({ key: "API_KEY", value: "read only" }), mode: "data" },
          ],
          child_modules: [
            {
              resources: [
                variable({ key: "LINK_TOKEN", value: "a", project_name: "api" }),
                variable({ key: "LINK_TOKEN", value: "b", project_name: "api" }),
              ],
            },
          ],
        },
      },
    };
    const values = fileIn(folder, "terraform.json", JSON.stringify(state));
    const env = join(folder, "workspace.env");
    const options = ["-o", join(folder, "workspace.yaml"), "--variables-file", env, "--values-from", values];
    const { stdout, stderr } = await exporting(emulator, ...options);
    const text = readFileSync(env, "utf8");
    expect(text).toContain(`WORKSPACE_VAR_OTHER='it'\\''s another'`);
    expect(text).toMatch(/^WORKSPACE_VAR_API_KEY=$/m);
    expect(text).toMatch(/^WORKSPACE_VAR_API_LINK_TOKEN=$/m);
    expect(stderr).toContain(`5 variables added to ${env}, 1 of them with the value in ${values}`);
    expect(stdout + stderr).not.toContain("another");
  });

  it("needs a file for values, and no program", async () => {
    const emulator = await workspaceOf(SECRETS);
    const lonely = await exporting(emulator, "--values-from", "terraform.json");
    expect(lonely.stderr).toContain("add --variables-file workspace.env");
    const program = await exporting(emulator, "--language", "typescript", "-o", "p", "--variables-file", "e");
    expect(program.stderr).toContain("the export prints the commands that set the values");
    const wrong = fileIn(temporaryFolder(), "terraform.json", "{}");
    const refused = await exporting(emulator, "--variables-file", "e", "--values-from", wrong);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("terraform show -json >");
  });
});

describe("export of a part", () => {
  it("writes the projects only with --project", async () => {
    const emulator = await workspaceOf(SECRETS);
    const { stdout } = await exporting(emulator, "--project", "api");
    expect(stdout).toContain("deploy:");
    expect(stdout).not.toMatch(/QA|API_KEY|web:/);
  });

  it("writes a team's file with --owns, which refers to the rest", async () => {
    const emulator =
      await workspaceOf(`${SECRETS.replace("projects:", "permissionSets: { team: { repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: DENIED, description: x } }\nmembers: { ann@example.com: {} }\nprojects:")}  shop:
    members: { ann@example.com: { permissionSet: team } }
`);
    const { stdout } = await exporting(emulator, "--owns", "projects/shop/**", "--owns", "groups/QA");
    expect(stdout).toContain("owns:\n  - projects/shop/**\n  - groups/QA\n");
    expect(stdout).toContain("permissionSets:\n  team:\n    external: true");
    expect(stdout).not.toMatch(/deploy|API_KEY/);
    const file = fileIn(temporaryFolder(), "workspace.yaml", stdout);
    expect(await run(["validate", "--offline", "-f", file], {})).toMatchObject({ code: 0 });
    const again = await exporting(emulator, "-o", file, "--owns", "projects/api/**");
    expect(again.stderr).toContain(
      'already exists, and the list "owns" in it says which part of the workspace it declares',
    );
  });
});
