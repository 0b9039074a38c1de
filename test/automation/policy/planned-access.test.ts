/** Tests the access impact of plans. */
import { describe, expect, it } from "vitest";
import { accessImpact, type AccessLookup } from "../../../automation/policy/access-impact/planned.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";
import { done, told, UNKNOWN, urn } from "../events.js";

const devs = { name: "devs", repositoryAccessLevel: "READ_WRITE", pipelineAccessLevel: "RUN_ONLY" };
const ann = { email: "ann@example.com", admin: false };

/** Builds the engine event of one object from its name and its arguments before and after. */
function event(
  type: string,
  name: string,
  olds: object | undefined,
  news: object | undefined,
  outputs: object = {},
) {
  const op =
    olds === undefined ? "create" : news === undefined ? "delete" : olds === news ? "same" : "update";
  const told = done(op, [type, name], olds as never, news as never);
  Object.assign(told.resOutputsEvent?.metadata.old?.outputs ?? {}, { ...olds, ...outputs });
  return told;
}

async function linesOf(events: readonly ReturnType<typeof event>[], text?: string, lookup?: AccessLookup) {
  const declared =
    text === undefined ? undefined : readDeclarations(fileIn(temporaryFolder(), "w.yaml", text));
  return (await accessImpact(told(events).objects, declared, lookup)).lines;
}

const member = event("WorkspaceMember", "members/ann@example.com", ann, ann, { memberId: 12 });
const set = event("PermissionSet", "permissionSets/devs", devs, devs, { permissionSetId: 7 });
const web = event("Project", "projects/web", { name: "web" }, { name: "web" }, { projectName: "web" });

