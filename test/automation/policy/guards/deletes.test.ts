/** Tests automation/policy/guards/deletes.ts. */
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

  it("of exactly a fifth are allowed, and a flag overrides the share of the file", () => {
    const fifth = [...many("same", 15), ...someOf("variables", 4)];
    expect(refusing(fifth)).toEqual([]);
    const settings = { maxDeleteShare: 10 };
    expect(refusing(fifth, { settings })).toEqual(["max-delete-share"]);
    expect(refusing(fifth, { settings, allowances: { maxDeleteShare: 20 } })).toEqual([]);
    expect(refusing(fifth, { allowances: { maxDeleteShare: 10 } })).toEqual(["max-delete-share"]);
  });

  it("are not compared with objects that the plan adopts", () => {
    expect(refusing([...many("adopt", 100), ...many("delete", 4), ...many("same", 4)])).toEqual([
      "max-delete-share",
    ]);
  });

  it("of protected objects do not count once `destroy` includes them", () => {
    const held = many("delete", 11).map((one) => ({ ...one, protected: true }));
    const plan = [
      ...many("same", 500, "Variable", "variables"),
      object("same", "Group", "groups/kept"),
      ...held,
    ];
    expect(refusing(plan)).toContain("max-deletes");
    expect(refusing(plan, { allowances: { includeProtected: true } })).toEqual([]);
    const usual = [...plan, ...many("delete", 11, "Variable", "variables")];
    expect(refusing(usual, { allowances: { includeProtected: true } })).toEqual(["max-deletes"]);
  });

  it("are allowed with the guard ignored, which is reported", () => {
    const plan = [...many("same", 500), ...many("delete", 11)];
    expect(judge(plan, { allowances: { ignoreGuard: ["max-deletes"] } })).toMatchObject([
      { guard: "max-deletes", ignored: true },
    ]);
  });
});

describe("the flags that allow deletions", () => {
  const kept = [...many("same", 3), object("same", "Variable", "variables/kept")];
  const remedies = (names: readonly string[], others = kept) => {
    const deleted = names.map((name) => object("delete", "Group", name));
    const [verdict] = judge([...others, ...deleted], { settings: { maxDeletes: 0 } });
    return { remedy: verdict?.remedy.replace(/^.*, or /, ""), inFile: verdict?.remedyInFile };
  };

  it("name up to three objects, in the order of their names", () => {
    expect(remedies(["groups/c", "groups/a", "variables/b"])).toEqual({
      remedy: '--allow-delete "groups/a" --allow-delete "groups/c" --allow-delete "variables/b"',
      inFile: 'guards: { allowDelete: ["groups/a", "groups/c", "variables/b"] }',
    });
  });

  it("name an object once, with everything that is in it", () => {
    const pipeline = "projects/web/pipelines/deploy";
    const inside = ["projects/web/pipelines/deploy-2", `${pipeline}/actions/Build`, pipeline];
    expect(remedies(inside).remedy).toBe(
      '--allow-delete "projects/web/pipelines/deploy/**" --allow-delete "projects/web/pipelines/deploy-2"',
    );
  });

  it("name up to three sections if there are more objects", () => {
    const names = ["groups/a", "groups/b", "variables/a", "members/a"];
    expect(remedies(names).remedy).toBe(
      '--allow-delete "groups/**" --allow-delete "members/**" --allow-delete "variables/**"',
    );
  });

  it("are not written out if there are more sections than that", () => {
    const names = ["groups/a", "variables/a", "members/a", "permissionSets/a"];
    expect(remedies(names)).toEqual({
      remedy: "--allow-delete with patterns of their names",
      inFile: "guards: { maxDeletes: 4 }",
    });
    const more = Array.from({ length: 9 }, (_, n) => `projects/p${n}/pipelines/a`);
    const plan = [...kept, ...more.map((name) => object("delete", "Pipeline", name))];
    expect(judge(plan)).toMatchObject([
      { guard: "max-delete-share", remedyInFile: "guards: { maxDeleteShare: 70 }" },
    ]);
  });

  it("match everything if nothing stays, as in `destroy`", () => {
    const names = ["groups/a", "variables/a", "members/a", "permissionSets/a"];
    expect(remedies(names, []).remedy).toBe('--allow-delete "**"');
    expect(remedies(names, many("release", 2)).remedy).toBe('--allow-delete "**"');
    expect(remedies(["groups/a"], many("same", 1, "Variable", "variables")).remedy).toBe(
      '--allow-delete "groups/a"',
    );
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

  it("is refused for several sections, in the order of their names", () => {
    const plan = [
      ...many("same", 60, "Member", "members"),
      ...many("delete", 2, "Variable", "variables"),
      ...many("delete", 2),
    ];
    expect(judge(plan)).toMatchObject([
      {
        message: "everything in groups (2 objects), variables (2 objects) would be deleted",
        remedy: '--allow-delete "groups/**" --allow-delete "variables/**"',
      },
    ]);
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

  it("that is named allows the deletion of no other object", () => {
    const allowances = { deleteProject: ["web"] };
    const sameBeginning = Array.from({ length: 4 }, (_, n) =>
      object("delete", "Pipeline", `projects/web2/pipelines/p${n}`),
    );
    const web2 = object("same", "Project", "projects/web2");
    expect(refusing([...plan, web2, ...sameBeginning], { allowances })).toContain("max-delete-share");
    expect(refusing([...plan, ...many("delete", 4, "Variable", "variables")], { allowances })).toContain(
      "max-delete-share",
    );
  });

  it("counts among the deletions unless it is named", () => {
    const projects = [..."abcd"].map((name) => object("delete", "Project", `projects/${name}`));
    const kept = many("same", 4);
    expect(refusing([...kept, ...projects])).toContain("max-delete-share");
    expect(refusing([...kept, ...projects], { allowances: { deleteProject: [..."abcd"] } })).toEqual([]);
  });

  it("is called by its key if the state does not contain its name", () => {
    const unnamed = object("delete", "Project", "projects/web", { projectName: 7 });
    expect(judge([...many("same", 3), unnamed])).toMatchObject([{ remedy: "--delete-project web" }]);
    const named = object("delete", "Project", "projects/web", { name: "shop" });
    expect(refusing([...many("same", 3), named], { allowances: { deleteProject: ["shop"] } })).toEqual([]);
  });

  it("is deleted by `destroy` if that includes what is protected", () => {
    expect(refusing(plan, { allowances: { includeProtected: true } })).toEqual([]);
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
    expect(refusing(plan, { appliedFrom: "a.yaml" })).toEqual([]);
  });

  it("is accepted if it replaces objects", () => {
    const replaced = [...many("same", 1), ...many("replace", 3, "Variable", "variables")];
    expect(refusing(replaced, { file: "b.yaml", appliedFrom: "a.yaml" })).toEqual([]);
  });
});
