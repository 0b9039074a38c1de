/** Tests that the examples pin each action by the commit of one version that runs with Node.js 24, and that something keeps the pins new. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = globSync(["examples/**/*.{yml,yaml,md}", "docs/**/*.md", "README.md"], {
  cwd: root,
  dot: true,
});

/** The first major version of each action whose action.yml says `using: node24`. GitHub removes Node.js 20 from its runners. */
const firstOnNode24: Readonly<Record<string, number>> = {
  "actions/cache": 5,
  "actions/checkout": 5,
  "actions/download-artifact": 7,
  "actions/setup-node": 5,
  "actions/upload-artifact": 6,
  "github/codeql-action": 4,
  "pulumi/actions": 7,
  "pulumi/auth-actions": 2,
};

/** Actions of other repositories, each with the file that uses it. */
const pins = files.flatMap((file) =>
  [...read(file).matchAll(/^[ -]*uses: ([\w.-]+\/[\w.-]+)(?:\/[\w/.-]+)?@(.*)$/gm)].flatMap(
    ([, name = "", version = ""]) => (name === "OWNER/REPOSITORY" ? [] : [{ file, name, version }]),
  ),
);

it("pins each action by a commit, with the version that Dependabot and Renovate update beside it", () => {
  expect(new Set(pins.map(({ name }) => name))).toEqual(new Set(Object.keys(firstOnNode24)));
  for (const { file, name, version } of pins)
    expect(version, `${file}: ${name}`).toMatch(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it("pins one version of each action everywhere, which runs with Node.js 24", () => {
  for (const [name, first] of Object.entries(firstOnNode24)) {
    const versions = new Set(pins.filter((pin) => pin.name === name).map(({ version }) => version));
    expect(versions.size, name).toBe(1);
    expect(Number(/ # v(\d+)\./.exec([...versions].join())?.[1]), name).toBeGreaterThanOrEqual(first);
  }
});

it("keeps them new where they are copied to", () => {
  const { updates } = parse(read("examples/ci/github/dependabot.yml")) as { updates: readonly unknown[] };
  expect(updates).toEqual([
    expect.objectContaining({
      "package-ecosystem": "github-actions",
      directories: ["/", "/.github/actions/*"],
    }),
  ]);
});
