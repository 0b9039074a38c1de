/**
 * Tests that texts with a format in the specification are checked before any request, and that valid ones are
 * accepted.
 */
import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../diff/values.js";
import { formatProblemLine, getDefinition, validateArgs } from "../../../provider/index.js";

interface Format {
  readonly type: string;
  /** Holds valid arguments without the one under test. */
  readonly args: Record<string, unknown>;
  readonly name: string;
  readonly right: readonly unknown[];
  readonly wrong: readonly unknown[];
}

const scheduled = { project: "web", name: "nightly", refName: "main", triggerMode: "SCHEDULED" };
const step = { project: "web", pipeline: 1, name: "Step", triggerTime: "ON_EVERY_EXECUTION" };
const ssh = { type: "SSH_COMMAND", authenticationMode: "PASS", commands: ["ls"], login: "a", password: "b" };
const oauth = {
  clientName: "Dashboard",
  redirectUris: ["https://app.example.com/callback"],
  grantTypes: ["authorization_code"],
  responseTypes: ["code"],
  tokenEndpointAuthMethod: "client_secret_basic",
};
const hash = "5f1d7a84db00d2fce00b31a7fc73224cbb3aae76";

const formats: readonly Format[] = [
  {
    type: "Pipeline",
    args: scheduled,
    name: "cron",
    right: ["0 2 * * *", "*/15 8-18 * * MON-FRI", "0 0 1,15 * *", " 0  2 * * * "],
    wrong: ["often", "0 2 * *", "61 2 * * *", "0 25 * * *", "0 2 * * FOO", "@often", ""],
  },
  {
    type: "Pipeline",
    args: { ...scheduled, delay: 60 },
    name: "startDate",
    right: ["2026-01-31T08:00:00Z", "2028-02-29T23:59:59Z", "2026-01-31T08:00:00.123Z"],
    wrong: [
      "2030-13-45T99:99:99Z",
      "2026-02-29T08:00:00Z",
      "2026-04-31T08:00:00Z",
      "2026-01-31T24:00:00Z",
      "2026-01-31T08:00:00+02:00",
      "2026-01-31",
      "tomorrow",
    ],
  },
  {
    type: "Pipeline",
    args: { ...scheduled, startDate: "2026-01-31T08:00:00Z" },
    name: "delay",
    right: [1, 1440],
    wrong: [0, -5, 1.5, "often"],
  },
  {
    type: "WorkspaceMember",
    args: {},
    name: "email",
    right: ["ann@example.com", "o'neil+ci@mail.example.com"],
    wrong: ["ann", "ann@", "@example.com", "ann@example", "ann @example.com"],
  },
  { type: "UserEmail", args: {}, name: "email", right: ["ann@example.com"], wrong: ["ann", "a b@c.de"] },
  {
    type: "UserKey",
    args: {},
    name: "content",
    right: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGvn0 ci@example.com"],
    wrong: ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNza\n-----END OPENSSH PRIVATE KEY-----\n"],
  },
  {
    type: "Project",
    args: { name: "web", customRepoUser: "git", customRepoPass: "secret" },
    name: "customRepoUrl",
    right: [
      "https://git.example.com/web.git",
      "ssh://git@git.example.com:22/web",
      "git@git.example.com:web.git",
    ],
    wrong: ["git.example.com", "https://", "https:// git.example.com", "/srv/web.git", "$REPOSITORY"],
  },
  {
    type: "Action",
    args: { ...step, type: "PUSH" },
    name: "pushUrl",
    right: ["https://git.example.com/web.git", "git@git.example.com:web.git", "$MIRROR", "https://$HOST/web"],
    wrong: ["mirror", "https://git.example.com/my web.git"],
  },
  {
    type: "Action",
    args: { ...step, type: "HTTP" },
    name: "notificationUrl",
    right: ["https://hooks.example.com/deployed?x=1", "HTTP://localhost:8080", "https://$HOST/x", "$HOOK"],
    wrong: ["hooks.example.com", "ftp://example.com", "https://", "https://a b"],
  },
  {
    type: "Action",
    args: { ...step, type: "HTTP", notificationUrl: "https://hooks.example.com" },
    name: "timeout",
    right: [0, 600],
    wrong: [-1, 601, 1.5, "long"],
  },
  {
    type: "Action",
    args: { ...step, type: "HTTP", notificationUrl: "https://hooks.example.com" },
    name: "port",
    right: [1, 65535, "443", "65535", "08443", "$PORT", "${PORT}"],
    wrong: [0, 65536, "0", "65536", "99999", "ssh", "22 ", ""],
  },
  {
    type: "Action",
    args: { ...step, ...ssh, host: "vm.example.com" },
    name: "port",
    right: [22, "2222"],
    wrong: [70000, "ssh"],
  },
  {
    type: "Execution",
    args: { project: "web", pipeline: 1 },
    name: "revision",
    right: ["HEAD", hash, "5f1d7a8"],
    wrong: ["main", "HEAD~1", "head", "not a hash"],
  },
  {
    type: "SandboxRestart",
    args: {},
    name: "sandbox",
    right: ["sandbox-1", "a", "_x_9", "6660f9e2"],
    wrong: ["-sandbox", "sandbox-", "sand box", "a/b", ""],
  },
  {
    type: "OAuthClient",
    args: oauth,
    name: "redirectUris",
    right: [["https://app.example.com/callback", "http://127.0.0.1/", "com.example.app:/callback"]],
    wrong: [["callback"], ["/callback"], ["https://app.example.com/#x"]],
  },
  {
    type: "OAuthClient",
    args: oauth,
    name: "clientUri",
    right: ["https://app.example.com"],
    wrong: ["app.example.com", "$PAGE"],
  },
];

describe.each(formats)("$name of $type", ({ type, args, name, right, wrong }) => {
  const problems = (value: unknown) =>
    validateArgs(getDefinition(type), { ...args, [name]: value }).map(formatProblemLine);

  it.each(right.map((value) => ({ value })))("accepts $value", ({ value }) => {
    expect(problems(value)).toEqual([]);
  });

  it.each(wrong.map((value) => ({ value })))("refuses $value", ({ value }) => {
    expect(problems(value)).toEqual([expect.stringMatching(new RegExp(`^${name}.*: (must |is not a )`))]);
  });

  it("accepts an unknown value in a preview", () => {
    expect(problems(UNKNOWN)).toEqual([]);
  });
});
