/** Tests what heuristic lint rules report, and what they do not report. */
import { describe, expect, it } from "vitest";
import { lint } from "../../../workspace-file/lint/lint.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();

/** Returns the messages of a rule. */
async function said(code: string, text: string, env = {}): Promise<string[]> {
  const now = new Date("2026-01-01T00:00:00Z");
  const { findings } = await lint(fileIn(folder, "workspace.yaml", text), { env, now });
  return findings.filter((finding) => finding.code === code).map(({ message }) => message);
}

const pipeline = (args: string, ...actions: string[]) =>
  `version: 1\nprojects:\n  web:\n    pipelines:\n      deploy:\n        ${args}\n        actions:\n` +
  (actions.map((action) => `          - ${action}\n`).join("") || "          []\n");
const manual = "triggerMode: MANUAL\n        refType: BRANCH\n        refName: main";
const ping = "{ name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a.example.com }";
const alarm = (when: string, name = "Alarm") =>
  `{ name: ${name}, type: SMS, triggerTime: ${when}, runOnlyOnFirstFailure: true, recipients: "+15550100" }`;
const ignoring =
  "{ name: Try, type: SSH_COMMAND, triggerTime: ON_EVERY_EXECUTION, ignoreErrors: true, authenticationMode: PASS, " +
  'commands: [ls], host: h, login: l, port: 22, password: "${env:P}" }';

describe("unencrypted-secret", () => {
  const variable = (name: string, value: string) => `version: 1\nvariables:\n  ${name}: ${value}\n`;
  const found = async (name: string, value: string) =>
    (await said("unencrypted-secret", variable(name, value))).length > 0;

  it.each([
    ["GITHUB_TOKEN", "abc"],
    ["db_password", "abc"],
    ["AWS_SECRET_ACCESS_KEY", "abc"],
    ["apiKey", "abc"],
    ["deployToken", '"${env:DEPLOY_TOKEN}"'],
    ["DATA", "kJ8sQ2mZx0PqL7vNc4RtY6wB"],
  ])("reports %s: %s", async (name, value) => {
    expect(await found(name, value)).toBe(true);
  });

  it.each([
    ["TOKEN_URL", "https://login.example.com"],
    ["API_TOKEN", "https://login.example.com/token"],
    ["PASSWORD_LENGTH", '"12"'],
    ["USE_TOKEN", '"true"'],
    ["DB_PASSWORD", "/run/secrets/db"],
    ["CACHE_KEY", "abc"],
    ["PUBLIC_KEY", "abc"],
    ["COMMIT", "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3"],
    ["ID", "123e4567-e89b-12d3-a456-426614174000"],
    ["WORDS", "the-quick-brown-fox-jumps-over-the-lazy-dog"],
    ["SECRET", "{ value: abc, encrypted: true }"],
  ])("does not report %s: %s", async (name, value) => {
    expect(await found(name, value)).toBe(false);
  });
});

describe("literal-secret", () => {
  it("reports headers, nested views and fields of unknown action types", async () => {
    const text = pipeline(
      manual,
      '{ name: A, type: HTTP, triggerTime: ON_EVERY_EXECUTION, notificationUrl: "https://a.example.com", headers: [{ name: Authorization, value: Bearer abc }, { name: Accept, value: x }] }',
      "{ name: B, type: SCAN, triggerTime: ON_EVERY_EXECUTION, fields: { scan_target: src, api_key: abc } }",
    );
    expect(await said("literal-secret", text)).toEqual([
      "Authorization is a secret, and is in plaintext here",
      "api_key is a secret, and is in plaintext here",
    ]);
  });

  it("does not report placeholders and initial values that are managed elsewhere", async () => {
    const text =
      'version: 1\nvariables:\n  A: { value: "x${env:A}", encrypted: true }\n  B: { value: later, encrypted: true, valueManaged: false }\n';
    expect(await said("literal-secret", text)).toEqual([]);
  });
});

