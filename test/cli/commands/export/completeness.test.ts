/** Tests that an export reads whole lists, or says that nobody can know whether they are whole. */
import { describe, expect, it } from "vitest";
import { probeReportSchema } from "../../../../cli/commands/probe/probe-report.js";
import type { EmulatorOptions } from "../../../../emulator/index.js";
import { emulated, personAt } from "../../service-support.js";
import { temporaryFolder } from "../../support.js";

const CI = "ci-token-0123456789012";
const run = { trigger_mode: "MANUAL", ref_type: "BRANCH", ref_name: "main", actions: [] };
const variables = Array.from({ length: 30 }, (_, n) => ({ key: `N${n}`, value: "x" }));

const workspace = (options: EmulatorOptions = {}) =>
  emulated({
    ...options,
    seed: {
      users: [
        { email: "olga@example.com", name: "Olga", tokens: [{}] },
        { email: "ci@example.com", name: "CI", tokens: [{ token: CI }] },
      ],
      workspaces: [
        {
          domain: "acme",
          members: [{ email: "ci@example.com", admin: false }],
          variables,
          projects: [
            {
              ...{ name: "web", display_name: "Web" },
              members: [{ email: "ci@example.com", permission_set: "DEVELOPER" }],
              pipelines: [
                { name: "deploy", hidden: true, ...run },
                { name: "test", ...run },
              ],
            },
          ],
        },
      ],
    },
  });

describe("an export", () => {
  it.each([7, 10, 20])("of a service with pages of %i items contains all of them", async (maxPerPage) => {
    const person = personAt(await workspace({ maxPerPage }));
    const { code, stdout } = await person.types(["export", "--kinds", "variables"]);
    expect([code, stdout.match(/^ {2}N\d+:/gm)?.length]).toEqual([0, 30]);
  });

  it("says what may be hidden from a token whose user is no administrator", async () => {
    const person = personAt(await workspace());
    person.env["WORKSPACE_AUTOMATION_TOKEN"] = CI;
    const { code, stdout, stderr } = await person.types(["export", "--kinds", "pipelines"]);
    expect(stdout).toContain("test:");
    expect(stdout).not.toContain("deploy:");
    expect(stderr).toMatch(/Pipeline: perhaps more exist that are hidden from this token.*administrator/);
    expect(code).toBe(10);
  });
});

describe("a probe", () => {
  it("finds the largest page in a list that is as long as others", async () => {
    const person = personAt(await workspace({ maxPerPage: 10 }));
    person.env["WORKSPACE_AUTOMATION_JOURNAL"] = temporaryFolder();
    const { stdout } = await person.types(["probe", "--json"]);
    const { assumptions } = probeReportSchema.parse(JSON.parse(stdout));
    expect(assumptions.find(({ id }) => id === "page-size")).toMatchObject({
      verdict: "differs",
      found: "a page has at most 10 items",
    });
  });
});
