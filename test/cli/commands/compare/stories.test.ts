/** Tests `workspacectl compare` as a user sees it: two regions that should be equal. */
import { describe, expect, it } from "vitest";
import { fileIn, temporaryFolder } from "../../support.js";
import { regions, told } from "./support.js";

const SHOP = `members: { ann@example.com: { admin: true }, bob@example.com: {} }
permissionSets: { release: { description: May deploy, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY } }
groups:
  QA: { description: Testers, members: [ann@example.com, bob@example.com] }
  Ops: {}
variables: { REGION: one, DEPLOY_TOKEN: token-in-clear }
projects:
  web:
    members: { ann@example.com: release }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        variables: { STAGE: live }
        actions:
          - name: Build
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands: [npm ci, npm test]
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
      tidy: { triggerMode: MANUAL, refType: BRANCH, refName: main }
`;
const without = (text: string, line: RegExp) => text.replace(line, "");

describe("two regions", () => {
  it("are equal if the same file was applied to both, whatever their numbers, addresses and owners", async () => {
    const { compares, report } = await regions(SHOP);
    const { code, stdout } = await compares("us", "eu");
    expect(code).toBe(0);
    expect(stdout).toContain("No difference: 16 objects the same");
    expect(await report("us", "eu")).toMatchObject({
      result: "same",
      findings: [],
      complete: true,
      same: 16,
    });
  });

  it("are read concurrently, each with the requests of an export", async () => {
    const { us, eu, person } = await regions(SHOP);
    const { stderr } = await person.types(["compare", "us", "eu"], { terminal: true });
    expect(stderr).toMatch(/Reading: \d+/);
    const [one, other] = [us, eu].map(({ journal }) => journal.requests);
    expect((other?.[0]?.at ?? "") <= (one?.at(-1)?.at ?? "")).toBe(true);
    expect((one?.[0]?.at ?? "") <= (other?.at(-1)?.at ?? "")).toBe(true);
    const taken = one?.map(({ path, query }) => `${path}?${query}`).toSorted();
    us.journal.clear();
    await person.types(["export", "-c", "us"]);
    expect(taken).toEqual(us.journal.requests.map(({ path, query }) => `${path}?${query}`).toSorted());
  });

  it("differ in objects that were changed, removed or added in one of them", async () => {
    const eu = without(SHOP, / {6}tidy:.*\n/)
      .replace("Testers", "Checkers")
      .replace("Ops: {}", "Support: {}")
      .replace("npm test", "npm run test")
      .replace("bob@example.com: {}", "bob@example.com: { admin: true }");
    const { report } = await regions(SHOP, eu);
    const found = await report("us", "eu");
    expect(told(found)).toEqual([
      "missing groups/Ops",
      "missing projects/web/pipelines/tidy",
      "added groups/Support",
      'changed groups/QA description: "Testers" "Checkers"',
      "changed members/bob@example.com admin: - true",
      'changed projects/web/pipelines/deploy/actions/Build executeCommands[1]: "npm test" "npm run test"',
    ]);
    expect(found).toMatchObject({ code: 7, result: "different" });
    const [ops] = found.findings;
    expect(ops?.links?.left).toMatch(/\/groups\/\d+$/);
  });

  it("report a missing project with the number of objects inside", async () => {
    const { report } = await regions(SHOP, without(SHOP, /projects:[^]*/));
    const { findings } = await report("us", "eu");
    expect(findings).toMatchObject([
      { class: "missing", name: "projects/web", note: "with 6 objects in it" },
    ]);
  });

  it("differ once if the order of actions differs", async () => {
    const [, build = "", ping = ""] =
      /( {10}- name: Build[^]*npm test\]\n)( {10}- \{ name: Ping.*\n)/.exec(SHOP) ?? [];
    const { report } = await regions(SHOP, SHOP.replace(build + ping, ping + build));
    const once = ['changed projects/web/pipelines/deploy actions: ["Build","Ping"] ["Ping","Build"]'];
    expect(told(await report("us", "eu"))).toEqual(once);
    expect(told(await report("us", "eu", "--kinds", "actions"))).toEqual(once);
  });

  it("report the common properties of actions whose types differ", async () => {
    const eu = SHOP.replace(
      "type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com",
      "type: HTTP, triggerTime: ON_FAILURE, runOnlyOnFirstFailure: true, notificationUrl: https://example.com",
    );
    const { report } = await regions(SHOP, eu);
    expect(told(await report("us", "eu"))).toEqual([
      "changed projects/web/pipelines/deploy/actions/Ping runOnlyOnFirstFailure: - true",
      'changed projects/web/pipelines/deploy/actions/Ping triggerTime: "ON_EVERY_EXECUTION" "ON_FAILURE"',
      'changed projects/web/pipelines/deploy/actions/Ping type: "PING" "HTTP"',
    ]);
  });

  it("can be compared for some kinds, projects and names only", async () => {
    const eu = SHOP.replace("Testers", "Checkers").replace("refName: main }", "refName: develop }");
    const { report, us, eu: other } = await regions(SHOP, eu);
    expect(told(await report("us", "eu", "--kinds", "groups"))).toEqual([
      'changed groups/QA description: "Testers" "Checkers"',
    ]);
    for (const { journal, workspace } of [us, other])
      expect(new Set(journal.requests.map(({ path }) => path))).toEqual(
        new Set([`/workspaces/${workspace}/groups`]),
      );
    expect(told(await report("us", "eu", "--project", "w*"))).toHaveLength(1);
    expect(told(await report("us", "eu", "--name", "tidy"))).toHaveLength(1);
  });
});

