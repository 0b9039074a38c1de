/** Tests what a plan changes in the access of people. */
import { describe, expect, it } from "vitest";
import {
  type AccessObject,
  buildAccess,
  formatImpactLines,
  listImpacts,
} from "../../../workspace-file/access/access.js";

/** A small workspace: its members, its permission sets, and the members of its projects. */
interface World {
  readonly people?: Record<string, boolean | undefined>;
  readonly sets?: Record<string, readonly [repository: string, pipelines: string]>;
  readonly projects?: Record<string, Record<string, string>>;
  /** Projects whose member list is complete. */
  readonly exclusive?: readonly string[];
}

function modelOf({ people = {}, sets = {}, projects = {}, exclusive = [] }: World) {
  const emails = Object.keys(people);
  const names = Object.keys(sets);
  const objects: AccessObject[] = [
    ...emails.map((email, id) =>
      object("WorkspaceMember", email, { email, admin: people[email] }, { memberId: id }),
    ),
    ...names.map((name, id) => {
      const [repositoryAccessLevel, pipelineAccessLevel] = sets[name]!;
      return object(
        "PermissionSet",
        name,
        { name, repositoryAccessLevel, pipelineAccessLevel },
        { permissionSetId: id },
      );
    }),
    ...Object.entries(projects).flatMap(([name, members]) => {
      const held = exclusive.includes(name);
      const list = Object.entries(members).map(([email, set]) => ({
        member: emails.includes(email) ? emails.indexOf(email) : email,
        permissionSet: names.includes(set) ? names.indexOf(set) : set,
      }));
      const args = held ? { name, exclusive: true, members: list } : { name };
      return [
        object("Project", name, args),
        ...(held
          ? []
          : list.map((one) =>
              object("ProjectMember", `${name}/${one.member}`, { project: name, projectId: name, ...one }),
            )),
      ];
    }),
  ];
  return buildAccess(objects);
}

function object(type: string, key: string, args: object, outputs: object = {}): AccessObject {
  return {
    type,
    name: key,
    key,
    args: args as AccessObject["args"],
    outputs: outputs as AccessObject["outputs"],
  };
}

const told = (before: World, after: World, staying?: Map<string, string>) =>
  formatImpactLines(listImpacts(modelOf(before), modelOf(after), staying));

const world = {
  people: { "ann@example.com": false, "bob@example.com": false, "carol@example.com": false },
  sets: { devs: ["READ_WRITE", "RUN_ONLY"], readers: ["READ_ONLY", "DENIED"] },
  projects: { web: { "ann@example.com": "devs", "bob@example.com": "readers" } },
} satisfies World;

