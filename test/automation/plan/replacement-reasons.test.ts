/** Tests what a plan shows next to the changes: reasons for replacements and releases, and write-only values. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, it } from "vitest";
import { formatSummaryOf, printUnverifiable } from "../../../reports/plan/print-plan.js";
import { testIo } from "../../cli/support.js";
import { done, printed, type Properties, SECRET, told, UNKNOWN } from "../events.js";

describe("a plan", () => {
  it("gives a reason for a replacement without a visible cause: the parent, a secret or the engine", () => {
    const state = (id: string, more: object) => ({ ...more, id });
    const replace = (event: EngineEvent, id: string, outputs: Properties = {}) => {
      Object.assign(event.resOutputsEvent?.metadata.old ?? {}, state(id, { outputs }));
      return event;
    };
    const web = replace(
      done(
        "replace",
        ["Project", "projects/web"],
        { name: "web", customRepoUser: "a" },
        { name: "web", customRepoUser: "b" },
        { keys: ["customRepoUser"] },
      ),
      "acme/web",
    );
    const deploy = replace(
      done(
        "replace",
        ["Pipeline", "projects/web/pipelines/deploy"],
        { project: "web", projectId: "acme/web" },
        { project: "web", projectId: UNKNOWN },
        { keys: ["project"] },
      ),
      "acme/web/7",
    );
    const build = replace(
      done(
        "replace",
        ["Action", "projects/web/pipelines/deploy/actions/Build"],
        { pipeline: 7 },
        { pipeline: UNKNOWN },
        { keys: ["pipeline"] },
      ),
      "acme/7/9",
      { pipelineId: 7 },
    );
    const region = replace(
      done("replace", ["Variable", "variables/A"], { value: SECRET }, { value: SECRET }, { keys: ["value"] }),
      "acme/1",
    );
    const asked = replace(done("replace", ["Group", "groups/QA"], { name: "QA" }, { name: "QA" }), "acme/2");
    const events = [build, deploy, web, region, asked];
    expect(printed(events)).toMatchInlineSnapshot(`
      "± group QA
          forces the replacement: its replacementTrigger changes, or something that it depends on is replaced
      ± project web
          customRepoUser  "a" → "b"  forces the replacement
        ± pipeline deploy
            projectId  "acme/web" → (known later)
            forces the replacement: project is replaced (Project projects/web)
          ± action Build
              pipeline  7 → (known later)  forces the replacement: pipeline is replaced (Pipeline projects/web/pipelines/deploy)
      ± variable A
          forces the replacement: value changes (its value is secret)
      "
    `);
    expect(told(events).steps.map(({ name, reasons }) => [name, ...reasons.map(({ text }) => text)])).toEqual(
      [
        ["groups/QA", "its replacementTrigger changes, or something that it depends on is replaced"],
        ["projects/web", "customRepoUser changes"],
        ["projects/web/pipelines/deploy", "project is replaced (Project projects/web)"],
        [
          "projects/web/pipelines/deploy/actions/Build",
          "pipeline is replaced (Pipeline projects/web/pipelines/deploy)",
        ],
        ["variables/A", "value changes (its value is secret)"],
      ],
    );
  });

  it("names the engine's own reason for a replacement", () => {
    const keys = ["deletedWith", "id", "replaceWith", "provider"];
    const events = keys.map((key) => done("replace", ["Group", `groups/${key}`], {}, {}, { keys: [key] }));
    expect(told(events).steps.flatMap(({ reasons }) => reasons.map(({ text }) => text))).toEqual([
      "the object in its deletedWith is replaced",
      "Pulumi was asked to replace it (state taint, or --replace)",
      "its provider is another one",
      "an object in its replaceWith is replaced",
    ]);
  });

  it("marks a nested value that forces a replacement", () => {
    const text = printed([
      done("replace", ["Action", "a"], { at: [{ x: 1 }] }, { at: [{ x: 2 }] }, { keys: ["at"] }),
    ]);
    expect(text).toContain("at[0].x  1 → 2  forces the replacement");
  });

  it("releases separate members when their group becomes exclusive", () => {
    const member = "groups/QA/members/ann@example.com";
    const events = [
      done("update", ["Group", "groups/QA"], { name: "QA" }, { name: "QA", members: [1], exclusive: true }),
      done("delete", ["GroupMember", member], { group: 5, member: 1 }),
      done("delete", ["GroupMember", "groups/Other/members/ann@example.com"], { group: 6, member: 1 }),
    ];
    expect(formatSummaryOf(told(events), "plan")).toBe(
      "0 to create, 1 to update, 1 to delete, 1 to release (not deleted), 0 unchanged",
    );
  });
});

describe("write-only values", () => {
  const nightly = ["Pipeline", "projects/web/pipelines/nightly"] as [string, string];
  const schedule = { name: "nightly", triggerMode: "SCHEDULED", cron: "0 2 * * *", paused: true };
  const events = [
    done("same", nightly, schedule, schedule),
    done("create", ["Pipeline", "projects/web/pipelines/new"], undefined, schedule),
  ];

  it("are those of existing objects that the service never returns", () => {
    expect(told(events).unverifiable.map(({ name, path }) => [name, path])).toEqual([
      [nightly[1], "cron"],
      [nightly[1], "paused"],
    ]);
  });

  it("exclude values that the service returns in masked form", () => {
    const args = { key: "A", value: SECRET, encrypted: true };
    const event = (outputs: Properties) => {
      const same = done("same", ["Variable", "variables/A"], args, args);
      Object.assign(same.resOutputsEvent?.metadata.new ?? {}, { outputs });
      return told([same]).unverifiable.length;
    };
    expect(event({ observed: { value: "secure!abc" } })).toBe(0);
    expect(event({})).toBe(1);
  });

  it("are listed on request", () => {
    const { io, written } = testIo();
    printUnverifiable(told(events).unverifiable, {}, io);
    printUnverifiable(told(events).unverifiable, { unverifiable: true }, io);
    printUnverifiable([], {}, io);
    expect(written().stdout).toMatchInlineSnapshot(`
      "Not verifiable, because the service never returns them:
        projects/web/pipelines/nightly: cron, paused
      "
    `);
  });
});