describe("the access impact of a plan", () => {
  it("is empty, without any request, if the plan does not affect access", async () => {
    const fails = () => Promise.reject(new Error("asked"));
    const group = event("Group", "groups/QA", { name: "QA" }, { name: "QA", description: "new" });
    expect(await linesOf([member, group], undefined, { known: fails, staying: fails })).toEqual([]);
  });

  it("resolves people and permission sets by their numbers in the state", async () => {
    const before = { project: "web", member: 12, permissionSet: 7 };
    const gone = event("ProjectMember", "projects/web/members/ann@example.com", before, undefined);
    expect(await linesOf([member, set, web, gone])).toEqual([
      "ann@example.com loses read/write access to the repository and run-only access to the pipelines of web (no longer a member of the project)",
    ]);
  });

  it("resolves objects created by the same plan from the file", async () => {
    const joins = event("ProjectMember", "projects/web/members/bob@example.com", undefined, {
      project: "web",
      member: UNKNOWN,
      permissionSet: UNKNOWN,
    });
    const bob = { email: "bob@example.com", admin: true };
    const events = [
      web,
      event("WorkspaceMember", "members/bob@example.com", undefined, bob),
      event("PermissionSet", "permissionSets/devs", undefined, devs),
      joins,
    ];
    const text = `version: 1
members: { bob@example.com: { admin: true } }
permissionSets: { devs: { description: x, repositoryAccessLevel: READ_WRITE, pipelineAccessLevel: RUN_ONLY } }
projects: { web: { members: { bob@example.com: devs } } }
`;
    expect(await linesOf(events, text)).toEqual([
      "bob@example.com becomes an administrator",
      "bob@example.com gains read/write access to the repository and run-only access to the pipelines of web (with permission set devs)",
      "bob@example.com is invited to the workspace",
    ]);
  });

  it("reports no loss when a project and a permission set are renamed", async () => {
    const projectMember = (project: string) => ({ project, member: 12, permissionSet: 7 });
    const events = [
      member,
      event(
        "PermissionSet",
        "permissionSets/devs",
        devs,
        { ...devs, name: "makers" },
        { permissionSetId: 7 },
      ),
      event("Project", "projects/web", { name: "web" }, { name: "shop" }),
      event(
        "ProjectMember",
        "projects/web/members/ann@example.com",
        projectMember("web"),
        projectMember("shop"),
      ),
    ];
    expect(await linesOf(events)).toEqual([]);
  });

  it("looks up external permission sets, and unmanaged members who stay in the workspace", async () => {
    const lookup: AccessLookup = {
      known: () =>
        Promise.resolve({
          people: [],
          permissionSets: [{ id: 3, name: "Read-only", repository: "READ_ONLY", pipelines: "READ_ONLY" }],
        }),
      staying: (numbers) =>
        Promise.resolve(new Map(numbers.map((number) => [number, "the member owns the workspace"]))),
    };
    const now = { project: "web", member: 12, permissionSet: "Read-only" };
    const moved = event("ProjectMember", "projects/web/members/a", { ...now, permissionSet: 7 }, now);
    const gone = event(
      "WorkspaceMember",
      "members/olga@example.com",
      { email: "olga@example.com" },
      undefined,
      {
        memberId: 1,
      },
    );
    expect(await linesOf([member, set, web, moved, gone], undefined, lookup)).toEqual([
      "ann@example.com loses read/write access to the repository and run-only access to the pipelines of web (keeps read-only access to the repository and the pipelines; permission set Read-only instead of devs)",
      "olga@example.com stays in the workspace (the member owns the workspace)",
    ]);
  });

  const fails = () => Promise.reject(new Error("asked"));
  const external = { project: "web", member: 12, permissionSet: "External" };
  const stays = event("ProjectMember", "projects/web/members/a", external, external);

  it("asks nothing about what is unchanged, or what the state tells", async () => {
    const group = event("Group", "groups/QA", { name: "QA" }, { name: "QA", description: "new" });
    const lookup = { known: fails, staying: fails };
    expect(await linesOf([member, stays, group], undefined, lookup)).toEqual([]);
    const admin = event("WorkspaceMember", "members/ann@example.com", ann, { ...ann, admin: true });
    expect(await linesOf([admin, set, web], undefined, lookup)).toEqual([
      "ann@example.com becomes an administrator",
    ]);
  });

  it("looks up who a number is, and a set of which a level is not known", async () => {
    const asked: string[] = [];
    const lookup: AccessLookup = {
      known() {
        asked.push("known");
        return Promise.resolve({
          people: [{ id: 99, name: "zoe@example.com" }],
          permissionSets: [{ id: 7, name: "devs", repository: "READ_ONLY", pipelines: "DENIED" }],
        });
      },
      staying: fails,
    };
    const gone = { project: "web", member: 99, permissionSet: 7 };
    const left = event("ProjectMember", "projects/web/members/z", gone, undefined);
    const lost =
      "zoe@example.com loses read/write access to the repository and run-only access to the pipelines of web";
    expect(await linesOf([set, web, left], undefined, lookup)).toEqual([
      `${lost} (no longer a member of the project)`,
    ]);
    const known = { project: "web", member: 12, permissionSet: 7 };
    const leaves = event("ProjectMember", "projects/web/members/a", known, undefined);
    for (const missing of ["repositoryAccessLevel", "pipelineAccessLevel"]) {
      const half = { ...devs, [missing]: undefined };
      const partly = event("PermissionSet", "permissionSets/devs", half, half, { permissionSetId: 7 });
      await linesOf([member, partly, web, leaves], undefined, lookup);
    }
    expect(asked).toHaveLength(3);
  });

  it("says that somebody leaves a project, and nothing of the workspace that the file does not manage", async () => {
    const before = { project: "web", member: "eve@example.com", permissionSet: 7 };
    const gone = event("ProjectMember", "projects/web/members/eve@example.com", before, undefined);
    expect(await linesOf([member, set, web, gone])).toEqual([
      "eve@example.com loses read/write access to the repository and run-only access to the pipelines of web (no longer a member of the project)",
    ]);
  });

  it("is none for members whose renamed project begins to own its list", async () => {
    const was = { name: "web" };
    const list = [{ member: "ann@example.com", permissionSet: "devs" }];
    const renamed = event("Project", "projects/site", was, { name: "site", exclusive: true, members: list });
    const old = renamed.resOutputsEvent?.metadata.old;
    if (old) old.urn = urn("Project", "projects/web");
    const before = { project: "web", member: "ann@example.com", permissionSet: "devs" };
    const single = event("ProjectMember", "projects/web/members/ann@example.com", before, undefined);
    const events = [member, set, renamed, single];
    expect(told(events).steps.map(({ operation }) => operation)).toEqual(["update", "release"]);
    expect(await linesOf(events)).toEqual([]);
  });

  it("is none for what is only released", async () => {
    const released = done("discard", ["WorkspaceMember", "members/ann@example.com"], ann);
    const admin = event(
      "WorkspaceMember",
      "members/bob@example.com",
      { email: "bob@example.com" },
      {
        email: "bob@example.com",
        admin: true,
      },
    );
    expect(await linesOf([released, admin])).toEqual(["bob@example.com becomes an administrator"]);
  });

  it("finds the members of a project's own list in the file", async () => {
    const list = [{ member: UNKNOWN, permissionSet: UNKNOWN }];
    const shop = { name: "shop", exclusive: true, members: list, displayName: null };
    const bob = { email: "bob@example.com", admin: false };
    const text = `version: 1
members: { bob@example.com: {} }
permissionSets: { devs: { description: x, repositoryAccessLevel: READ_WRITE, pipelineAccessLevel: RUN_ONLY } }
projects:
  web: { exclusive: true, members: {} }
  shop: { exclusive: true, members: { bob@example.com: devs } }
`;
    const events = [
      event("WorkspaceMember", "members/bob@example.com", undefined, bob),
      event("PermissionSet", "permissionSets/devs", undefined, devs),
      event("Project", "projects/shop", undefined, shop),
    ];
    expect(await linesOf(events, text)).toEqual([
      "bob@example.com gains read/write access to the repository and run-only access to the pipelines of shop (the project is new)",
      "bob@example.com is invited to the workspace",
    ]);
  });

  it("asks who of those who are removed from the workspace stays", async () => {
    const person = (name: string, memberId: number, news?: object) =>
      event("WorkspaceMember", `members/${name}`, { email: `${name}@example.com` }, news, { memberId });
    const asked: number[] = [];
    const lookup: AccessLookup = {
      known: fails,
      staying(numbers) {
        asked.push(...numbers);
        return Promise.resolve(new Map([[2, "the member owns the workspace"]]));
      },
    };
    const events = [
      person("ann", 1),
      person("bob", 2),
      person("eve", 3, { email: "eve@example.com", admin: true }),
      event("Variable", "variables/A", { key: "A" }, undefined),
    ];
    expect(await linesOf(events, undefined, lookup)).toEqual([
      "eve@example.com becomes an administrator",
      "ann@example.com is removed from the workspace",
      "bob@example.com stays in the workspace (the member owns the workspace)",
    ]);
    expect(asked).toEqual([1, 2]);
  });

  it("names who leaves a group, by the names in the state where it has them", async () => {
    const group = event("Group", "groups/QA", { name: "QA" }, { name: "QA" }, { groupId: 5 });
    const leaves = (name: string, before: object) => event("GroupMember", name, before, undefined);
    const joins = event("GroupMember", "groups/QA/members/d", undefined, { group: "QA", member: "dan" });
    expect(
      await linesOf([
        member,
        group,
        joins,
        leaves("groups/QA/members/a", { group: 5, groupId: 5, member: 12, memberId: 12 }),
        leaves("groups/Ops/members/b", { group: "Ops", groupId: 6, member: 13, memberId: 13 }),
        leaves("groups/Ops/members/c", {
          group: "Ops",
          groupId: 6,
          member: "carol@example.com",
          memberId: 14,
        }),
      ]),
    ).toEqual([
      "ann@example.com is no longer a member of group QA",
      "member 13, carol@example.com are no longer members of group Ops",
    ]);
  });
});