describe("the access impact", () => {
  it("is empty when nothing changes", () => {
    expect(told(world, world)).toEqual([]);
  });

  it("reports a different permission set with both levels", () => {
    const after = {
      ...world,
      projects: { web: { "ann@example.com": "readers", "bob@example.com": "readers" } },
    };
    expect(told(world, after)).toEqual([
      "ann@example.com loses read/write access to the repository and run-only access to the pipelines of web (keeps read-only access to the repository; permission set readers instead of devs)",
    ]);
  });

  it("reports a changed permission set, also for members that are not declared", () => {
    const after = { ...world, sets: { ...world.sets, devs: ["READ_ONLY", "RUN_ONLY"] } } satisfies World;
    expect(told(world, after)).toEqual([
      "ann@example.com loses read/write access to the repository of web (keeps read-only; permission set devs changes)",
      "everyone else with permission set devs loses read/write access to the repository of their projects (keeps read-only)",
    ]);
  });

  it("reports administrators, invitations and removals", () => {
    const people = { "ann@example.com": false, "bob@example.com": true, "dan@example.com": false };
    expect(told(world, { ...world, people })).toEqual([
      "bob@example.com becomes an administrator",
      "carol@example.com is removed from the workspace",
      "dan@example.com is invited to the workspace",
    ]);
    expect(told({ people: { "ann@example.com": true } }, { people: { "ann@example.com": false } })).toEqual([
      "ann@example.com is no longer an administrator",
    ]);
  });

  it("names every new administrator, and says first who becomes one", () => {
    const emails = Array.from({ length: 20 }, (_, index) => `person-${index}@example.com`);
    const all = (admin: boolean) => Object.fromEntries(emails.map((email) => [email, admin]));
    const lines = told({ people: { ...all(false), "ann@example.com": false } }, { people: all(true) });
    expect(lines.filter((line) => line.includes("become administrators"))).toHaveLength(3);
    for (const email of emails) expect(lines.slice(0, 3).join()).toContain(email);
    expect(lines[3]).toBe("ann@example.com is removed from the workspace");
  });

  it("reports each right that is lost with a removal", () => {
    const people = { "bob@example.com": false, "carol@example.com": false };
    const after = { ...world, people, projects: { web: { "bob@example.com": "readers" } } };
    expect(told(world, after)).toEqual([
      "ann@example.com is removed from the workspace",
      "ann@example.com loses read/write access to the repository and run-only access to the pipelines of web",
    ]);
  });

  it("does not report the caller or the owner as removed", () => {
    const people = { "ann@example.com": false, "bob@example.com": false };
    const staying = new Map([["carol@example.com", "it is the calling user's own membership"]]);
    expect(told(world, { ...world, people }, staying)).toEqual([
      "carol@example.com stays in the workspace (it is the calling user's own membership)",
    ]);
  });

  it("groups people and projects with the same change", () => {
    const after = {
      ...world,
      projects: {
        ...world.projects,
        api: { "ann@example.com": "devs", "bob@example.com": "devs" },
        shop: { "ann@example.com": "devs", "bob@example.com": "devs" },
      },
    };
    expect(told(world, after)).toEqual([
      "ann@example.com, bob@example.com gain read/write access to the repository and run-only access to the pipelines of api, shop (the project is new)",
    ]);
  });

  it("reports a deleted project, also for members that are not known", () => {
    expect(told(world, { ...world, projects: {} })).toEqual([
      "ann@example.com loses read/write access to the repository and run-only access to the pipelines of web (the project is deleted)",
      "bob@example.com loses read-only access to the repository of web (the project is deleted)",
      "everyone else who is a member loses access to web (the project is deleted)",
    ]);
    expect(told({ ...world, exclusive: ["web"] }, { ...world, projects: {} })).toHaveLength(2);
  });

  it("is the same whether project members are listed in the project or are separate objects", () => {
    expect(told(world, { ...world, exclusive: ["web"] })).toEqual([]);
    expect(told({ ...world, exclusive: ["web"] }, world)).toEqual([]);
  });

  it("reports that an administrator remains one, whatever rights a project grants", () => {
    const people = { ...world.people, "ann@example.com": true };
    expect(
      told({ ...world, people }, { ...world, people, projects: { web: { "bob@example.com": "readers" } } }),
    ).toEqual([
      "ann@example.com loses read/write access to the repository and run-only access to the pipelines of web (no longer a member of the project; stays administrator)",
    ]);
  });

  it("reports the loss of an administrator right that is no longer declared", () => {
    expect(
      told({ people: { "ann@example.com": true } }, { people: { "ann@example.com": undefined } }),
    ).toEqual(["ann@example.com is no longer an administrator"]);
  });

  it("reports when the levels of a permission set are not known", () => {
    const somewhere = {
      ...world,
      projects: { web: { ...world.projects.web, "carol@example.com": "External" } },
    };
    expect(told(world, somewhere)).toEqual([
      "carol@example.com becomes a member of web (no level that is known; with permission set External)",
    ]);
    const moved = { ...world, projects: { web: { ...world.projects.web, "carol@example.com": "Other" } } };
    expect(told(somewhere, moved)).toEqual([
      "carol@example.com has other rights in web (its levels are not known; permission set Other instead of External)",
    ]);
  });

  it("counts names beyond the first eight", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${10 + n}@example.com`, false]));
    const [line] = told({}, { people: many });
    expect(line).toMatch(/^p10@example.com, .*, p17@example.com and 22 more are invited to the workspace$/);
  });

  it("names what refers to people, projects and permission sets that are known later, and invites nobody", () => {
    const later = (name: string, args: object = {}) => object("ProjectMember", name, args);
    const after = buildAccess([
      object("Project", "web", { name: "web" }),
      later("ann in web", { project: "web" }),
      later("bob in web", { project: "web" }),
      later("bob elsewhere", { member: "bob@example.com" }),
      object("WorkspaceMember", "bob", { email: "bob@example.com" }),
    ]);
    expect(formatImpactLines(listImpacts(modelOf({}), after))).toMatchInlineSnapshot(`
      [
        "bob@example.com becomes a member of the project of "bob elsewhere" (known later) (no level that is known; the project is new)",
        "the member of "ann in web" (known later), the member of "bob in web" (known later) become members of web (no level that is known; the project is new)",
        "bob@example.com is invited to the workspace",
      ]
    `);
  });
});
