/** Tests policies: how they are found and read, and what their rules see of a file and of a plan. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PlannedObject } from "../../../automation/plan/planned-objects.js";
import { listRuleVerdicts, planVerdicts } from "../../../automation/policy/policy-file/cel-rules.js";
import { parsePolicy } from "../../../automation/policy/policy-file/policy.js";
import { readPolicies } from "../../../automation/policy/policy-file/read.js";
import { UNKNOWN } from "../../../diff/values.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import { fileIn, temporaryFolder, testIo } from "../../cli/support.js";
import { many, object } from "./guards/plan.js";

const folder = temporaryFolder();
const checkout = join(folder, "checkout");
mkdirSync(join(checkout, ".git"), { recursive: true });
const file = fileIn(
  checkout,
  "workspace.yaml",
  "version: 1\nworkspace: acme\ngroups:\n  # lint-ignore: acme/described -- not needed\n  QA: {}\n  Ops: { description: On call }\n",
);

let count = 0;
function policyOf(text: string): string {
  return fileIn(folder, `policy-${(count += 1)}.yaml`, `version: 1\n${text}`);
}

describe("a policy", () => {
  const usual = () => policyOf("guards: { maxDeletes: 5 }\n");

  it("is the one of an option, of the environment, or each of several", async () => {
    const [one, other] = [usual(), usual()];
    const pathsOf = async (policy: string[], env: NodeJS.ProcessEnv) =>
      (await readPolicies({ policy, file }, testIo(env).io)).map(({ path }) => path);
    expect(await pathsOf([], {})).toEqual([]);
    expect(await pathsOf([one], {})).toEqual([one]);
    expect(await pathsOf([], { WORKSPACE_AUTOMATION_POLICY: one })).toEqual([one]);
    expect(await pathsOf([other, one], { WORKSPACE_AUTOMATION_POLICY: one })).toEqual([one, other]);
  });

  it("that is missing, or that an empty variable names, ends the run", async () => {
    await expect(readPolicies({ policy: ["nowhere.yaml"], file }, testIo().io)).rejects.toThrow(
      "there is no policy file nowhere.yaml",
    );
    await expect(readPolicies({ file }, testIo({ WORKSPACE_AUTOMATION_POLICY: "" }).io)).rejects.toThrow(
      "WORKSPACE_AUTOMATION_POLICY is empty",
    );
  });

  it("in the checkout is refused, except on a terminal, where a note says so", async () => {
    const inside = fileIn(checkout, "policy.yaml", "version: 1\n");
    const { io, written } = testIo();
    await expect(readPolicies({ policy: [inside], file }, io)).rejects.toThrow(
      /is in the same checkout as the workspace file/,
    );
    const person = { ...io, interactive: true };
    await expect(readPolicies({ policy: [inside], file }, person)).resolves.toHaveLength(1);
    expect(written().stderr).toContain("is in the same checkout as the workspace file: CI jobs refuse that.");
    const job = { ...person, env: { CI: "true" } };
    await expect(readPolicies({ policy: [inside], file }, job)).rejects.toThrow(/same checkout/);
  });

  it("of a fleet may be in the checkout, because it only adds to others", async () => {
    const inside = fileIn(checkout, "fleet-policy.yaml", "version: 1\nguards: { maxDeletes: 3 }\n");
    const { io } = testIo({ WORKSPACE_AUTOMATION_FLEET_POLICY: inside });
    expect(await readPolicies({ policy: [usual()], file }, io)).toMatchObject([
      { guards: { maxDeletes: 5 }, ofFleet: false },
      { guards: { maxDeletes: 3 }, ofFleet: true },
    ]);
  });

  it("with mistakes is refused with all of them", () => {
    const path = policyOf(
      [
        "guards: { maxDelete: 5, protectedKinds: [Grup] }",
        "planRules:",
        "  acme/a: { description: A., remedy: B., require: later.name }",
        "  plain: { description: A., remedy: B., require: 'true' }",
        "",
      ].join("\n"),
    );
    expect(() => parsePolicy(path, false)).toThrow(/maxDeletes[\s\S]*Group[\s\S]*prefix of your own/);
    const expression = policyOf(
      "planRules:\n  acme/a: { description: A., remedy: B., require: later.name == 1 }\n",
    );
    expect(() => parsePolicy(expression, false)).toThrow(
      /policy-\d+\.yaml:3:\d+: "require" is not a valid expression: .*later/,
    );
  });
});

describe("a rule about the document", () => {
  const path = policyOf(
    [
      "documentRules:",
      "  acme/described:",
      "    description: A group has no description.",
      "    remedy: Describe it.",
      "    type: Group",
      "    require: object.description != null",
      "",
    ].join("\n"),
  );

  it("refuses a plan, whatever a comment in the file ignores", async () => {
    const found = await listRuleVerdicts([], [parsePolicy(path, false)], readDeclarations(file, { env: {} }));
    expect(found).toEqual([
      {
        guard: "acme/described",
        message: `A group has no description (${file}:5:3)`,
        objects: ["groups.QA"],
        remedy: "Describe it; no option overrides a policy",
        ignored: false,
        policy: path,
      },
    ]);
  });

  it("is omitted where the document is not read", async () => {
    expect(await listRuleVerdicts([], [parsePolicy(path, false)], undefined)).toEqual([]);
  });
});

describe("a rule about the plan", () => {
  const verdicts = (rule: Record<string, string>, objects: readonly PlannedObject[]) => {
    const lines = Object.entries({ description: "Not allowed.", remedy: "Do not.", ...rule });
    const text = [
      "planRules:",
      "  acme/rule:",
      ...lines.map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`),
      "",
    ];
    return planVerdicts(objects, parsePolicy(policyOf(text.join("\n")), false));
  };
  const named = (rule: Record<string, string>, objects: readonly PlannedObject[]) =>
    verdicts(rule, objects).flatMap((one) => one.objects);
  const action = (image: unknown): PlannedObject =>
    object(
      "update",
      "Action",
      "projects/web/pipelines/a/actions/Build",
      { type: "BUILD" },
      {
        type: "BUILD",
        containerImageName: image,
      },
    );

  it("sees each operation with its object, before and after", () => {
    const objects = [
      object("create", "Group", "groups/new", {}, { name: "new" }),
      object("delete", "Group", "groups/old", { name: "old" }),
      object("same", "Group", "groups/same"),
      object("update", "Variable", "variables/A", { value: "1" }, { value: "2" }),
    ];
    expect(named({ require: 'op != "delete"' }, objects)).toEqual(["groups/old"]);
    expect(named({ require: "before != null" }, objects)).toEqual(["groups/new"]);
    expect(named({ require: "after != null" }, objects)).toEqual(["groups/old"]);
    expect(named({ type: "Group", require: "false" }, objects)).toEqual(["groups/new", "groups/old"]);
    expect(named({ require: 'resource.type == "Group" || resource.name == "variables/B"' }, objects)).toEqual(
      ["variables/A"],
    );
    expect(named({ when: 'op == "update"', require: "before.value == after.value" }, objects)).toEqual([
      "variables/A",
    ]);
  });

  it("sees how many operations there are of each kind", () => {
    const objects = [...many("delete", 4), ...many("same", 2, "Variable", "variables")];
    expect(verdicts({ require: "summary.delete <= 3" }, objects)).toHaveLength(1);
    expect(
      verdicts({ require: "summary.delete <= 4 && summary.unchanged == 2 && summary.create == 0" }, objects),
    ).toEqual([]);
  });

  it("sees arguments that are not set as null, and those that have a default with it", () => {
    expect(
      named({ require: "after.containerImageTag == null && after.executeCommands == []" }, [action("node")]),
    ).toEqual([]);
    expect(() => named({ require: "after.containerImage == 'x'" }, [action("node")])).toThrow(
      /the rule acme\/rule cannot be evaluated for projects\/web\/pipelines\/a\/actions\/Build: No such key: containerImage/,
    );
  });

  it("sees no secret, and what is known later as such", () => {
    const secret = object(
      "create",
      "Variable",
      "variables/TOKEN",
      {},
      { key: "TOKEN", value: "in-clear", encrypted: true },
    );
    const [found] = verdicts({ require: "false", messageExpression: '"value " + after.value' }, [secret]);
    expect(found?.message).toBe("value [secret]");
    const [later] = verdicts({ require: "false", messageExpression: "after.containerImageName" }, [
      action(UNKNOWN),
    ]);
    expect(later?.message).toBe("(known later)");
  });

  it("has one refusal for each message, which names the objects", () => {
    expect(verdicts({ require: "false" }, many("delete", 3))).toEqual([
      {
        guard: "acme/rule",
        message: "Not allowed",
        objects: ["groups/groups-0", "groups/groups-1", "groups/groups-2"],
        remedy: "Do not; no option overrides a policy",
        ignored: false,
        policy: expect.stringContaining("policy-") as string,
      },
    ]);
  });

  it("applies to objects of types that this package does not know", () => {
    const bucket = object("create", "Bucket", "logs", {}, { acl: "public" });
    expect(named({ require: 'resource.type != "Bucket" || after.acl == "private"' }, [bucket])).toEqual([
      "logs",
    ]);
  });

  it("is ended when it takes too long", () => {
    const list = Array.from({ length: 60 }, (_, index) => `x${index}`).join("','");
    const loops = `['${list}'].all(a, ['${list}'].all(b, ['${list}'].all(c, ['${list}'].all(d, ['${list}'].all(e, a+b+c+d+e != '')))))`;
    expect(() => named({ require: loops }, many("delete", 1))).toThrow(/takes more than 5 seconds/);
  });
});
