/** Tests how the changes of many workspaces are grouped, and the fingerprint over all of them. */
import { describe, expect, it } from "vitest";
import {
  buildReview,
  computeFleetFingerprint,
  describeLackingSecrets,
  describeScope,
  type FleetReport,
  mergeReviews,
} from "../../../../cli/commands/fleet/outcome.js";
import type { FleetResult } from "../../../../cli/commands/fleet/result.js";
import { requireApprovedFleet } from "../../../../cli/commands/fleet/saved-reports.js";
import { found, names, notice, report, results, update, written } from "./review.js";

describe("a fleet of two teams, one with a mistake in its file", () => {
  const back = update("permissionSets/dev", "READ_WRITE", "READ_ONLY");
  const past = { ...update("permissionSets/dev", "READ_ONLY", "READ_WRITE"), class: "outside" };
  const [good] = results as [FleetResult];
  const bad: FleetResult = {
    ...{ name: "shop", file: "shop.yaml", stack: "shop", owner: "team-shop", result: "error", exitCode: 1 },
    summary:
      "shop.yaml:3:5: `labels` is unknown\n    3 | labels\n1 problem in shop.yaml; nothing was changed",
  };
  const two: FleetReport = {
    command: "preview",
    results: [{ ...good, owner: "team-web" }, bad],
    review: buildReview([{ name: good.name, data: { findings: [past, back], notes: [] } }]),
  };

  it("shows the error first and once, the owners, and a change outside in the direction of the plan", async () => {
    const text = await written("text", two);
    expect(text).toMatch(/^name .* stack +owner +result/);
    expect(text).toMatch(
      /Errors:\n! shop \(owner: team-shop\): [^]*3 \| labels[^]*permissionSets\/dev in team-000/,
    );
    expect(text.split("\n").filter((line) => line.startsWith("- shop"))).toEqual([]);
    expect(text).toMatch(/"READ_WRITE" → "READ_ONLY" +changed outside/);
    expect(text).not.toContain('"READ_ONLY" → "READ_WRITE"');
  });

  it("shows the message of an error on the page, with its commands as such", async () => {
    const page = await written("html", two);
    expect(page).toContain('<p class="path">shop.yaml:3:5: <code>labels</code> is unknown</p>');
    expect(page).toContain("owner: team-shop");
  });

  it("counts what has drifted by object, and failed workspaces", async () => {
    const data = { findings: [{ ...back, class: "changed" }], notes: [] };
    const drifted = { ...two.results[0]!, result: "drift" as const };
    const page = await written("html", {
      command: "drift",
      results: [drifted, bad],
      review: buildReview([{ name: good.name, data }]),
    });
    expect(page).toMatch(/<p id="shown" role="status">1 error, 1 changed<\/p>/);
  });
});

