/** Tests what a comparison says with the token of a user who does not see everything. */
import { describe, expect, it } from "vitest";
import { regions, told } from "./support.js";

const SHOP = `members: { bob@example.com: {} }
permissionSets: { reader: { description: Reads, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: READ_ONLY } }
projects:
  web:
    members: { bob@example.com: reader }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: First, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
          - { name: Second, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
      tidy: { triggerMode: MANUAL, refType: BRANCH, refName: main }
`;
const restricted = expect.stringContaining("its user is no administrator") as string;

describe("a comparison with the token of a user who is no administrator", () => {
  it("checks whether a project is hidden from the caller before it reports it as missing", async () => {
    const { report, person, eu } = await regions(SHOP);
    const invited = { email: "guest@example.com" };
    await eu.edit({ method: "POST", path: "/workspaces/acme-eu/members", body: invited });
    person.env["WORKSPACE_AUTOMATION_EU_TOKEN"] = await eu.createToken({ user: invited.email });
    const found = await report("us", "eu", "--kinds", "projects");
    expect(found).toMatchObject({ code: 10, findings: [] });
    expect(found.incomplete).toMatchObject([
      { side: "right", type: "Project", reason: restricted },
      { side: "right", type: "Project", name: "projects/web", scopes: ["WORKSPACE"] },
    ]);
  });

  it("reports what a shown pipeline lacks, and no pipeline that is perhaps hidden", async () => {
    const eu = SHOP.replace(/ {10}- \{ name: Second.*\n/, "").replace(/ {6}tidy.*\n/, "");
    const { report, person, eu: service } = await regions(SHOP, eu);
    person.env["WORKSPACE_AUTOMATION_EU_TOKEN"] = await service.createToken({ user: "bob@example.com" });
    const found = await report("us", "eu", "--kinds", "pipelines,actions");
    expect(told(found)).toEqual(["missing projects/web/pipelines/deploy/actions/Second"]);
    expect(found).toMatchObject({ code: 7, complete: false });
    expect(found.incomplete).toContainEqual({
      side: "right",
      type: "Pipeline",
      name: "projects/web",
      reason: restricted,
    });
  });
});
