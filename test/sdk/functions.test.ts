/** Tests the functions that read from the service while a program runs, against the emulator. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import * as sdk from "../../sdk/nodejs/functions.js";

// A process opens one connection for all functions, and other files may have opened another one.
vi.hoisted(() => vi.resetModules());

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({
    seed: {
      users: [
        {
          email: "owner@example.com",
          keys: [{ title: "laptop", content: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGvn0 owner@laptop" }],
          integrations: [{ name: "chat-main", type: "CHAT" }],
        },
        { email: "ann@example.com", name: "Ann" },
      ],
      workspaces: [
        {
          domain: "acme",
          members: [{ email: "ann@example.com" }],
          groups: [{ name: "QA", members: ["ann@example.com"] }],
          variables: [{ key: "REGION", value: "us-east" }],
          projects: [
            {
              name: "web",
              files: { "README.md": "# Web\n" },
              members: [{ email: "ann@example.com", permission_set: "Developer" }],
              pull_requests: [{ number: 7, name: "Add a shop" }],
              pipelines: [
                {
                  name: "deploy",
                  trigger_mode: "MANUAL",
                  ref_name: "main",
                  actions: [
                    { name: "Ping", type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "host" },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  });
  vi.stubEnv("WORKSPACE_AUTOMATION_BASE_URL", emulator.baseUrl);
  vi.stubEnv("WORKSPACE_AUTOMATION_TOKEN", emulator.token);
  vi.stubEnv("WORKSPACE_AUTOMATION_DOMAIN", "acme");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await emulator.close();
});

const project = "web";
const first = async <T>(items: Promise<readonly T[]>): Promise<T> => {
  const [item] = await items;
  if (item === undefined) throw new Error("the list is empty");
  return item;
};

describe("functions for people and permissions", () => {
  it("return lists and single objects", async () => {
    expect(await sdk.getWorkspace()).toMatchObject({ domain: "acme" });
    expect(await first(sdk.listWorkspaces())).toMatchObject({ domain: "acme" });
    const me = await sdk.getCurrentUser();
    expect(me.workspacesUrl).toContain("/workspaces");
    const key = await first(sdk.listUserKeys());
    expect((await sdk.getUserKey(key.id)).title).toBe("laptop");
    expect(await sdk.listUserEmails()).toContainEqual({ email: "owner@example.com", confirmed: true });
    const chat = await first(sdk.listIntegrations());
    expect((await sdk.getIntegration(chat.id)).name).toBe("chat-main");

    const ann = (await sdk.listMembers()).find((member) => member.name === "Ann");
    const member = ann?.id ?? 0;
    expect((await sdk.getMember(member)).admin).toBe(false);
    expect((await sdk.listMemberProjects(member)).map((p) => p.name)).toEqual(["web"]);
    const group = await first(sdk.listGroups());
    expect((await sdk.getGroup(group.id)).name).toBe("QA");
    expect((await sdk.listGroupMembers(group.id)).map((m) => m.id)).toEqual([member]);
    expect((await sdk.getGroupMember({ group: group.id, member })).name).toBe("Ann");
    const set = await first(sdk.listPermissionSets());
    expect((await sdk.getPermissionSet(set.id)).repositoryAccessLevel).toBe("READ_WRITE");
    expect((await sdk.listProjectMembers({ project })).map((m) => m.id)).toEqual([member]);
    expect((await sdk.getProjectMember({ project, member })).permissionSet?.name).toBe("Developer");
  });
});

describe("the id of an object", () => {
  it("is accepted as a name or a number is, as by arguments of resources", async () => {
    expect((await sdk.getProject("acme/web")).name).toBe("web");
    const { id } = await first(sdk.listGroups());
    expect((await sdk.getGroup(`acme/${id}`)).name).toBe("QA");
    const pipeline = `acme/web/${(await first(sdk.listPipelines({ project: "acme/web" }))).id}`;
    expect((await sdk.getPipeline({ project, pipeline })).triggerMode).toBe("MANUAL");
    expect(await sdk.listVariables({ pipeline })).toEqual([]);
  });

  it("of another workspace, or of another type, is refused", async () => {
    for (const group of ["labs/1", "acme/web/1", "QA"])
      await expect(sdk.getGroup(group)).rejects.toThrow(
        "getGroup: group: must be a number, or the id of a Group of workspace acme",
      );
  });
});

describe("functions for a project's repository", () => {
  it("return lists and single objects", async () => {
    expect((await first(sdk.listProjects())).name).toBe("web");
    expect((await sdk.getProject("web")).defaultBranch).toBe("main");
    expect((await first(sdk.listBranches({ project }))).name).toBe("main");
    const branch = await sdk.getBranch({ project, name: "main" });
    const commit = await first(sdk.listCommits({ project }));
    expect(branch.commit?.revision).toBe(commit.revision);
    expect((await sdk.getCommit({ project, revision: commit.revision })).files).toHaveLength(1);
    expect(await sdk.getComparison({ project, base: "main", head: "main" })).toMatchObject({
      ahead: 0,
      behind: 0,
    });
    const file = await first(sdk.listContents({ project, path: "README.md" }));
    expect(Buffer.from(file.content ?? "", "base64").toString()).toBe("# Web\n");
    expect(await sdk.listTags({ project })).toEqual([]);
    await expect(sdk.getTag({ project, name: "v1" })).rejects.toMatchObject({ code: "not-found" });
    expect((await first(sdk.listPullRequests({ project }))).name).toBe("Add a shop");
    expect((await sdk.getPullRequest({ project, number: 7 })).name).toBe("Add a shop");
  });
});

describe("functions for pipelines and variables", () => {
  it("return lists and single objects", async () => {
    const pipeline = (await first(sdk.listPipelines({ project }))).id;
    expect((await sdk.getPipeline({ project, pipeline })).triggerMode).toBe("MANUAL");
    const action = (await first(sdk.listActions({ project, pipeline }))).id;
    expect((await sdk.getAction({ project, pipeline, action })).name).toBe("Ping");
    expect(await sdk.listExecutions({ project, pipeline })).toEqual([]);
    await expect(sdk.getExecution({ project, pipeline, execution: 1 })).rejects.toMatchObject({
      code: "not-found",
    });
    const variable = await first(sdk.listVariables());
    expect((await sdk.getVariable(variable.id)).value).toBe("us-east");
    expect(await sdk.listVariables({ project })).toEqual([]);
    expect(await sdk.listVariables({ pipeline })).toEqual([]);
  });
});
