/** Tests what stands beside the jobs: the hooks of pre-commit, and the preset for Renovate. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fileIn, run, temporaryFolder } from "../cli/support.js";
import { folder } from "./workflow.js";

const root = join(import.meta.dirname, "../..");

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly pass_filenames: boolean;
}
const hooks = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8")) as readonly Hook[];

const valid = "version: 1\nworkspace: acme\n\ngroups:\n  QA:\n    description: Testers\n";
const cases: readonly [id: string, wrong: string][] = [
  ["workspacectl-fmt", "version: 1\nworkspace:   acme\n"],
  ["workspacectl-validate", "version: 1\nworkspace: acme\ngroops: {}\n"],
  ["workspacectl-lint", "version: 1\nworkspace: acme\nvariables:\n  API_TOKEN: plain-value-of-a-token\n"],
];

describe("the hooks of pre-commit", () => {
  it("are those of the table, and run what is installed only", () => {
    expect(hooks.map(({ id }) => id)).toEqual(cases.map(([id]) => id));
    for (const { entry, language, pass_filenames: passes } of hooks)
      expect([entry, language, passes]).toEqual([
        expect.stringMatching(/^npx --no-install workspacectl /),
        "system",
        false,
      ]);
  });

  it.each(cases)("%s: accepts a good file, and refuses a bad one", async (id, wrong) => {
    const [, line = ""] = hooks.find((hook) => hook.id === id)?.entry.split("workspacectl ") ?? [];
    const codeOf = async (text: string) => {
      const file = fileIn(temporaryFolder(), "workspace.yaml", text);
      const named = id === "workspacectl-fmt" ? [file] : ["-f", file];
      return (await run([...line.split(" "), ...named], {})).code;
    };
    expect(await codeOf(valid)).toBe(0);
    expect(await codeOf(wrong)).not.toBe(0);
  });
});

describe("the preset for Renovate", () => {
  const preset = JSON.parse(readFileSync(join(folder, "renovate.json"), "utf8")) as {
    customManagers: readonly [{ managerFilePatterns: readonly string[]; matchStrings: readonly string[] }];
  };
  const [{ managerFilePatterns, matchStrings }] = preset.customManagers;
  const imagesIn = (text: string) =>
    matchStrings.flatMap((pattern) =>
      [...text.matchAll(new RegExp(pattern, "g"))].map(({ groups }) => ({ ...groups })),
    );

  it("finds images in every form of an entry", () => {
    const text = `actions:
  - { name: A, containerImageName: node, containerImageTag: "22", executeCommands: [a] }
  - name: B
    containerImageName: "registry.example.com/team/tool"
    containerImageTag: 'v1.2.3'
`;
    expect(imagesIn(text)).toEqual([
      { depName: "node", currentValue: "22" },
      { depName: "registry.example.com/team/tool", currentValue: "v1.2.3" },
    ]);
  });

  it("finds images with keys in quotes, comments in between, and digests", () => {
    const digest = `sha256:${"0a".repeat(32)}`;
    const text = `actions:
  - { "name": "A", "containerImageName": "node", "containerImageTag": "22" }
  - name: B
    containerImageName: tool # of the platform team
    # Pinned until the next release.

    containerImageTag: v1.2.3@${digest}
`;
    expect(imagesIn(text)).toEqual([
      { depName: "node", currentValue: "22" },
      { depName: "tool", currentValue: "v1.2.3", currentDigest: digest },
    ]);
  });

  it("finds each image of the quickstart", () => {
    const text = readFileSync(join(root, "examples/quickstart/workspace.yaml"), "utf8");
    const tags = text.match(/containerImageTag:/g) ?? [];
    expect(tags.length).toBeGreaterThan(0);
    expect(imagesIn(text)).toHaveLength(tags.length);
  });

  it("looks into workspace files and the files of projects", () => {
    const matches = (path: string) =>
      managerFilePatterns.some((pattern) => new RegExp(pattern.slice(1, -1)).test(path));
    for (const path of ["workspace.yaml", "teams/workspace.us.yml", "projects/web.yaml"])
      expect([path, matches(path)]).toEqual([path, true]);
    for (const path of ["compose.yaml", "projects/web/compose.yaml"])
      expect([path, matches(path)]).toEqual([path, false]);
  });
});
