/** Tests on the real engine that a change which loosens its own guards is seen, and refused by a policy. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FILE, policyWorld } from "./policy-world.js";
import { type Ended, workspacectl } from "./support.js";

/** What a pull request changes: its guards, and what they refuse. */
const HOSTILE = FILE.replace(
  /guards: .*/,
  'guards: { maxDeletes: 100, allowDelete: ["**"], sectionDeletion: allow }',
)
  .replace(/permissionSets:\n.*\n/, "")
  .replace(", protect: true", "");

const { folder, edit, policy, file, env, run, writes } = await policyWorld();

interface Report {
  readonly fingerprint: string;
  readonly result: string;
  readonly loosened: { readonly setting: string }[];
  readonly guards: { readonly guard: string; readonly policy?: string; readonly ignored: boolean }[];
}
const reported = ({ stdout }: Ended) => JSON.parse(stdout) as Report;

describe.sequential("a pull request that loosens its own guards", () => {
  it("changes nothing in a preview of the file as it was applied", async () => {
    const { stdout } = await run("preview", "--json", "--policy", policy);
    expect(JSON.parse(stdout)).toMatchObject({ result: "nothing", loosened: [], guards: [] });
  });

  it("is refused by the policy, and by nothing else", async () => {
    writeFileSync(file, HOSTILE);
    expect(reported(await run("preview", "--json")).guards).toEqual([]);
    const refused = await run("preview", "--strict-guards", "--json", "--policy", policy);
    expect(refused.code).toBe(1);
    expect(reported(refused).guards).toMatchObject([{ guard: "protected-kind", policy, ignored: false }]);
    for (const options of [
      ["--ignore-guard", "protected-kind"],
      ["--max-deletes", "100", "--max-delete-share", "100"],
    ]) {
      const { code, stderr } = await run("up", "--yes", ...options, "--policy", policy);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`(policy ${policy})`) as string,
      });
    }
    expect(writes()).toEqual([]);
  });

  it("is red without a policy, in every form, and has another fingerprint", async () => {
    // The same operations, with the guards as they were.
    writeFileSync(file, HOSTILE.replace(/guards: .*/, /guards: .*/.exec(FILE)![0]));
    const honest = reported(await run("preview", "--json", "--allow-delete", "permissionSets/*"));
    writeFileSync(file, HOSTILE);
    const formats = ["markdown", "html", "junit", "github"].flatMap((form) => [
      "--format",
      `${form}=${join(folder, form)}`,
    ]);
    const previewed = await run("preview", ...formats, "--format", "json", "--strict-guards");
    expect(previewed.code).toBe(0);
    const report = reported(previewed);
    expect(report.loosened.map(({ setting }) => setting)).toEqual([
      "maxDeletes",
      "allowDelete",
      "protectedKinds",
      "minimumAdmins",
      "protect",
    ]);
    expect(report.fingerprint).not.toBe(honest.fingerprint);
    expect(honest.loosened.map(({ setting }) => setting)).toEqual(["protect"]);
    expect(previewed.stderr).toContain(
      "Guards that are looser than at the last up:\n  maxDeletes: 2 → 100\n  allowDelete: (none) → **\n",
    );
    const texts = Object.fromEntries(
      ["markdown", "html", "junit", "github"].map((form) => [form, readFileSync(join(folder, form), "utf8")]),
    );
    expect(texts["markdown"]).toMatch(
      /^## 🔴 Plan: 0 to create, 0 to update, 1 to delete.*; loosens 5 guards/,
    );
    expect(texts["html"]).toContain("maxDeletes: 2 → 100");
    expect(texts["junit"]).toContain('failures="5"');
    expect(texts["github"]).toContain("::error title=plan loosened::maxDeletes: 2 → 100");
    const approved = await run("up", "--yes", "--approved", honest.fingerprint);
    expect(approved.code).toBe(1);
    expect(approved.stderr).toContain("this is not the approved plan, nothing was changed");
    expect(writes()).toEqual([]);
  });
});

