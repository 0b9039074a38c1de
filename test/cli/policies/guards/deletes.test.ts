import { describe, expect, it } from "vitest";
import { judge, many, object, refusing } from "./plan.js";

/** Deletes the given number of variables, and keeps one. */
const someOf = (section: "variables", count: number) => [
  ...many("delete", count, "Variable", section),
  object("same", "Variable", `${section}/kept`),
];

describe("deletions", () => {
  it("of a few objects are allowed", () => {
    expect(refusing([...many("same", 2), ...someOf("variables", 3)])).toEqual([]);
  });

  it("of more than a fifth of the managed objects are refused, with the numbers, the objects and the flag", () => {
    const [verdict, ...others] = judge([...many("same", 11), ...someOf("variables", 4)]);
    expect(others).toEqual([]);
    expect(verdict).toEqual({
      guard: "max-delete-share",
      message: "4 of 16 objects (25 %) would be deleted, and at most 20 % may be",
      objects: [
        "variables/variables-0",
        "variables/variables-1",
        "variables/variables-2",
        "variables/variables-3",
      ],
      remedy: '--max-delete-share 25, or --allow-delete "variables/**"',
      remedyInFile: 'guards: { allowDelete: ["variables/**"] }',
      ignored: false,
    });
  });

  it("are compared with the existing objects only, not with those created at the same time", () => {
    expect(refusing([...many("create", 100), ...many("delete", 4), ...many("same", 4)])).toEqual([
      "max-delete-share",
    ]);
  });

  it("of more than ten objects are refused, whatever the total", () => {
    expect(refusing([...many("same", 500), ...many("delete", 11)])).toEqual(["max-deletes"]);
    expect(refusing([...many("same", 500), ...many("delete", 10)])).toEqual([]);
  });

  it("include replacements, but not released objects", () => {
    expect(refusing([...many("same", 500), ...many("replace", 11)])).toEqual(["max-deletes"]);
    expect(refusing([...many("same", 2), ...many("release", 11)])).toEqual([]);
  });

  it("have a limit that the file can raise, and that a flag overrides", () => {
    const plan = [...many("same", 500), ...many("delete", 30)];
    expect(refusing(plan, { settings: { maxDeletes: 30 } })).toEqual([]);
    expect(refusing(plan, { settings: { maxDeletes: 30 }, allowances: { maxDeletes: 5 } })).toEqual([
      "max-deletes",
    ]);
    expect(refusing(plan, { allowances: { maxDeletes: 30 } })).toEqual([]);
  });

  it("named by a pattern of the file or a flag do not count", () => {
    const plan = [...many("same", 1), ...someOf("variables", 30)];
    expect(refusing(plan)).toEqual(["max-deletes", "max-delete-share"]);
    expect(refusing(plan, { settings: { allowDelete: ["variables/*"] } })).toEqual([]);
    expect(refusing(plan, { allowances: { allowDelete: ["variables/*"] } })).toEqual([]);
  });

  it("are allowed with the guard ignored, which is reported", () => {
    const plan = [...many("same", 500), ...many("delete", 11)];
    expect(judge(plan, { allowances: { ignoreGuard: ["max-deletes"] } })).toMatchObject([
      { guard: "max-deletes", ignored: true },
    ]);
  });
});

