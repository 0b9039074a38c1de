/** Tests automation/drift/drift-report.ts. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type DriftFinding,
  driftIgnoreFile,
  ignorable,
  readIgnoreFile,
} from "../../../../automation/drift/drift-report.js";
import { applySuppressions } from "../../../../automation/report/suppressions.js";
import { fileIn, temporaryFolder } from "../../support.js";
import { finding } from "./support.js";

const folder = temporaryFolder();
const entries = (...lines: string[]) =>
  driftIgnoreFile.parse(
    "drift-ignore.yaml",
    `version: 1\nignore:\n${lines.map((line) => `  - { ${line} }\n`).join("")}`,
  );
const today = { today: "2026-11-21", complete: true };
const left = (found: DriftFinding[], ...lines: string[]) =>
  applySuppressions(found, entries(...lines), ignorable, today).findings.map(({ name, path }) =>
    `${name} ${path}`.trim(),
  );

const qa = finding();
const name = finding({ path: "name" });
const deep = finding({
  name: "projects/web/pipelines/d/actions/Build [1] (old)",
  path: "executeCommands[1]",
});
const deleted = finding({ class: "deleted", path: "" });

describe("an entry", () => {
  it("suppresses the findings of an object, or of one property", () => {
    expect(left([qa, name], "object: groups/QA, reason: x")).toEqual([]);
    expect(left([qa, name], "object: groups/QA, path: description, reason: x")).toEqual(["groups/QA name"]);
  });

  it("supports * within a path component and ** across components, and matches everything else literally", () => {
    expect(left([qa], "object: groups/*, reason: x")).toEqual([]);
    expect(left([deep], "object: projects/*, reason: x")).toHaveLength(1);
    expect(left([deep], 'object: "projects/**", path: "executeCommands[*]", reason: x')).toEqual([]);
    expect(left([deep], 'object: "projects/web/pipelines/d/actions/Build [1] (old)", reason: x')).toEqual([]);
    expect(
      left([deep], 'object: "projects/web/pipelines/d/actions/Build [12] (old)", reason: x'),
    ).toHaveLength(1);
  });

  it("can be limited to some classes", () => {
    expect(left([qa], "object: groups/QA, class: added, reason: x")).toHaveLength(1);
    expect(left([qa], "object: groups/QA, class: [added, changed], reason: x")).toEqual([]);
  });

  it("never suppresses a deletion", () => {
    expect(left([deleted], 'object: "**", reason: x')).toEqual(["groups/QA"]);
  });

  it("applies up to its expiry date, and is reported after it", () => {
    const line = (expires: string) => `object: groups/QA, reason: Until then, expires: ${expires}`;
    expect(applySuppressions([qa], entries(line("2026-11-21")), ignorable, today)).toMatchObject({
      findings: [],
      warnings: [],
    });
    expect(applySuppressions([qa], entries(line("2026-11-20")), ignorable, today)).toMatchObject({
      findings: [qa],
      warnings: [
        {
          code: "ignore-expired",
          message: expect.stringContaining("expired on 2026-11-20 (Until then)") as string,
        },
      ],
    });
  });

  it("without a match is reported, unless the run is incomplete", () => {
    const unused = entries("object: groups/Other, reason: x");
    expect(applySuppressions([qa], unused, ignorable, today).warnings).toMatchObject([
      { code: "ignore-unused", place: { line: 3, column: 5 } },
    ]);
    expect(applySuppressions([qa], unused, ignorable, { ...today, complete: false }).warnings).toEqual([]);
  });
});

describe("an invalid file", () => {
  const problems = (text: string): string => {
    try {
      driftIgnoreFile.parse("drift-ignore.yaml", text);
    } catch (error) {
      return (error as Error).message;
    }
    return "fine";
  };

  it("is rejected with all its problems and their locations", () => {
    expect(problems("version: 1\nignore:\n  - { object: groups/QA, expires: soon, reson: x }\n"))
      .toMatchInlineSnapshot(`
      "drift-ignore.yaml:3:35: ignore[0].expires: must be a day, such as 2026-12-31
          3 |   - { object: groups/QA, expires: soon, reson: x }
            |                                   ^
      drift-ignore.yaml:3:41: unknown property "reson". Did you mean "reason"?
          3 |   - { object: groups/QA, expires: soon, reson: x }
            |                                         ^
      2 problems in drift-ignore.yaml; nothing was changed"
    `);
  });

  it("is rejected if it ignores deletions", () => {
    expect(problems("version: 1\nignore:\n  - { object: groups/QA, class: deleted, reason: x }\n")).toContain(
      "Deletions cannot be ignored",
    );
    expect(
      problems("version: 1\nignore:\n  - { object: groups/QA, class: [added, deleted], reason: x }\n"),
    ).toContain("Deletions cannot be ignored");
  });

  it("is rejected if it is not YAML, or if it is named but missing", () => {
    expect(problems("version: [1\n")).toContain("drift-ignore.yaml:");
    expect(() => readIgnoreFile(join(folder, "none.yaml"), "workspace.yaml")).toThrow(
      "there is no ignore file",
    );
  });
});

describe("the ignore file", () => {
  it("is found next to the workspace file or in its folder, and is optional", () => {
    const workspace = fileIn(folder, "workspace.yaml", "version: 1\n");
    expect(readIgnoreFile(undefined, workspace)).toEqual([]);
    fileIn(folder, "drift-ignore.yaml", "version: 1\nignore:\n  - { object: groups/QA, reason: x }\n");
    expect(readIgnoreFile(undefined, workspace)).toHaveLength(1);
    expect(readIgnoreFile(undefined, folder)).toHaveLength(1);
    mkdirSync(join(folder, "empty"));
    expect(readIgnoreFile(undefined, join(folder, "empty"))).toEqual([]);
  });
});
