/** Tests every known way around the guards against every guard. docs/guards.md shows the same table. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFile, readHead } from "../../../../automation/connection/file-facts.js";
import { addListed } from "../../../../automation/plan/contained-objects.js";
import type { PlannedObject } from "../../../../automation/plan/planned-objects.js";
import { evaluateGuards, guards } from "../../../../automation/policy/guards/judge.js";
import { type GuardCode, guardCodes, type Judged } from "../../../../automation/policy/guards/types.js";
import { withFlagsOf } from "../../../../automation/saved-plan/apply.js";
import { listChildArguments } from "../../../../cli/commands/fleet/workspace-command.js";
import type { GuardSettings } from "../../../../workspace-file/index.js";
import { fileIn, temporaryFolder } from "../../../cli/support.js";
import { plainPulumi } from "./plain-pulumi.js";
import { many, member, object, refusing } from "./plan.js";

/** A plan that the guard must refuse, or the reason why none exists. */
type Cell = string | { readonly objects: readonly PlannedObject[]; readonly more?: Partial<Judged> };
type Row = Readonly<Record<GuardCode, Cell>>;
type Operation = "delete" | "replace";

const others = many("same", 40, "Variable", "variables");
const files = { file: "other.yaml", appliedFrom: "workspace.yaml" };
const ann = { email: "ann@example.com", admin: true, memberId: 7 };
const byHand = [
  {
    type: "Action",
    name: "projects/web/pipelines/deploy/actions/a",
    within: "projects/web/pipelines/deploy",
  },
];
const settled = { settings: { requiredAdmins: [ann.email], minimumAdmins: 1 } };

/** Applies the operation to objects of all kinds, and adds other planned objects. */
function going(operation: Operation, beside: readonly PlannedObject[] = []): Row {
  const cell = (objects: readonly PlannedObject[], more: Partial<Judged> = {}): Cell => ({
    objects: [...objects, ...beside],
    more,
  });
  const bob = { email: "bob@example.com", admin: false };
  const person = object(operation, "WorkspaceMember", "members/ann@example.com", ann, bob);
  const inProject = object(operation, "ProjectMember", "projects/web/members/ann@example.com", {
    memberId: 7,
  });
  const pipeline = object(operation, "Pipeline", "projects/web/pipelines/deploy");
  return {
    "other-file": cell(many(operation, 30), files),
    "not-owned": cell([...others, object(operation, "Group", "groups/QA")], { owns: ["variables/**"] }),
    "project-deletion": cell([...others, object(operation, "Project", "projects/web")]),
    "protected-object": cell([...others, { ...object(operation, "Group", "groups/QA"), protected: true }]),
    "protected-kind": cell([...others, object(operation, "Group", "groups/QA")], {
      settings: { protectedKinds: ["Group"] },
    }),
    "max-deletes": cell([...others, ...many(operation, 11)]),
    "max-delete-share": cell([...many(operation, 4), ...many("same", 4, "Variable", "variables")]),
    "whole-section": cell([...others, ...many(operation, 2)]),
    "unmanaged-contents": cell([...others, pipeline], { contents: byHand }),
    "perhaps-hidden": cell([...others, pipeline], { hidden: ["projects/web"] }),
    "used-object": cell([...others, pipeline], { uses: [{ name: pipeline.name, by: ["web/members/ann"] }] }),
    "own-access": cell([...others, inProject], { callerId: 7 }),
    "required-admins": cell([...others, person], settled),
    "minimum-admins": cell([...others, person], settled),
  };
}

/** Plans an update that empties the list of an exclusive group or project. */
async function emptied(type: string, name: string, listed: string, count: number): Promise<PlannedObject[]> {
  const parent = object("update", type, name, {}, { exclusive: true, members: [] });
  const people = Array.from({ length: count }, (_, index) => ({
    type: listed,
    identity: index,
    state: { member: `person-${index}@example.com`, memberId: index, groupId: 1, project: "web" },
    operation: "delete" as const,
  }));
  const plan = await addListed({ objects: [...others, parent], steps: [] }, ({ name: of }) =>
    Promise.resolve(of === name ? people : []),
  );
  return [...plan.objects];
}

const group = (count: number) => emptied("Group", "groups/QA", "GroupMember", count);
const noAdmin = "no list grants the administrator right";