describe("the review of a fleet", () => {
  it.each(["text", "markdown", "html", "junit", "github", "sarif", "json"] as const)(
    "groups equal changes in %s",
    async (format) => {
      const text = await written(format);
      const longest = { json: 500_000, html: 65_536, junit: 65_536 };
      expect(text.length).toBeLessThan(longest[format as keyof typeof longest] ?? 10_000);
      expect(text.match(/READ_WRITE/g)?.length).toBeLessThan(5);
      expect(text).toContain("RUN_ONLY");
      if (format !== "json") expect(text).toContain("298 workspaces (not team-298, team-299)");
      if (format !== "json") expect(text).toContain("team-298, team-299, differs");
      expect(text.match(/gains read\/write access/g)).toHaveLength(1);
    },
  );

  it("keeps 300 workspaces with many different changes below the limit of a comment, and loses no refusal", async () => {
    const many = names.map((name, index) => ({
      name,
      data: {
        findings: Array.from({ length: 31 }, (_, at) =>
          update(`permissionSets/set-${at}`, "READ_ONLY", `level of ${at % 3 === 0 ? name : "all"}`),
        ),
        notes: index === 7 ? [notice("Guards", "would delete 12 objects", "error")] : [],
      },
    }));
    const refused = results.map((one, index): FleetResult =>
      index === 7 ? { ...one, result: "refused", plan: "refused", exitCode: 1 } : one,
    );
    const text = await written("markdown", {
      command: "preview",
      results: refused,
      review: buildReview(many),
    });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain("team-007: would delete 12 objects");
    expect(text).toMatch(/^## 🔴 Plan for 300 workspaces: .*; 1 refused, 299 ok/);
  });

  it.each(["text", "markdown", "html", "junit", "github", "sarif"] as const)(
    "shows an error of many workspaces once in %s, also of up",
    async (format) => {
      const failing = results.map((one, index): FleetResult =>
        index < 298
          ? {
              ...one,
              result: "error",
              exitCode: 1,
              summary: `GET /workspaces/${one.name}: 401 Token expired`,
            }
          : one,
      );
      const text = await written(format, { command: "up", results: failing });
      expect(text).toContain("298 workspaces (not team-298, team-299)");
      expect(text).toMatch(/\/workspaces\/\\?(<|&lt;)workspace\\?(>|&gt;): 401/);
      expect(text.match(/Token expired/g)?.length).toBeLessThan(5);
      // Each workspace is a test of JUnit.
      expect(text.length).toBeLessThan(["html", "junit"].includes(format) ? 65_536 : 6_000);
    },
  );

  it("shows a long error of up in full below the table", async () => {
    const summary = `the fleet file names a backend ${"that is far away ".repeat(6)}and cannot be used\nremedy: name another`;
    const failing = results.slice(0, 2).map((one): FleetResult => {
      return { ...one, result: "error", exitCode: 1, summary };
    });
    const text = await written("text", { command: "up", results: failing });
    expect(text.replaceAll(/\s+/g, " ")).toContain("and cannot be used remedy: name another");
    expect(text.trimEnd()).toMatch(/2 workspaces: 2 error[^\n]*$/);
  });

  describe("of a template that somebody changed by hand in two of four workspaces", () => {
    const ended = (name: string, owner: string, result: FleetResult["result"], summary: string) => ({
      ...{ name, file: `${owner}.yaml`, stack: name, owner, result, summary, exitCode: 0 },
    });
    const command = (verb: string, stack: string) =>
      `workspacectl drift ${verb} groups/Platform --stack ${stack}`;
    const drift = (name: string) => ({
      name,
      data: {
        findings: [
          {
            ...update("groups/Platform", "Platform people", "Hobby club"),
            class: "changed",
            remedies: ["accept", "revert"].map((label) => ({ label, command: command(label, name) })),
          },
        ],
        notes: [],
      },
    });
    const of: FleetReport = {
      command: "drift",
      results: [
        ended("web-us", "team-web", "drift", "1 changed"),
        ended("web-eu", "team-web", "drift", "1 changed"),
        ended("ops-us", "team-ops", "ok", "clean"),
        ended("data-us", "team-data", "error", "401 Token expired"),
      ],
      review: buildReview(["web-us", "web-eu"].map(drift)),
    };

    it("says for each workspace how to accept and how to revert it", async () => {
      const text = await written("text", of);
      for (const stack of ["web-us", "web-eu"])
        for (const verb of ["accept", "revert"])
          expect(text).toContain(`${verb} in ${stack}: ${command(verb, stack)}`);
      const shards = ["web-us", "web-eu"].map((name) => buildReview([drift(name)]));
      expect(mergeReviews([mergeReviews(shards)])).toEqual(of.review);
    });

    it("names the owners of those that have drifted", async () => {
      expect(await written("markdown", of)).toContain("- web-us, web-eu (owner: team-web): 1 changed");
    });

    it("has a test of JUnit for each workspace, which fails if it has drifted", async () => {
      const text = await written("junit", of);
      const [, own = ""] = /<testsuite name="workspaces" ([^]*?)<\/testsuite>/.exec(text) ?? [];
      expect(own).toMatch(/^tests="4" failures="2" errors="1"/);
      expect(own).toContain('classname="team-ops" name="ops-us" time="0"><system-out>clean');
      expect(own).toContain('classname="team-web" name="web-eu" time="0"><failure message="1 changed"');
      expect(text).not.toContain("nothing interrupted");
      expect(text).toContain("401 Token expired");
    });

    it.each(["sarif", "github"] as const)(
      "has no result in %s for what is as it should be",
      async (format) => {
        const text = await written(format, of);
        expect(text).toContain("Hobby club");
        expect(text).not.toContain("clean");
      },
    );
  });

  it("says of what the service does not return that it is not known, and not that it will be", async () => {
    const token = update("variables/TOKEN", "made-up", { $unknown: true });
    const of = (command: "compare" | "preview", found: string): FleetReport => ({
      command,
      results: results.slice(0, 1),
      review: buildReview([{ name: names[0]!, data: { findings: [{ ...token, class: found }], notes: [] } }]),
    });
    expect(await written("markdown", of("compare", "unverifiable"))).toContain("(not known)");
    expect(await written("markdown", of("preview", "update"))).toContain("(known later)");
  });

  it("is the same when it is made of shards", () => {
    const half = (keep: (index: number) => boolean) => buildReview(found.filter((_, index) => keep(index)));
    const merged = mergeReviews([half((index) => index < 150), half((index) => index >= 150)]);
    expect(merged).toEqual(report.review);
  });

  it("has one fingerprint over the plans that do something", () => {
    const of = (some: readonly FleetResult[]) =>
      computeFleetFingerprint({ command: "preview", results: some });
    expect(of(results)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(of(results.toReversed())).toBe(of(results));
    const [first, ...others] = results as [FleetResult, ...FleetResult[]];
    expect(of([{ ...first, plan: "nothing", fingerprint: "sha256:none" }, ...others])).toBe(of(others));
    expect(of([{ ...first, fingerprint: "sha256:other" }, ...others])).not.toBe(of(results));
    const { fingerprint: _, ...failed } = first;
    expect(of([failed, ...others])).toBeUndefined();
  });

  it("covers no secret of any workspace if the run of one lacks a secret, as the run with all of them can tell", () => {
    const plans = (secrets: readonly boolean[]) =>
      ["us", "eu"].map((name, index): FleetResult => ({
        ...{ name, file: "", stack: name, result: "ok", exitCode: 0, summary: "", plan: "changes" },
        fingerprint: `${name} ${secrets[index] ? "with" : "without"}`,
        fingerprintWithoutSecrets: `${name} without`,
      }));
    const preview = (...secrets: boolean[]) => ({ command: "preview" as const, results: plans(secrets) });
    const [whole, half] = [preview(true, true), preview(true, false)];
    const [ofWhole, ofHalf] = [whole, half].map((one) => computeFleetFingerprint(one)!) as [string, string];
    expect(ofHalf).not.toBe(ofWhole);
    expect([...requireApprovedFleet(ofWhole, whole).values()]).toEqual(["us with", "eu with"]);
    expect([...requireApprovedFleet(ofHalf, whole).values()]).toEqual(["us without", "eu without"]);
    expect(() => requireApprovedFleet(ofWhole, half)).toThrow("not the approved plans");
    expect(describeLackingSecrets(whole)).toEqual([]);
    expect(describeLackingSecrets(half)[0]?.text).toContain("the run of eu does not have all of them");
  });

  it("names workspaces by the shorter list", () => {
    expect(describeScope(["a"], ["a", "b"]).text).toBe("a");
    expect(describeScope(["a", "b"], ["a", "b"]).text).toBe("all 2 workspaces");
    expect(describeScope(names.slice(0, 100), names).text).toBe(
      "100 workspaces (team-000, team-001 and 98 more)",
    );
  });
});
