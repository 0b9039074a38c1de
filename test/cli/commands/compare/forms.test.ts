/** Tests report formats, suppressions and baselines of a comparison. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { JSDOM } from "jsdom";
import type { Log } from "sarif";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator } from "../../../../emulator/index.js";
import { fileIn, run, temporaryFolder } from "../../support.js";
import { type Regions, regions, told } from "./support.js";

const repository = join(import.meta.dirname, "../../../..");
const schemaAt = (path: string) => JSON.parse(readFileSync(join(repository, path), "utf8")) as object;

const folder = temporaryFolder();
const US = `groups:
  QA:
    description: Testers
  Ops: {}
variables: { REGION: us-east, API_KEY: { value: key-in-clear, encrypted: true }, DEPLOY_TOKEN: one-in-clear }
projects: { web: { pipelines: { deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main } } } }
`;
const EU = US.replace("Testers", 'Checkers <b>|`"')
  .replace("Ops", "Support")
  .replace("us-east", "eu-west")
  .replace("one-in", "two-in");
const file = fileIn(folder, "workspace.yaml", `version: 1\n${US}`);
let both: Regions;

beforeAll(async () => {
  both = await regions(US, EU, {}, startEmulator);
});
afterAll(async () => {
  await Promise.all([both.us, both.eu].map((emulator) => emulator.close()));
});

const shown = async (...argv: string[]) =>
  (await both.compares(...argv)).stdout.replaceAll(/127\.0\.0\.1:\d+/g, "host");

describe("the report formats", () => {
  it("include a table that names both sources", async () => {
    expect((await shown("us", "eu")).replace(/\(\d+\.\d s\)/, "(0.1 s)").replaceAll(/hmac:\w+/g, "hmac:..."))
      .toMatchInlineSnapshot(`
        "us (workspace acme-us at http://host)  ⇄  eu (workspace acme-eu at http://host)

        - groups/Ops  only in us
        + groups/Support  only in eu
        ~ groups/QA  description  us "Testers", eu "Checkers <b>|\`\\""
        ~ variables/DEPLOY_TOKEN  value  [secret, changed] hmac:... → hmac:...
        ~ variables/REGION  value  us "us-east", eu "eu-west"

        not compared, because the service never returns it: of each pipeline cron, delay, lastExecutionRevision, paused, runAlways, startDate; of each project customRepoPass, customRepoUrl, customRepoUser, externalProjectId, gitLabProjectId, integration
        Different: 1 missing, 1 added, 3 changed, 2 the same, 1 value not verifiable (0.1 s).
        "
      `);
  });

  it("include JSON that follows the published schema", async () => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
      schemaAt("schema/compare-report.schema.json"),
    );
    for (const argv of [
      ["us", "eu"],
      [file, "eu"],
      ["eu", "connection:us/umbrella"],
    ]) {
      const value: unknown = JSON.parse((await both.compares(...argv, "--json")).stdout);
      validate(value);
      expect(validate.errors ?? []).toEqual([]);
    }
  });

  it("include Markdown that says which sign stands for which source", async () => {
    const text = await shown("us", "eu", "--format", "markdown");
    expect(text).toContain(
      "## 🔴 Different: 1 missing, 1 added, 3 changed, 2 the same, 1 value not verifiable",
    );
    expect(text).toContain("**3 changed** (− us, + eu)");
    expect(text).toContain('~~~diff\n- value: "us-east"\n+ value: "eu-west"\n~~~');
    expect(text).not.toContain("arguments");
    expect(text).toContain("is in us, but not in eu");
  });

  it("include JUnit, with a failure for each finding that leads to exit code 7", async () => {
    const text = await shown(file, "eu", "--format", "junit");
    const { documentElement } = new JSDOM(text, { contentType: "application/xml" }).window.document;
    expect(documentElement.getAttribute("failures")).toBe("5");
    expect(documentElement.getAttribute("name")).toBe(`comparison of ${file} and eu`);
    expect(
      [...documentElement.querySelectorAll("testsuite")].map((suite) => suite.getAttribute("name")),
    ).toEqual([...["missing", "added", "changed", "unverifiable", "read", "ignored"]]);
    expect(text).toContain("workspace.yaml:4:");
  });

  it("include SARIF with the lines of a file, but without locations between two regions", async () => {
    const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
      schemaAt("test/fixtures/sarif-schema-2.1.0.json"),
    );
    const places = [];
    for (const left of [file, "us"]) {
      const log = JSON.parse(await shown(left, "eu", "--format", "sarif")) as Log;
      validate(log);
      expect(validate.errors ?? []).toEqual([]);
      const found = log.runs[0]?.results?.find(({ ruleId }) => ruleId === "compare/changed")?.locations?.[0];
      places.push(found?.physicalLocation?.region?.startLine);
      expect(found?.logicalLocations?.[0]?.fullyQualifiedName).toBe("groups/QA");
    }
    expect(places).toEqual([4, undefined]);
  });

  it("include an HTML page next to another format", async () => {
    const page = join(folder, "compare.html");
    const { stdout } = await both.compares("us", "eu", "--format", "table", "--format", `html=${page}`);
    expect(stdout).toContain("Different:");
    const { document } = new JSDOM(readFileSync(page, "utf8")).window;
    expect(document.title).toBe("Comparison of us and eu");
    expect(document.querySelectorAll(".finding")).toHaveLength(6);
    expect([...document.querySelectorAll(".side h4")].map((title) => title.textContent)).toEqual(
      expect.arrayContaining(["us", "eu"]),
    );
    expect(document.querySelector("b")).toBeNull();
  });
});

describe("expected differences", () => {
  const exceptions = (text: string) => fileIn(folder, "exceptions.yaml", `version: 1\nexceptions:\n${text}`);

  it("are listed in a file with reasons, and do not count", async () => {
    const named = exceptions(`  - { object: variables/*, path: value, reason: Each region has its own }
  - { object: groups/*, class: [missing, added], reason: Other teams }
  - { object: groups/QA, path: description, reason: In the words of the region, expires: 2099-12-31 }
`);
    const found = await both.report("us", "eu", "--exceptions", named);
    expect(found).toMatchObject({ code: 0, result: "same", findings: [] });
    expect(found.ignored).toHaveLength(6);
    expect(found.ignored[0]?.place?.file).toBe(named);
    const text = await shown("us", "eu", "--exceptions", named);
    expect(text).toContain("ignored: missing groups/Ops (Other teams)");
    expect(text).toContain("No difference: 2 objects the same; 6 ignored");
  });

  it("are reported again after their expiry date, with a warning for an entry without a match", async () => {
    const named =
      exceptions(`  - { object: groups/QA, path: description, reason: For now, expires: 2020-01-31 }
  - { object: groups/Gone, reason: It was there }
`);
    const { code, warnings, findings } = await both.report("us", "eu", "--exceptions", named);
    expect(code).toBe(7);
    expect(findings).toHaveLength(6);
    expect(warnings.map((one) => [one.code, one.place?.line])).toEqual([
      ["ignore-expired", 3],
      ["ignore-unused", 4],
    ]);
  });

  it("must follow the published schema", async () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      schemaAt("schema/compare-exceptions.schema.json"),
    );
    expect(validate({ version: 1, exceptions: [{ object: "a/*", class: "missing", reason: "x" }] })).toBe(
      true,
    );
    expect(validate({ version: 1, exceptions: [{ object: "a/*" }] })).toBe(false);
    const { stderr } = await both.compares(
      "us",
      "eu",
      "--exceptions",
      exceptions("  - { object: groups/QA }\n"),
    );
    expect(stderr).toMatch(/exceptions\.yaml:3:\d+: .* is required/);
    const { stderr: none } = await both.compares("us", "eu", "--exceptions", "none.yaml");
    expect(none).toContain("there is no exceptions file none.yaml");
  });
});

describe("changed findings", () => {
  it("are detected by comparison with the last run, although fingerprints of secrets change", async () => {
    const state = join(folder, "seen.json");
    const run = (right: string) => both.report("us", right, "--state-file", state);
    expect([await run("eu"), await run("eu"), await run("us")].map((one) => one.changedSinceLast)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("are posted to a webhook", async () => {
    const posts: string[] = [];
    const server = createServer((request, response) => {
      request.on("data", (part: Buffer) => posts.push(part.toString()));
      request.on("end", () => response.end());
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await both.compares("us", "eu", "--webhook", url);
    server.close();
    const { text } = JSON.parse(posts.join("")) as { text: string };
    expect(text.split("\n").slice(0, 2)).toEqual([
      "Different: 1 missing, 1 added, 3 changed, 2 the same, 1 value not verifiable (us and eu)",
      "• missing: Group groups/Ops is in us, but not in eu",
    ]);
  });
});

describe("the command line", () => {
  it("selects the classes that count", async () => {
    const { code, failOn } = await both.report("us", "eu", "--fail-on", "none");
    expect({ code, failOn }).toEqual({ code: 0, failOn: [] });
    expect((await both.compares("us", "eu", "--fail-on", "deleted")).stderr).toContain(
      '"deleted" is none of missing, added, changed, unverifiable.',
    );
    expect(told(await both.report("us", "eu", "--kinds", "groups", "--fail-on", "missing"))).toHaveLength(3);
  });

  it("is documented in the help", async () => {
    const { stdout } = await run(["compare", "--help"]);
    expect(stdout).toMatch(/compare \[options\] <left> <right>/);
    expect(stdout).toContain("--exceptions <file>");
  });
});
