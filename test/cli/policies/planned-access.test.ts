import { describe, expect, it } from "vitest";
import { accessImpact, type AccessLookup } from "../../../cli/policies/access-impact/planned.js";
import { ObjectRecorder } from "../../../cli/engine/plan/objects.js";
import { readDeclarations } from "../../../workspace-file/load/index.js";
import { done, UNKNOWN } from "../engine/events.js";
import { fileIn, temporaryFolder } from "../support.js";

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
  const recorder = new ObjectRecorder();
  events.forEach(recorder.onEvent);
  const declared =
    text === undefined ? undefined : readDeclarations(fileIn(temporaryFolder(), "w.yaml", text));
  return (await accessImpact(recorder.objects([]), declared, lookup)).lines;
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
});
