/** Tests what the reports of a fleet show first, where, and with which command. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildReview } from "../../../../cli/commands/fleet/outcome.js";
import type { FleetResult } from "../../../../cli/commands/fleet/result.js";
import { requireApprovedFleet } from "../../../../cli/commands/fleet/saved-reports.js";
import { createGroup, names, notice, report, results, update, written } from "./review.js";

describe("the reports of a fleet", () => {
  it("shows requests only where they are not enough, and then says so in each form", async () => {
    const [short, enough] = [
      "about 7 to apply it; 990 of 5000 left",
      "about 8 to apply it; 4000 of 5000 left",
    ];
    const review = buildReview([
      { name: names[0]!, data: { findings: [], notes: [notice("requests", short, "error")] } },
      { name: names[1]!, data: { findings: [], notes: [notice("requests", enough)] } },
    ]);
    for (const format of ["text", "markdown", "html", "junit", "github", "json"] as const) {
      const text = await written(format, { command: "preview", results: results.slice(0, 2), review });
      expect(text).toContain(short);
      expect(text).not.toContain(enough);
    }
  });

  it("puts annotations at the line of a problem, once for a file that two workspaces share", async () => {
    const place = { file: "teams/web.yaml", line: 12, column: 5 };
    const problem = {
      ...notice("problems", "teams/web.yaml:12:5: error: `labels` is unknown", "error"),
      place,
    };
    const two = results
      .slice(0, 2)
      .map((one): FleetResult => ({ ...one, result: "error", exitCode: 1, summary: "1 error" }));
    const review = buildReview(two.map(({ name }) => ({ name, data: { findings: [], notes: [problem] } })));
    const checked = await written("github", { command: "lint", results: two, review });
    expect(checked.match(/^::error file=teams\/web.yaml,line=12,col=5,/gm)).toHaveLength(1);
    expect(checked).not.toContain("line=1,");
    const failed = two.slice(0, 1).map((one): FleetResult => ({ ...one, location: place }));
    expect(await written("github", { command: "preview", results: failed })).toContain(
      "::error file=teams/web.yaml,line=12,col=5,title=fleet error::",
    );
  });

  it("marks workspaces that failed in another way than objects that are deleted", async () => {
    const [one, two, three] = results as [FleetResult, FleetResult, FleetResult];
    const gone = { ...update("groups/Old", "a", "b"), class: "delete", path: "", pathParts: [] };
    const text = await written("text", {
      command: "preview",
      results: [
        { ...one, result: "refused", exitCode: 1, summary: "2 to create" },
        { ...two, result: "error", exitCode: 1, summary: "401 Token expired" },
        three,
      ],
      review: buildReview([{ name: three.name, data: { findings: [gone], notes: [] } }]),
    });
    expect(text).toMatch(/^Errors:\n! team-001: 401 Token expired$/m);
    expect(text).toMatch(/^! team-000 {2}2 to create$/m);
    expect(text).toMatch(/^- groups\/Old in team-002/m);
  });

  it("says how long the run took, and not its slowest workspace", async () => {
    expect(await written("text", { ...report, seconds: 23.7 })).toMatch(/\(23\.7 s\)\.\n$/);
  });

  it("prints the command that applies these plans, with the options of each workspace behind it", async () => {
    const again = { args: ["--only", "team-*"], more: ["--delete-project", "shop"] };
    expect((await written("text", { ...report, again })).replaceAll(/\s+/g, " ")).toMatch(
      /workspacectl fleet up --only 'team-\*' --approved sha256:[0-9a-f]{64} -- --delete-project shop/,
    );
  });

  it("names everybody who gets access before it shows what is created, administrators first", async () => {
    const fleets = fc.record({
      teams: fc.integer({ min: 1, max: 60 }),
      members: fc.integer({ min: 1, max: 30 }),
      last: fc.nat(),
      script: fc.integer({ min: 1, max: 3_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fleets, async ({ teams, members, last, script }) => {
        const some = results.slice(0, teams);
        const admin = "eve@evil.example becomes an administrator";
        const lineOf = (name: string, at: number) => `person-${at}@${name}.example becomes a member of shop`;
        const plans = some.map(({ name }, index) => ({
          name,
          data: {
            findings: [createGroup(`groups/${name}`, "x".repeat(script))],
            notes: [
              ...Array.from({ length: members }, (_, at) => ({
                ...notice("access", lineOf(name, at)),
                rank: 8,
              })),
              ...(index === last % teams ? [{ ...notice("access", admin), rank: 0 }] : []),
            ],
          },
        }));
        const text = (
          await written("markdown", { command: "preview", results: some, review: buildReview(plans) })
        ).replaceAll("&#8203;", "");
        expect(text.length).toBeLessThan(65_536);
        expect(text.slice(text.indexOf("**access**")).split("\n")[2]).toContain(admin);
        const hasAll = some.every(({ name }) =>
          Array.from({ length: members }, (_, at) => lineOf(name, at)).every((line) => text.includes(line)),
        );
        const showsCreated = /^(~~~yaml|- (\d+ )?groups? `)/m.test(text);
        expect(hasAll || !showsCreated).toBe(true);
        // Room is not given away.
        expect(hasAll || text.length > 30_000).toBe(true);
      }),
      { numRuns: 8 },
    );
  });

  it("needs no approval when nothing is left to do", () => {
    const nothing = results.map((one): FleetResult => ({ ...one, plan: "nothing" }));
    const run = (some: readonly FleetResult[]) => () =>
      requireApprovedFleet("sha256:approved", { command: "preview", results: some });
    expect(run(nothing)).not.toThrow();
    expect(run([...nothing.slice(1), results[0]!])).toThrow("these are not the approved plans");
  });
});