describe("unreachable-action", () => {
  const reasons = (...actions: string[]) => said("unreachable-action", pipeline(manual, ...actions));

  it("reports an action only if nothing before it can trigger it", async () => {
    expect(await reasons(ping, alarm("ON_FAILURE"))).toEqual([]);
    expect(await reasons(alarm("ON_FAILURE"), ping)).toEqual([
      "this action can never run: nothing before it can fail",
    ]);
    expect(await reasons(ignoring, alarm("ON_FAILURE"), ping)).toEqual([
      "this action can never run: nothing before it can fail",
    ]);
    expect(await reasons(alarm("ON_BACK_TO_SUCCESS"), ping)).toEqual([]);
    expect(await reasons(alarm("ON_FAILURE"), alarm("ON_BACK_TO_SUCCESS", "Calm"))).toEqual([
      "this action can never run: no action of the pipeline runs ON_EVERY_EXECUTION",
      "this action can never run: no action of the pipeline runs ON_EVERY_EXECUTION",
    ]);
    expect(await reasons(ignoring, alarm("ON_BACK_TO_SUCCESS"))).toEqual([
      "this action can never run: errors of every other action are ignored, so nothing fails",
    ]);
  });
});

describe("schedules", () => {
  const scheduled = (cron: string) =>
    pipeline(
      `triggerMode: SCHEDULED\n        cron: "${cron}"\n        refType: BRANCH\n        refName: main`,
      ping,
    );

  it.each(["0 2 30 2 *", "0 0 31 4,6 *"])("cron-never: %s", async (cron) => {
    const [first = ""] = await said("cron-never", scheduled(cron));
    expect(first).toContain("this never matches any time: no run will start");
  });

  it.each(["0 2 * * *", "0 0 29 2 *", "*/15 8-18 * * MON-FRI", "0 0 1 1 *"])(
    "cron-never: not %s",
    async (cron) => {
      expect(await said("cron-never", scheduled(cron))).toEqual([]);
      expect(await said("schedule-too-often", scheduled(cron))).toEqual([]);
    },
  );

  it("schedule-too-often: the shortest interval between two runs counts", async () => {
    expect(await said("schedule-too-often", scheduled("*/2 * * * *"))).toEqual([
      "a run starts every 2 minutes, before the last one is done",
    ]);
    expect(await said("schedule-too-often", scheduled("0,1 3 * * *"))).toHaveLength(1);
    const delayed = pipeline(
      'triggerMode: SCHEDULED\n        startDate: "2026-01-01T00:00:00Z"\n        delay: 1\n        refType: BRANCH\n        refName: main',
      ping,
    );
    // The service does not document the unit of a delay.
    expect(await said("schedule-too-often", delayed)).toEqual([]);
  });
});

describe("impossible-ref", () => {
  const named = (type: string, name: string) =>
    said(
      "impossible-ref",
      pipeline(`triggerMode: MANUAL\n        refType: ${type}\n        refName: "${name}"`, ping),
    );

  it.each(["v*", "a..b", "feature branch", "/main", "main/", ".hidden", "a.lock", "a~1"])(
    "reports %s",
    async (name) => {
      expect(await named("BRANCH", name)).toHaveLength(1);
    },
  );

  it.each(["main", "feature/x-1", "v1.2.3", "dependabot/npm_and_yarn/x-1.0", "ünï"])(
    "does not report %s",
    async (name) => {
      expect(await named("TAG", name)).toEqual([]);
    },
  );

  it("does not report wildcards", async () => {
    expect(await named("WILDCARD", "v*")).toEqual([]);
  });
});

describe("no-private-key", () => {
  const key = 'version: 1\nvariables:\n  KEY: { value: "${env:KEY}", sshKey: true }\n';

  it.each([
    "OPENSSH PRIVATE KEY",
    "RSA PRIVATE KEY",
    "PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "EC PRIVATE KEY",
  ])("accepts %s", async (kind) => {
    const value = `-----BEGIN ${kind}-----\nabc\n-----END ${kind}-----\n`;
    expect(await said("no-private-key", key, { WORKSPACE_VAR_KEY: value })).toEqual([]);
  });

  it("reports a public key", async () => {
    const [message] = await said("no-private-key", key, {
      WORKSPACE_VAR_KEY: "ssh-rsa AAAA ann@example.com",
    });
    expect(message).toContain("this is a public key");
  });
});