describe("deleting a whole section", () => {
  const rest = many("same", 30, "Variable", "variables");
  const actions = ["Build", "Test"].map((name) =>
    object("delete", "Action", `projects/web/pipelines/deploy/actions/${name}`),
  );

  it("is refused for two or more objects, with the pattern that allows it", () => {
    expect(judge([...rest, ...many("delete", 2)])).toEqual([
      {
        guard: "whole-section",
        message: "everything in groups (2 objects) would be deleted",
        objects: ["groups/groups-0", "groups/groups-1"],
        remedy: '--allow-delete "groups/**"',
        remedyInFile: 'guards: { allowDelete: ["groups/**"] }',
        ignored: false,
      },
    ]);
    expect(refusing([...rest, ...actions])).toEqual(["whole-section"]);
  });

  it("is allowed by a pattern of the file or a flag, by a setting, or by ignoring the guard", () => {
    const plan = [...rest, ...many("delete", 2)];
    expect(refusing(plan, { allowances: { allowDelete: ["groups/**"] } })).toEqual([]);
    expect(refusing(plan, { settings: { allowDelete: ["groups/*"] } })).toEqual([]);
    expect(refusing(plan, { settings: { sectionDeletion: "allow" } })).toEqual([]);
    expect(refusing(plan, { allowances: { ignoreGuard: ["whole-section"] } })).toEqual([]);
  });

  it("does not apply to a single object, nor if the section keeps or gains an object or only releases one", () => {
    expect(refusing([...rest, ...many("delete", 1)])).toEqual([]);
    for (const operation of ["same", "update", "create", "replace", "release"] as const)
      expect(refusing([...rest, ...many("delete", 2), object(operation, "Group", "groups/other")])).toEqual(
        [],
      );
  });

  it("is not reported for a section inside a deleted object", () => {
    const pipeline = object("delete", "Pipeline", "projects/web/pipelines/deploy");
    const other = object("same", "Pipeline", "projects/web/pipelines/other");
    expect(refusing([...rest, pipeline, other, ...actions])).toEqual([]);
  });

  it("does not apply to programs, whose names are not locations in a file", () => {
    expect(refusing([...rest, ...many("delete", 2, "Group", "team/acme")])).toEqual([]);
  });
});

describe("protected kinds", () => {
  const plan = [...many("same", 9), object("delete", "PermissionSet", "permissionSets/developers")];

  it("are deleted only if they are named", () => {
    const settings = { protectedKinds: ["PermissionSet"] };
    expect(refusing(plan)).toEqual([]);
    expect(judge(plan, { settings })).toMatchObject([
      { guard: "protected-kind", remedy: '--allow-delete "permissionSets/developers"' },
    ]);
    expect(refusing(plan, { settings, allowances: { allowDelete: ["permissionSets/developers"] } })).toEqual(
      [],
    );
  });

  it("include objects declared with protect: true", () => {
    const held = { ...object("delete", "Group", "groups/QA"), protected: true };
    expect(refusing([...many("same", 9), held])).toEqual(["protected-object"]);
    expect(refusing([...many("same", 9), held], { allowances: { allowDelete: ["groups/QA"] } })).toEqual([]);
  });
});

describe("a project", () => {
  const inside = [1, 2, 3, 4].map((n) => object("delete", "Pipeline", `projects/web/pipelines/p${n}`));
  const project = object("delete", "Project", "projects/web", { name: "web-shop", projectName: "web-shop" });
  const plan = [...many("same", 3), ...inside, project];

  it("is deleted only if it is named, together with its contents", () => {
    expect(judge(plan)).toMatchObject([
      { guard: "project-deletion", objects: ["projects/web"], remedy: "--delete-project web" },
      { guard: "max-delete-share" },
    ]);
    expect(refusing(plan, { allowances: { deleteProject: ["web"] } })).toEqual([]);
    expect(refusing(plan, { allowances: { deleteProject: ["web-shop"] } })).toEqual([]);
    expect(refusing(plan, { allowances: { deleteProject: ["api"] } })).toContain("project-deletion");
  });

  it("is not deleted because of a pattern that matches it", () => {
    expect(refusing(plan, { allowances: { allowDelete: ["**"] } })).toEqual(["project-deletion"]);
  });

  it("counts as any other object if the file says so", () => {
    expect(refusing(plan, { settings: { projectDeletion: "allow" } })).toEqual(["max-delete-share"]);
  });
});

describe("another file on the same stack", () => {
  const plan = [
    ...many("delete", 3),
    ...many("create", 20, "Variable", "variables"),
    object("same", "Group", "groups/kept"),
  ];

  it("is refused if it would delete most of the objects of the first file", () => {
    const files = { file: "other.yaml", appliedFrom: "workspace.yaml" };
    expect(judge(plan, files)).toMatchObject([
      {
        guard: "other-file",
        message:
          "this stack was last applied from workspace.yaml, and other.yaml would delete most of what that declares",
      },
    ]);
    expect(judge(plan, files)[0]?.remedy).toContain("--stack");
  });

  it("is accepted if only the file name has changed", () => {
    expect(
      refusing([...many("same", 30), ...many("delete", 2, "Variable", "v")], {
        file: "b.yaml",
        appliedFrom: "a.yaml",
      }),
    ).toEqual([]);
    expect(refusing(plan, { file: "a.yaml", appliedFrom: "a.yaml" })).toEqual([]);
    expect(refusing(plan, { file: "a.yaml" })).toEqual([]);
  });
});