describe.sequential("the record", () => {
  it("is one output of the stack, and no difference for Pulumi", async () => {
    const shown = await run("pulumi", "--", "stack", "output", "--json", "--stack", "dev");
    expect(JSON.parse(shown.stdout)).toEqual({
      "workspacectl:guards": {
        entries: {},
        file: {
          maxDeletes: 2,
          maxDeleteShare: 100,
          sectionDeletion: "allow",
          protectedKinds: ["PermissionSet"],
          minimumAdmins: 1,
        },
      },
    });
  });

  it("is written by an up that changes nothing else, once, without a request that writes", async () => {
    writeFileSync(file, FILE.replace("maxDeletes: 2", "maxDeletes: 1"));
    expect((await run("up", "--yes")).stderr).toContain("The state now contains the guards of ");
    expect((await run("up", "--yes")).stderr).not.toContain("The state now contains the guards of ");
    writeFileSync(file, FILE);
    expect(reported(await run("preview", "--json"))).toMatchObject({
      result: "changes",
      loosened: [{ setting: "maxDeletes", before: 1, now: 2 }],
    });
    expect((await run("up", "--yes")).code).toBe(0);
    expect(reported(await run("preview", "--json"))).toMatchObject({ result: "nothing", loosened: [] });
    expect(writes()).toEqual([]);
  });

  it("is left as it is by a preview, a refresh, an import, and an up or a destroy that is refused", async () => {
    await edit("POST", "/groups", { name: "D" });
    writeFileSync(
      file,
      FILE.replace(/guards: .*/, "guards: {}").replace("variables:", "  D: {}\nvariables:"),
    );
    expect(await run("import")).toMatchObject({ code: 0 });
    writeFileSync(file, HOSTILE);
    const refused = await run("destroy", "--yes", "--policy", policy);
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).toContain(
      "Guards that are looser than at the last up:\n  maxDeletes: 2 → 100\n",
    );
    await run("preview", "--save-plan", join(folder, "plan.json"));
    expect(await run("refresh")).toMatchObject({ code: 0 });
    await run("up", "--yes", "--policy", policy);
    expect(reported(await run("preview", "--json")).loosened).toHaveLength(5);
  });

  it("is written with a saved plan, and with a plan of some objects", async () => {
    const plan = join(folder, "plan.json");
    const changed = FILE.replace("REGION: us", "REGION: eu").replace("maxDeletes: 2", "maxDeletes: 1");
    writeFileSync(file, changed);
    await run("preview", "--save-plan", plan);
    expect(await run("up", "--yes", "--plan", plan)).toMatchObject({ code: 0 });
    writeFileSync(
      file,
      changed.replace("REGION: eu", "REGION: us").replace("maxDeletes: 1", "maxDeletes: 0"),
    );
    expect(await run("up", "--yes", "--only", "variables/**")).toMatchObject({ code: 0 });
    writeFileSync(file, FILE);
    expect(reported(await run("preview", "--json")).loosened).toMatchObject([{ before: 0, now: 2 }]);
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
  });

  it("is absent in a stack of an earlier release: nothing is said, and the next up writes it", async () => {
    const exported = JSON.parse((await run("pulumi", "--", "stack", "export", "--stack", "dev")).stdout) as {
      deployment: { resources: { outputs?: object }[] };
    };
    delete exported.deployment.resources[0]!.outputs;
    const old = join(folder, "old.json");
    writeFileSync(old, JSON.stringify(exported));
    expect(await run("pulumi", "--", "stack", "import", "--stack", "dev", "--file", old)).toMatchObject({
      code: 0,
    });
    writeFileSync(file, FILE.replace("maxDeletes: 2", "maxDeletes: 3"));
    expect(reported(await run("preview", "--json"))).toMatchObject({ result: "nothing", loosened: [] });
    expect((await run("up", "--yes")).code).toBe(0);
    writeFileSync(file, FILE.replace("maxDeletes: 2", "maxDeletes: 4"));
    expect(reported(await run("preview", "--json")).loosened).toHaveLength(1);
    writeFileSync(file, FILE);
    expect((await run("up", "--yes")).code).toBe(0);
  });
});

it("the record of the plugin's engine is the same output", async () => {
  const other = join(folder, "plugin");
  mkdirSync(other);
  writeFileSync(
    join(other, "workspace.yaml"),
    "version: 1\nworkspace: acme\nguards: { maxDeletes: 1 }\ngroups: { P: {} }\n",
  );
  const inOther = (...argv: string[]) =>
    workspacectl([...argv, "--engine", "plugin", "--stack", "plugin"], other, env);
  expect(await inOther("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });
  writeFileSync(join(other, "workspace.yaml"), "version: 1\nworkspace: acme\ngroups: { P: {} }\n");
  expect(reported(await inOther("preview", "--json")).loosened).toMatchObject([{ setting: "maxDeletes" }]);
});
