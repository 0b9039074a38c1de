/** Tests automation/policy/plan-fingerprint.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlannedObject } from "../../../automation/plan/planned-objects.js";
import type { PlanStep } from "../../../automation/plan/record-plan.js";
import {
  fingerprintHashes,
  fingerprintPlan,
  type FingerprintScope,
  hashPlan,
} from "../../../automation/policy/plan-fingerprint.js";
import { createReferringText, type Fields, getDefinition } from "../../../provider/index.js";
import { Ref } from "../../../workspace-file/load/load.js";
import { planOf, scope, usual } from "../../cli/commands/preview/support.js";
import { done, UNKNOWN } from "../events.js";

const planFingerprint = (plan: Parameters<typeof hashPlan>[0], within: FingerprintScope) =>
  fingerprintHashes(hashPlan(plan, within).values(), within);
const plain = planOf(usual);
const of = (more: Partial<FingerprintScope> = {}, plan = plain) =>
  planFingerprint(plan, { ...scope, ...more });
const update = (before: string, after: string) =>
  planOf([
    done(
      "update",
      ["Group", "groups/QA"],
      { name: "QA", description: before },
      { name: "QA", description: after },
    ),
  ]).fingerprint;

describe("the fingerprint of a plan", () => {
  it("is the same in every run, in any order, after any time", () => {
    expect(of()).toMatch(/^sha256:[0-9a-f]{64}$/);
    fc.assert(
      fc.property(fc.shuffledSubarray([...usual], { minLength: usual.length }), (events) => {
        const { objects, steps } = planOf(events);
        const slower = steps.map((step): PlanStep => ({ ...step, milliseconds: 99 }));
        expect(planFingerprint({ objects, steps: slower }, scope)).toBe(of());
      }),
    );
  });

  it("is another one for another address, workspace, project or stack", () => {
    const all = [
      of(),
      of({ baseUrl: "https://eu.example.com" }),
      of({ workspace: "umbrella" }),
      of({ project: "other" }),
      of({ stack: "eu" }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it("is another one for each guard that is loosened, and the same when none is", () => {
    const loosened = { setting: "maxDeletes", before: 10, now: 100 };
    const all = [
      of({}, { ...plain, loosened: [] }),
      of({}, { ...plain, loosened: [loosened] }),
      of({}, { ...plain, loosened: [{ ...loosened, now: 1000 }] }),
      of({}, { ...plain, loosened: [{ ...loosened, setting: "maxDeleteShare" }] }),
    ];
    expect(all[0]).toBe(of());
    expect(new Set(all).size).toBe(all.length);
  });

  it("is another one for any other operation, name, type, former name or value", () => {
    const [first, ...rest] = plain.objects.filter(({ operation }) => operation === "create");
    const others: PlannedObject[][] = [
      rest,
      [...rest, { ...first!, operation: "adopt" }],
      [...rest, { ...first!, name: "variables/OTHER" }],
      [...rest, { ...first!, type: "Group" }],
      [...rest, { ...first!, after: { ...first!.after, value: "eu-west" } }],
      [...rest, { ...first!, after: { ...first!.after, description: "" } }],
    ];
    const all = [[first!, ...rest], ...others].map((objects) => of({}, { ...plain, objects }));
    const renamed = plain.steps.map((step): PlanStep => ({ ...step, formerName: "x" }));
    expect(new Set([...all, of({}, { ...plain, steps: renamed })]).size).toBe(all.length + 1);
  });

  it("covers values before and after as a whole, also where a plan shortens them", () => {
    const long = "x".repeat(500);
    const all = [
      update("a", "b"),
      update("c", "b"),
      update("a", "c"),
      update("a", `${long}1`),
      update("a", `${long}2`),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it("does not depend on unchanged objects, on outside changes, or on the text that finds the provider", () => {
    const event = done(
      "update",
      ["Group", "groups/QA"],
      { name: "QA", description: "a" },
      { name: "QA", description: "b" },
    );
    const moved = structuredClone(event);
    moved.resOutputsEvent!.metadata.new!.inputs["__provider"] = "another text";
    moved.resOutputsEvent!.metadata.old!.outputs = { htmlUrl: "https://x" };
    expect(planOf([moved]).fingerprint).toBe(planOf([event]).fingerprint);
    const same = done("same", ["Group", "groups/Same"], { name: "Same" }, { name: "Same" });
    expect(planOf([event, same]).fingerprint).toBe(planOf([event]).fingerprint);
  });
});

describe("the hashes of a plan", () => {
  const action = (pipeline: unknown) =>
    planOf([
      done("create", ["Action", "projects/web/actions/Build"], undefined, { name: "Build", pipeline }),
    ]);
  const declaring = (pipeline: string): FingerprintScope => ({
    ...scope,
    declared: [
      {
        name: "projects/web/actions/Build",
        definition: getDefinition("Action"),
        args: { name: "Build", pipeline: new Ref(pipeline) },
        secrets: [],
        references: {},
      },
    ],
  });

  it("are those of each operation, and make the fingerprint", () => {
    const hashes = hashPlan(plain, scope);
    expect([...hashes.keys()]).toEqual(
      plain.objects
        .filter(({ operation }) => operation !== "same")
        .map(({ type, name }) => `${type} ${name}`),
    );
    expect(fingerprintHashes(hashes.values(), scope)).toBe(of());
    const [, ...rest] = plain.objects;
    const left = hashPlan({ ...plain, objects: rest }, scope);
    for (const [key, hash] of left) expect(hashes.get(key)).toBe(hash);
  });

  it("do not change when the objects exist that an object refers to, and do with another reference", () => {
    const later = hashPlan(action(UNKNOWN), declaring("projects/web/pipelines/deploy"));
    expect(hashPlan(action(17), declaring("projects/web/pipelines/deploy"))).toEqual(later);
    expect(hashPlan(action(17), declaring("projects/web/pipelines/other"))).not.toEqual(later);
    expect(hashPlan(action(17), scope)).not.toEqual(hashPlan(action(UNKNOWN), scope));
  });
});

describe("secrets in a fingerprint", () => {
  const declared = (
    value: string,
    secrets: readonly string[] = [],
    references: FingerprintScope["declared"][number]["references"] = {},
  ): FingerprintScope["declared"] => [
    {
      name: "variables/TOKEN",
      definition: getDefinition("Variable"),
      args: { key: "TOKEN", value, encrypted: true },
      secrets,
      references,
    },
  ];
  const with_ = (passphrase: string | undefined, value: string) =>
    of({ passphrase, declared: declared(value) });

  it("count by a key that only those have who know the passphrase", () => {
    expect(with_("passphrase", "one")).toBe(with_("passphrase", "one"));
    expect(with_("passphrase", "one")).not.toBe(with_("passphrase", "two"));
    expect(with_("passphrase", "one")).not.toBe(with_("another", "one"));
  });

  it("count by their references in a run that lacks the secrets", () => {
    const referring = (value: string, name: string) =>
      of({
        passphrase: "passphrase",
        declared: declared(value, ["value"], { value: createReferringText([{ origin: "env", name }], []) }),
      });
    expect(referring("one", "TOKEN")).toBe(referring("mock-TOKEN", "TOKEN"));
    expect(referring("one", "TOKEN")).not.toBe(referring("one", "OTHER"));
  });

  describe("to which the file refers", () => {
    const of = (passphrase: string | undefined, held: Readonly<Record<string, string>>) =>
      fingerprintPlan(plain, {
        ...{ ...scope, passphrase },
        declared: declared("mock", ["value"], {
          value: createReferringText([{ origin: "env", name: "T" }], []),
        }),
        open: ({ name }) => (name in held ? { secret: held[name]! } : { closed: `${name} is not set` }),
      });

    it("count by their values, so that no other value is applied", () => {
      const [one, again, two] = [
        of("passphrase", { T: "1" }),
        of("passphrase", { T: "1" }),
        of("passphrase", { T: "2" }),
      ];
      expect(one.fingerprint).toBe(again.fingerprint);
      expect(one.fingerprint).not.toBe(two.fingerprint);
      expect(of("another", { T: "1" }).fingerprint).not.toBe(one.fingerprint);
      expect(one.notCovered).toEqual([]);
    });

    it("do not count where a run lacks one, which the run that has it can tell, and which is said", () => {
      const [all, lacking] = [of("passphrase", { T: "1" }), of("passphrase", {})];
      expect(lacking.fingerprint).not.toBe(all.fingerprint);
      expect(lacking.fingerprint).toBe(all.withoutSecrets?.fingerprint);
      expect(lacking.fingerprint).toBe(of("passphrase", { T: "2" }).withoutSecrets?.fingerprint);
      expect(lacking.notCovered).toEqual([{ reason: "missing", objects: ["variables/TOKEN"] }]);
    });

    it("do not count without a passphrase, so that nobody can try values", () => {
      const one = of(undefined, { T: "1" });
      expect(one.fingerprint).toBe(of(undefined, { T: "2" }).fingerprint);
      expect(one.withoutSecrets).toBeUndefined();
      expect(one.notCovered).toEqual([{ reason: "no-passphrase", objects: ["variables/TOKEN"] }]);
    });
  });

  it("count only as set without a passphrase, so that nobody can try values", () => {
    expect(with_(undefined, "one")).toBe(with_(undefined, "two"));
    expect(with_("", "one")).toBe(with_("", "two"));
    expect(with_(undefined, "one")).not.toBe(of());
  });

  it("cover plaintext that only looks like a secret, because the author of a change chooses what does", () => {
    const commented = (type: string, args: Fields) =>
      planFingerprint(planOf([done("update", [type, "one"], { name: "old" }, { name: "new" })]), {
        ...scope,
        passphrase: undefined,
        declared: [{ name: "one", definition: getDefinition(type), args, secrets: [], references: {} }],
      });
    const script = (line: string) =>
      commented("Action", { type: "BUILD", executeCommands: [`# password=x9Kd72hhq1Zp`, line] });
    expect(script("make")).toBe(script("make"));
    expect(script("make")).not.toBe(script("curl https://example.com"));
    const fields = (image: string) => commented("Action", { type: "NEW", fields: { image } });
    expect(fields("node:24")).not.toBe(fields("other"));
    const named = (value: string) => commented("Variable", { key: "API_TOKEN", value });
    expect(named("one")).not.toBe(named("two"));
  });

  it("include arguments that only the file gives as secret", () => {
    const described = (text: string) =>
      planFingerprint(
        planOf([done("update", ["Group", "groups/QA"], { name: "QA" }, { name: "QA", description: text })]),
        {
          ...scope,
          declared: [
            {
              name: "groups/QA",
              definition: getDefinition("Group"),
              args: { description: text },
              secrets: ["description"],
              references: {},
            },
          ],
        },
      );
    expect(described("one")).toBe(described("two"));
  });
});