describe("secret values", () => {
  const SECRETS = `variables:
  DEPLOY_TOKEN: one-in-clear
  SAME_TOKEN: same-in-clear
  KEY: { value: key-in-clear, encrypted: true }
`;

  it("are reported as fingerprints if both regions show them, and as unverifiable otherwise", async () => {
    const { report, compares } = await regions(SECRETS, SECRETS.replace("one-in-clear", "two-in-clear"));
    const found = await report("us", "eu");
    expect(found.findings).toMatchObject([
      { class: "changed", name: "variables/DEPLOY_TOKEN", path: "value", secret: true },
      { class: "unverifiable", name: "variables/KEY", path: "value", notKnown: ["left", "right"] },
    ]);
    const [{ left, right } = {}] = found.findings;
    const mark = { $secret: expect.stringMatching(/^hmac:[0-9a-f]{12}$/) as string };
    expect([left, right]).toEqual([mark, mark]);
    expect(left).not.toEqual(right);
    const { stdout } = await compares("us", "eu", "--unverifiable");
    expect(stdout).toContain(
      "value  us (not known), eu (not known)  the service returns it only in encrypted form",
    );
  });

  it("are recognized in headers, addresses and other properties, also of objects on one side only", async () => {
    const call = (token: string, more = "") => `projects:
  web:
    pipelines:
      call:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - name: Call
            type: HTTP
            triggerTime: ON_EVERY_EXECUTION
            notificationUrl: https://user:${token}@example.com
            headers: [{ name: Authorization, value: ${token} }, { name: X-Step, value: one }${more}]
`;
    const { report } = await regions(call("a-in-clear"), call("b-in-clear"));
    const { findings } = await report("us", "eu");
    expect(findings.map(({ path, secret }) => [path, secret])).toEqual([
      ["headers[0].value", true],
      ["notificationUrl", true],
    ]);
    const longer = await regions(
      call("a-in-clear"),
      call("a-in-clear", ", { name: X-Token, value: c-in-clear }"),
    );
    expect(JSON.stringify((await longer.report("us", "eu")).findings[0]?.right)).toContain("hmac:");
    const alone = await regions(call("a-in-clear"), "groups: {}\n");
    expect((await alone.report("us", "eu")).findings).toMatchObject([
      { class: "missing", name: "projects/web" },
    ]);
    const one = await regions(call("a-in-clear"), call("a-in-clear").replace(/actions:[^]*/, ""));
    expect((await one.report("us", "eu")).findings).toMatchObject([
      { class: "missing", left: { headers: { $secret: expect.stringMatching(/^hmac:/) as string } } },
    ]);
  });

  it("are masked if only the file marks them as secret, although the service shows them", async () => {
    const group = (text: string) => `groups: { QA: { description: ${text} } }\n`;
    const { report } = await regions(group("words-in-clear"));
    const text = `version: 1\n${group('"${secret:env:SET_NOWHERE}"')}`;
    const { findings } = await report(fileIn(temporaryFolder(), "workspace.yaml", text), "us");
    expect(findings).toMatchObject([
      { name: "groups/QA", path: "description", class: "unverifiable", secret: true, notKnown: ["left"] },
    ]);
    expect(findings[0]?.right).toEqual({ $secret: expect.stringMatching(/^hmac:/) as string });
  });

  it("never make two regions differ if they are unverifiable", async () => {
    const { report } = await regions(SECRETS, SECRETS.replace("key-in-clear", "other-in-clear"));
    expect(await report("us", "eu")).toMatchObject({ code: 0, counts: { changed: 0, unverifiable: 1 } });
    expect((await report("us", "eu", "--fail-on", "unverifiable")).code).toBe(7);
  });
});