/** Ways that change the plan itself. Each is tested on its own plan. */
const plans: Readonly<Record<string, Row>> = {
  "removed from the file, or by an overlay (`$remove`)": going("delete"),
  "removed from the list of an exclusive group or project": {
    "other-file": { objects: await group(60), more: files },
    "not-owned": { objects: await group(1), more: { owns: ["variables/**"] } },
    "project-deletion": "no such list contains projects",
    "protected-object": "entries of a list have no protection of their own",
    "protected-kind": { objects: await group(1), more: { settings: { protectedKinds: ["GroupMember"] } } },
    "max-deletes": { objects: await group(11) },
    "max-delete-share": { objects: await group(30) },
    "whole-section": { objects: await group(2) },
    "unmanaged-contents": "a membership contains nothing",
    "perhaps-hidden": { objects: await group(1), more: { hidden: ["groups/QA"] } },
    "used-object": "nothing uses a membership",
    "own-access": {
      objects: await emptied("Project", "projects/web", "ProjectMember", 8),
      more: { callerId: 7 },
    },
    "required-admins": noAdmin,
    "minimum-admins": noAdmin,
  },
  "replaced, by itself or with the object that contains it": {
    ...going("replace"),
    "other-file": "replaced objects are declared",
    "whole-section": "replaced objects exist afterwards",
  },
  "renamed without `previously` (deleted and created again)": {
    ...going("delete", [
      object("create", "Group", "groups/new"),
      member("create", "eve@example.com", false, false),
    ]),
    "whole-section": "the section has other objects afterwards",
  },
  "`destroy`": going("delete"),
};

const judgedAlike = "as `up`";

/** Ways that apply a plan with another command. The tests below check that each of them evaluates the guards. */
const paths = [
  "an overlay with other `guards`",
  "`up --no-refresh`",
  "`up --plan`",
  "`drift revert` (targets)",
  "`replicate`",
  "`fleet up`",
] as const;

describe.each(Object.entries(plans))("%s", (_way, row) => {
  it.each(guardCodes.filter((code) => typeof row[code] !== "string"))("is refused by %s", (code) => {
    const cell = row[code];
    if (typeof cell === "string") throw new Error("a reason is no plan");
    expect(refusing(cell.objects, cell.more)).toContain(code);
    expect(refusing(cell.objects, { ...cell.more, allowances: { ignoreGuard: [code] } })).not.toContain(code);
  });
});

/** A policy that sets every guard, and a file that switches every guard off in the same change. */
const policy: GuardSettings = {
  maxDeletes: 10,
  maxDeleteShare: 20,
  protectedKinds: ["Group"],
  projectDeletion: "named",
  sectionDeletion: "named",
  unmanagedContents: "named",
  minimumAdmins: 1,
  requiredAdmins: [ann.email],
  ownAccess: true,
};
const loose: GuardSettings = {
  maxDeletes: 1000,
  maxDeleteShare: 100,
  allowDelete: ["**"],
  projectDeletion: "allow",
  sectionDeletion: "allow",
  unmanagedContents: "allow",
  ownAccess: false,
};
const withPolicy = "the same change loosens the `guards` of the file, with a [policy](policy.md)";
const hasSetting = (code: GuardCode) =>
  guards.some((guard) => guard.code === code && guard.setting !== undefined);

describe(withPolicy, () => {
  it.each(guardCodes.filter(hasSetting))(
    "is refused by %s of the policy, whatever the options say",
    (code) => {
      const cell = going("delete")[code];
      if (typeof cell === "string") throw new Error("a reason is no plan");
      const { objects, more } = cell;
      const allowances = { ignoreGuard: [code], maxDeletes: 1000, maxDeleteShare: 100, allowDelete: ["**"] };
      const file = { ...more, settings: loose, allowances: { ...allowances, includeProtected: true } };
      expect(refusing(objects, file)).not.toContain(code);
      const verdicts = evaluateGuards({ objects, ...file }, [{ path: "policy.yaml", guards: policy }]);
      expect(
        verdicts.filter((one) => one.policy !== undefined && !one.ignored).map(({ guard }) => guard),
      ).toContain(code);
    },
  );
});

