/** Tests what events start and run according to a file, and what is not known. */
import { describe, expect, it } from "vitest";
import { readDeclarations, withoutSecrets } from "../../../workspace-file/load/load.js";
import { collectObjects } from "../../../workspace-file/load/objects-in-file.js";
import { decideStart, listRuns, type StartEvent } from "../../../workspace-file/runs/list-runs.js";
import { matchWildcard } from "../../../workspace-file/runs/starts.js";

const branch = (name: string): StartEvent => ({ kind: "push", ref: "branch", name });
const tag = (name: string): StartEvent => ({ kind: "push", ref: "tag", name });
const onPush = (refType: string | null, refName: string) => ({
  triggerMode: "ON_EVERY_PUSH",
  refType,
  refName,
});

describe("the start of a pipeline", () => {
  it.each([
    [onPush("BRANCH", "main"), branch("main"), "yes"],
    [onPush("BRANCH", "main"), branch("other"), "no"],
    [onPush("BRANCH", "v1"), tag("v1"), "no"],
    [onPush("TAG", "v1"), tag("v1"), "yes"],
    [onPush("TAG", "v1"), branch("v1"), "no"],
    [onPush("WILDCARD", "feature/*"), branch("feature/a"), "yes"],
    [onPush("WILDCARD", "feature/*"), branch("feature/a/b"), "not known"],
    [onPush("WILDCARD", "feature/*"), branch("main"), "no"],
    [onPush("WILDCARD", "v*"), tag("v1"), "not known"],
    [onPush("WILDCARD", "v*"), tag("1"), "no"],
    [onPush("PULL_REQUEST", "main"), branch("main"), "not known"],
    [onPush("NONE", "main"), branch("main"), "not known"],
    [onPush(null, "main"), branch("main"), "not known"],
    [onPush(null, "main"), branch("other"), "no"],
    [onPush(null, "*"), branch("other"), "not known"],
    [onPush("BRANCH", "${env:REF}"), branch("main"), "not known"],
    [onPush("BRANCH", "main"), { kind: "schedule" }, "no"],
    [onPush("BRANCH", "main"), { kind: "manual" }, "yes"],
    [{ triggerMode: "MANUAL" }, branch("main"), "no"],
    [{ triggerMode: "SCHEDULED" }, branch("main"), "no"],
    [{ triggerMode: "SCHEDULED" }, { kind: "schedule" }, "yes"],
    [{ triggerMode: "SCHEDULED", paused: true }, { kind: "schedule" }, "no"],
    [{ triggerMode: "SCHEDULED", paused: "${env:P}" }, { kind: "schedule" }, "not known"],
    [{ triggerMode: "${env:MODE}" }, { kind: "schedule" }, "not known"],
  ] as [object, StartEvent, string][])("of %j by %j: %s", (args, event, starts) => {
    expect(decideStart(args as Record<string, unknown>, event)).toMatchObject({ starts });
  });

  it("has the condition of a schedule that runs only after changes", () => {
    expect(decideStart({ triggerMode: "SCHEDULED", runAlways: true }, { kind: "schedule" })).toEqual({
      starts: "yes",
      note: "only if the branch has changed since the last run",
    });
  });
});

it.each([
  ["main", "main", "yes"],
  ["main", "Main", "no"],
  ["*", "main", "yes"],
  ["*", "a/b", "not known"],
  ["a.c", "abc", "no"],
  ["a*/c", "ab/c", "yes"],
  ["[ab]c", "ac", "not known"],
  ["x[ab]c", "ac", "no"],
  ["!main", "other", "not known"],
  ["*a*b*c*d*e*", "abcde", "not known"],
])("the wildcard %s covers %s: %s", (pattern, name, covers) => {
  expect(matchWildcard(pattern, name)).toBe(covers);
});

const text = `version: 1
variables:
  REGION: us
  TOKEN: { value: "\${env:TOKEN}", encrypted: true }
projects:
  web:
    variables: { REGION: eu, BUILD: { value: "1", settable: true } }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: A, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a.example.com, variables: { CI: "true", KEY: { external: true } } }
          - { name: B, type: AGENT, triggerTime: ON_EVERY_EXECUTION, containerImageName: n, containerImageTag: "1", executeCommands: [ls], disabled: true }
          - { name: C, type: AGENT, triggerTime: ON_FAILURE, containerImageName: n, containerImageTag: "1", executeCommands: [ls], triggerConditions: [{ x: 1 }] }
          - { name: D, type: AGENT, triggerTime: ON_WARNING, containerImageName: n, containerImageTag: "1", executeCommands: [ls] }
          - { name: E, type: SCAN, triggerTime: ON_EVERY_EXECUTION, fields: { disabled: true } }
          - { name: F, type: SMS, triggerTime: ON_FAILURE, runOnlyOnFirstFailure: true, recipients: "1" }
          - { name: G, type: SMS, triggerTime: ON_BACK_TO_SUCCESS, recipients: "1" }
  other: { external: true, pipelines: { theirs: { external: true } } }
`;

describe("a run", () => {
  const loaded = readDeclarations("-", { env: { WORKSPACE_VAR_TOKEN: "a-secret-value" }, stdin: () => text });
  const [run, ...more] = listRuns(collectObjects(withoutSecrets(loaded)), { kind: "manual" }, () => true);

  it("has actions in order, with conditions and what is not known", () => {
    expect(run?.actions).toEqual({
      always: [
        { name: "A", type: "PING" },
        { name: "E", type: "SCAN", notKnown: "the specification does not describe disabled of this type" },
      ],
      onFailure: [
        {
          name: "C",
          type: "AGENT",
          notKnown: "it has trigger conditions, which the specification does not describe",
        },
        { name: "F", type: "SMS", condition: "only if the run before did not fail" },
      ],
      onBackToSuccess: [{ name: "G", type: "SMS" }],
      notKnown: [{ name: "D", type: "AGENT", notKnown: "the specification does not say when ON_WARNING is" }],
      disabled: ["B"],
    });
  });

  it("has the variables of its scopes, without secrets", () => {
    expect(run?.variables).toEqual([
      { key: "REGION", scope: "workspace", value: "us", encrypted: false, settable: false },
      { key: "TOKEN", scope: "workspace", value: "${env:TOKEN}", encrypted: true, settable: false },
      { key: "REGION", scope: "project", value: "eu", encrypted: false, settable: false },
      { key: "BUILD", scope: "project", value: "1", encrypted: false, settable: true },
    ]);
    expect(run?.actionVariables).toMatchObject({
      A: [
        { key: "CI", value: "true" },
        { key: "KEY", value: null },
      ],
    });
    expect(run?.ambiguous).toMatchObject({ A: ["REGION"] });
    expect(JSON.stringify(run)).not.toContain("a-secret-value");
  });

  it("of a pipeline that is managed elsewhere is not known", () => {
    expect(more).toMatchObject([
      { pipeline: "theirs", starts: "not known", note: "it is managed elsewhere" },
    ]);
  });
});