describe("a schedule, which is write-only", () => {
  const nightly = `projects: { web: { pipelines: { nightly: { triggerMode: SCHEDULED, cron: 0 2 * * *, refType: BRANCH, refName: main } } } }\n`;

  it("is reported as unverifiable on both sides", async () => {
    const { report } = await regions(nightly, nightly.replace("0 2", "0 3"));
    const { findings, code } = await report("us", "eu");
    expect(code).toBe(0);
    expect(findings.every((one) => one.class === "unverifiable" && one.name.endsWith("/nightly"))).toBe(true);
    const file = fileIn(temporaryFolder(), "workspace.yaml", `version: 1\n${nightly}`);
    expect(told(await report(file, "eu"))).toEqual([
      'unverifiable projects/web/pipelines/nightly cron: "0 2 * * *" -',
    ]);
  });
});

describe("integrations", () => {
  const CHAT = `projects:
  web:
    pipelines:
      tell:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Tell, type: CHAT, triggerTime: ON_EVERY_EXECUTION, channel: C01, integration: chat-us, content: Done }
`;
  const mapping = "version: 1\nintegrations: { chat-us: chat-eu }\n";

  it("are compared by name, or by the mapping", async () => {
    const { report } = await regions(CHAT, CHAT.replace("chat-us", "chat-eu"));
    const at = "projects/web/pipelines/tell/actions/Tell integration";
    expect(told(await report("us", "eu"))).toEqual([`changed ${at}: "chat-us" "chat-eu"`]);
    const file = fileIn(temporaryFolder(), "mapping.yaml", mapping);
    expect(await report("us", "eu", "--mapping", file)).toMatchObject({
      code: 0,
      findings: [],
      mapping: file,
    });
  });

  it("are unverifiable if only their number is known", async () => {
    const { report, us } = await regions(CHAT, CHAT.replace("chat-us", "chat-eu"));
    us.faults.add({ kind: "status", method: "GET", path: "/user/integrations", status: 403 });
    expect((await report("us", "eu")).findings).toMatchObject([
      { class: "unverifiable", path: "integration", notKnown: ["left"], right: "chat-eu" },
    ]);
  });
});

describe("a comparison with unreadable objects", () => {
  it("is incomplete with exit code 10, or 7 if there are differences too", async () => {
    const { report, compares, us } = await regions(SHOP, SHOP);
    us.faults.add({
      kind: "status",
      method: "GET",
      path: "/workspaces/acme-us/groups",
      status: 403,
      count: 99,
    });
    const found = await report("us", "eu");
    expect(found).toMatchObject({ code: 10, result: "incomplete", findings: [] });
    expect(found.incomplete).toMatchObject([{ side: "left", type: "Group" }]);
    expect((await compares("us", "eu")).stdout).toContain("us: Group of the workspace");
    const { report: again, eu } = await regions(SHOP, SHOP.replace("live", "test"));
    eu.faults.add({
      kind: "status",
      method: "GET",
      path: "/workspaces/acme-eu/groups",
      status: 403,
      count: 99,
    });
    expect(await again("us", "eu")).toMatchObject({ code: 7, complete: false, counts: { changed: 1 } });
  });

  it("fails if the rate limit is exhausted, and suggests --wait", async () => {
    const limited = { rateLimit: 70, rateWindowSeconds: 3600 };
    const { compares } = await regions(SHOP, SHOP, { us: limited });
    const ended = [await compares("us", "eu"), await compares("us", "eu"), await compares("us", "eu")];
    const { code, stderr } = ended.find((one) => one.code !== 0) ?? { code: 0, stderr: "" };
    expect(code).toBe(1);
    expect(stderr).toContain("us: ");
    expect(stderr).toContain("or wait for it: --wait");
  });
});