describe("other commands", () => {
  const sources = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? sources(join(folder, entry.name)) : [join(folder, entry.name)],
    );
  const calling = (pattern: RegExp) =>
    ["automation", "cli"]
      .flatMap(sources)
      .filter((file) => file.endsWith(".ts") && pattern.test(readFileSync(file, "utf8")));

  it("change a workspace only after the guards have run, except for imports", () => {
    const changing = calling(/command: "(up|destroy)"/);
    expect(changing.toSorted()).toEqual([
      "cli/commands/destroy/run-destroy.ts",
      "cli/operations/import-objects.ts",
      "cli/operations/up.ts",
    ]);
    expect(calling(/\bjudgePlan\(/)).toEqual(
      expect.arrayContaining(["cli/commands/destroy/run-destroy.ts", "automation/policy/checked-plan.ts"]),
    );
  });

  it("run `up` with its flags for `drift revert` and `replicate`", () => {
    for (const file of ["drift/revert.ts", "replicate/run-replicate.ts"])
      expect(readFileSync(`cli/commands/${file}`, "utf8")).toMatch(/return runUp\(\{ \.\.\.(options|run)/);
  });

  it("pass the given flags through a fleet, and add none that lifts a guard", () => {
    const entry = {
      name: "us",
      file: "w.yaml",
      stack: "us",
      connection: undefined,
      overlays: [],
      allowPaths: [],
      backend: undefined,
      environment: {},
    };
    const argv = listChildArguments(entry, { command: "up", more: ["--max-deletes", "3"] });
    expect(argv.slice(-2)).toEqual(["--max-deletes", "3"]);
    expect(argv.slice(0, -2).join(" ")).not.toMatch(/--(allow|ignore|max|delete|include)/);
  });

  it("apply a saved plan with the allowances of its preview and of its own flags only", () => {
    const saved = { stack: "us", refreshed: true, guards: { allowances: { maxDeletes: 3 }, verdicts: [] } };
    const flags = withFlagsOf({ file: "w.yaml", refresh: false, allowDelete: ["a"] }, saved as never);
    expect(flags).toMatchObject({ maxDeletes: 3, allowDelete: ["a"], deleteProject: [], ignoreGuard: [] });
  });

  it("merge an overlay's guards with those of the file, for `up` and for `destroy`", () => {
    const folder = temporaryFolder();
    const file = fileIn(
      folder,
      "w.yaml",
      "version: 1\nworkspace: acme\nguards: { maxDeletes: 3, ownAccess: true }\n",
    );
    const overlays = [fileIn(folder, "eu.yaml", "guards: { maxDeletes: 1 }\n")];
    const guards = { maxDeletes: 1, ownAccess: true };
    expect(readFile(file, { overlays }).guards()).toEqual(guards);
    expect(readHead(file, { overlays }).guards()).toEqual(guards);
  });

  it("allow nothing if the guards cannot be read", () => {
    const file = fileIn(
      temporaryFolder(),
      "w.yaml",
      "version: 1\nworkspace: acme\nguards: { maxDeletes: many }\n",
    );
    expect(() => readHead(file).guards()).toThrow(/the part "guards:" of .* is not valid/);
  });
});

it("the table of guards in docs/guards.md says what plain Pulumi holds of each", () => {
  const page = readFileSync("docs/guards.md", "utf8");
  const rows = page
    .split("\n")
    .filter((line) => guardCodes.some((code) => line.startsWith(`| \`${code}\` |`)));
  const cells = rows.map((line) => line.replace(/^\| | \|$/g, "").split(" | "));
  expect(cells.map(([code, , , held]) => [code, held])).toEqual(
    guardCodes.map((code) => [`\`${code}\``, plainPulumi[code]]),
  );
});

it("the table of ways in docs/guards.md is up to date", () => {
  const row = (way: string, cellOf: (code: GuardCode) => string) =>
    `| ${way} | ${guardCodes.map(cellOf).join(" | ")} |`;
  const table = [
    row("way", (code) => `\`${code}\``),
    `|${"---|".repeat(guardCodes.length + 1)}`,
    ...Object.entries(plans).map(([way, cells]) =>
      row(way, (code) => {
        const cell = cells[code];
        return typeof cell === "string" ? `- (${cell})` : "refused";
      }),
    ),
    row(withPolicy, (code) => (hasSetting(code) ? "refused" : "- (no setting)")),
    ...paths.map((way) => row(way, () => judgedAlike)),
  ].join("\n");
  expect(readFileSync("docs/guards.md", "utf8")).toContain(table);
});
