/** Tests baselines and notifications of drift. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDriftBaseline, type DriftReport } from "../../../../automation/drift/drift-report.js";
import {
  formatWebhook,
  hasChangedSince,
  parseWebhookUrl,
  postReport,
  writeBaseline,
} from "../../../../reports/deliver-report.js";
import { createDriftView } from "../../../../reports/views/drift-view.js";
import { fileIn, temporaryFolder } from "../../support.js";
import { finding, reportWith, unread } from "./support.js";

const folder = temporaryFolder();
const posted = () => ({ value: reportWith(), view: createDriftView(reportWith()) });

describe("the baseline of the last run", () => {
  const file = join(folder, "seen.json");

  it("is empty before the first run, so that all findings are new", () => {
    expect(hasChangedSince(file, reportWith())).toBe(true);
    expect(hasChangedSince(file, reportWith({ findings: [] }))).toBe(false);
    expect(hasChangedSince(file, reportWith({ findings: [], incomplete: [unread] }))).toBe(true);
  });

  it("is compared with the findings of the current run", () => {
    writeBaseline(file, reportWith(), createDriftBaseline(reportWith()));
    expect(hasChangedSince(file, reportWith({ now: new Date("2027-01-01") }))).toBe(false);
    expect(hasChangedSince(file, reportWith({ findings: [] }))).toBe(true);
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")) as object)).toEqual([
      "version",
      "fingerprint",
      "workspace",
      "stack",
      "seenAt",
      "counts",
    ]);
  });

  it("is rejected if it is not a state file", () => {
    const other = fileIn(folder, "other.json", "{}");
    expect(() => hasChangedSince(other, reportWith())).toThrow("is not a record of findings of workspacectl");
  });
});

describe("the address of a webhook", () => {
  it.each(["https://chat.example/hooks/1", "http://localhost:1", "http://127.0.0.1:1/x", "http://[::1]:1/"])(
    "can be %s",
    (address) => {
      expect(parseWebhookUrl(address).href).toContain("/");
    },
  );

  it.each(["http://chat.example/hooks/secret-1", "ftp://chat.example/secret-1", "secret-1"])(
    "cannot be %s, which is not repeated",
    (address) => {
      let message = "";
      try {
        parseWebhookUrl(address);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toContain("begins with https://");
      expect(message).not.toContain("secret-1");
    },
  );
});

describe("a webhook request", () => {
  const answers: number[] = [];
  const posts: { type: string | undefined; body: { text: string; report: DriftReport } }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      posts.push({
        type: request.headers["content-type"],
        body: JSON.parse(body) as (typeof posts)[number]["body"],
      });
      const status = answers.shift() ?? 200;
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
    });
  });
  let url: URL;

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/secret-path`);
  });
  beforeEach(() => {
    answers.length = 0;
    posts.length = 0;
  });
  afterAll(() => server.close());

  it("contains a text for people and the report", async () => {
    await postReport(url, posted());
    expect(posts).toMatchObject([
      { type: "application/json", body: { report: JSON.parse(JSON.stringify(reportWith())) as object } },
    ]);
    expect(posts[0]?.body.text.split("\n")).toEqual([
      "Drift: 1 deleted, 1 changed, 1 added, 1 pending, 1 as declared, 1 value not verifiable (workspace acme, stack us)",
      "• deleted: Group groups/Ops is gone from the workspace",
      '• changed: Group groups/QA description: declared "Testers", live "Hobby club"',
      "• added: Group groups/Hackers is in the workspace and not declared",
    ]);
  });

  it("is retried if the server fails, but not if it rejects the request", async () => {
    answers.push(503, 429, 200);
    await postReport(url, posted(), 1);
    expect(posts).toHaveLength(3);
    answers.push(404);
    await expect(postReport(url, posted(), 1)).rejects.toThrow("it answered 404");
    expect(posts).toHaveLength(4);
  });

  it("fails after several attempts, and reveals only the host of the address", async () => {
    answers.push(500, 500, 500, 500);
    const failing = postReport(url, posted(), 1);
    await expect(failing).rejects.toThrow(`at ${url.host}: it answered 500`);
    await expect(failing).rejects.not.toThrow("secret-path");
    expect(posts).toHaveLength(4);
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, "127.0.0.1", done));
    const nobody = new URL(`http://127.0.0.1:${(closed.address() as AddressInfo).port}/secret`);
    await new Promise((done) => closed.close(done));
    await expect(postReport(nobody, posted(), 1)).rejects.toThrow("ECONNREFUSED");
  });

  it("does not follow redirects", async () => {
    answers.push(302, 302, 302, 302);
    await expect(postReport(url, posted(), 1)).rejects.toThrow("could not be posted");
    expect(posts.length).toBe(4);
  });

  it("mentions nobody in a chat, whatever a name contains", () => {
    const text = formatWebhook(
      createDriftView(
        reportWith({ findings: [finding({ name: "groups/<!channel> @everyone ann@example.com\nx" })] }),
      ),
    );
    expect(text.split("\n")).toHaveLength(2);
    expect(text).not.toMatch(/<|>|@everyone/);
    expect(text).toContain("ann@example.com");
  });

  it("names ten findings, and counts the rest", () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      finding({ id: String(index), name: `groups/${index}` }),
    );
    const lines = formatWebhook(createDriftView(reportWith({ findings: many }))).split("\n");
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe("… and 2 more");
  });
});
