/**
 * Tests how people are matched: by e-mail address, or by a unique name if the service hides addresses. Others are
 * unverifiable.
 */
import { describe, expect, it } from "vitest";
import { fileIn, temporaryFolder } from "../../support.js";
import { regions, told } from "./support.js";

const TEAM = `members: { ann@example.com: { admin: true }, bob@example.com: {} }
permissionSets: { release: { description: May deploy, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY } }
groups: { QA: { members: [ann@example.com, bob@example.com] } }
projects: { web: { members: { ann@example.com: release } } }
`;
const hidden = { echoMemberEmail: false };

describe("people", () => {
  it("are matched by e-mail address, whatever their numbers", async () => {
    const eu = TEAM.replace("[ann@example.com, bob@example.com]", "[ann@example.com]");
    const { report } = await regions(TEAM, eu);
    expect(told(await report("us", "eu"))).toEqual(["missing groups/QA/members/bob@example.com"]);
  });

  it("are matched by any spelling of the address, and groups by any form of their letters", async () => {
    const named = (group: string) => TEAM.replace("QA:", `${JSON.stringify(group)}:`);
    const eu = named("Cafe\u0301").replaceAll("bob@example.com", "Bob@Example.com");
    const { report } = await regions(named("Caf\u00e9"), eu);
    expect(told(await report("us", "eu"))).toEqual([]);
  });

  it("are matched by name in all memberships if one region hides the addresses", async () => {
    const eu = TEAM.replace("bob@example.com: {}", "bob@example.com: { admin: true }").replace(
      "[ann@example.com, bob@example.com]",
      "[ann@example.com]",
    );
    const { report } = await regions(TEAM, eu, { eu: hidden });
    expect(told(await report("us", "eu"))).toEqual([
      "missing groups/QA/members/bob@example.com",
      "changed members/bob@example.com admin: - true",
    ]);
  });

  it("are matched by name if both regions hide the addresses", async () => {
    const { report } = await regions(
      TEAM,
      TEAM.replace(": release", ": other").replace("release:", "other:"),
      {
        us: hidden,
        eu: hidden,
      },
    );
    expect(told(await report("us", "eu"))).toEqual([
      "missing permissionSets/release",
      "added permissionSets/other",
      'changed projects/web/members/Ann permissionSet: "release" "other"',
    ]);
  });

  it("are unverifiable if only their number is known", async () => {
    const stranger = TEAM.replaceAll("bob@example.com", "carl@example.com");
    const { report } = await regions(TEAM, stranger, { eu: hidden });
    const { findings, code } = await report("us", "eu");
    expect(code).toBe(0);
    expect(findings.map(({ class: of, name }) => `${of} ${name}`)).toEqual([
      expect.stringMatching(/^unverifiable groups\/QA\/members\/\d+ on the right$/),
      "unverifiable groups/QA/members/bob@example.com",
      expect.stringMatching(/^unverifiable members\/(.* \()?\d+\)? on the right$/),
      "unverifiable members/bob@example.com",
    ]);
    expect(findings[1]?.note).toContain("it may exist: eu does not identify everybody");
  });

  it("are not matched if two of them have the same name", async () => {
    const both = TEAM.replace("members: {", "members: { other.ann@example.com: {},");
    const { report } = await regions(both, both, { eu: hidden });
    const { findings, same } = await report("us", "eu");
    expect(findings.every((one) => one.class === "unverifiable")).toBe(true);
    const names = findings.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["members/ann@example.com", "members/other.ann@example.com"]),
    );
    expect(names).not.toContain("members/bob@example.com");
    expect(same).toBeGreaterThan(0);
  });

  it("are unverifiable between a file, which has no names, and a region without addresses", async () => {
    const { report } = await regions(TEAM, TEAM, { eu: hidden });
    const file = fileIn(temporaryFolder(), "workspace.yaml", `version: 1\n${TEAM}`);
    const { findings, code } = await report(file, "eu");
    expect(code).toBe(0);
    expect(new Set(findings.map(({ class: of, type }) => `${of} ${type}`))).toEqual(
      new Set(["unverifiable GroupMember", "unverifiable ProjectMember", "unverifiable WorkspaceMember"]),
    );
  });

  it("are found although they own one workspace and are invited to the other", async () => {
    const { report } = await regions(
      "members: { owner-eu@example.com: {} }\ngroups: { QA: { members: [owner-eu@example.com] } }\n",
      "groups: { QA: {} }\n",
    );
    expect(told(await report("us", "eu"))).toEqual(["missing groups/QA/members/owner-eu@example.com"]);
  });

  it("are compared as members of an exclusive group like any others", async () => {
    const own = TEAM.replace(
      "{ members: [ann@example.com, bob@example.com] }",
      "{ exclusive: true, members: [ann@example.com] }",
    );
    const { report } = await regions(TEAM);
    const file = fileIn(temporaryFolder(), "workspace.yaml", `version: 1\n${own}`);
    expect(told(await report(file, "us"))).toEqual(["added groups/QA/members/bob@example.com"]);
  });

  it("are matched by number in the workspace of the file's connection only", async () => {
    const { report, us } = await regions(TEAM, TEAM, { us: hidden });
    const { body } = await us.edit({ method: "GET", path: "/workspaces/acme-us/members" });
    const { members } = body as { members: { id: number; name: string }[] };
    const idOf = (name: string) => members.find((one) => one.name === name)?.id ?? 0;
    const known = TEAM.replace("bob@example.com: {}", `bob@example.com: { member: ${idOf("Bob")} }`)
      .replace("admin: true", `admin: true, member: ${idOf("Ann")}`)
      .replace("[ann@example.com, bob@example.com]", `[ann@example.com, ${idOf("Bob")}]`);
    const folder = temporaryFolder();
    const ours = fileIn(folder, "workspace.yaml", `version: 1\nconnection: us\n${known}`);
    expect(told(await report(ours, "us"))).toEqual([]);
    const { findings } = await report(ours, "eu");
    expect(findings).toEqual([]);
    const byNumber = known.replace(/, member: \d+|member: \d+/g, "");
    const other = fileIn(folder, "numbers.yaml", `version: 1\n${byNumber}`);
    expect((await report(other, "eu")).findings.map(({ class: of, name }) => `${of} ${name}`)).toEqual([
      `unverifiable groups/QA/members/#${idOf("Bob")} on the left`,
      "unverifiable groups/QA/members/bob@example.com",
    ]);
  });

  it("are matched by the addresses in a file if the service hides them", async () => {
    const { report, compares, eu } = await regions(
      TEAM,
      TEAM.replace("bob@example.com: {}", "bob@example.com: { admin: true }"),
      {
        eu: hidden,
      },
    );
    const { body } = await eu.edit({ method: "GET", path: "/workspaces/acme-eu/members" });
    const lines = (body as { members: { id: number; name: string }[] }).members.map(
      ({ id, name }) => `  ${id}: ${name.startsWith("Owner") ? "" : `${name.toLowerCase()}@example.com`}\n`,
    );
    const folder = temporaryFolder();
    const people = fileIn(folder, "people.yaml", `version: 1\nmembers:\n${lines.join("")}`);
    const file = fileIn(folder, "workspace.yaml", `version: 1\n${TEAM}`);
    expect(told(await report(file, "eu", "--right-people", people))).toEqual([
      "changed members/bob@example.com admin: - true",
    ]);
    expect((await compares(file, "eu", "--left-people", people)).stderr).toContain(
      "workspace.yaml is a file: omit the option",
    );
    expect((await compares("us", "eu", "--left-people", "none.yaml")).stderr).toContain(
      "there is no file none.yaml",
    );
  });
});
