/**
 * Tests that each script which people copy hands its process over to a command that applies. Runners signal the shell of a step only, and a shell passes
 * nothing on: without `exec`, the command would go on until it is killed, with objects that are in no state.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const list = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, dot: true, ignore: ["**/node_modules/**"] });

/** A command that changes a workspace. */
const APPLIES =
  /\b(?:workspacectl (?:-\S+ (?:\w+ )?)*(?:(?:fleet )?(?:up|apply)|destroy|refresh|import|replicate|drift revert)|pulumi (?:up|destroy|refresh|import))(?= |$)/;

/** Returns the scripts of a file: what `run` and the like contain. GitLab runs the items of a list as one script. */
function scriptsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(scriptsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    ["run", "script", "before_script", "after_script", "command", "executeCommands"].includes(key) &&
    (typeof part === "string" || (Array.isArray(part) && part.every((one) => typeof one === "string")))
      ? [[part].flat().join("\n")]
      : scriptsIn(part),
  );
}

function readYaml(text: string): string[] {
  return parseAllDocuments(text).flatMap((document) =>
    document.errors.length > 0 ? [] : scriptsIn(document.toJS()),
  );
}

/** Returns the lines that apply and are not the last of their script with `exec`. */
function findFaults(script: string): string[] {
  const lines = script
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  return lines.filter(
    (line, index) =>
      APPLIES.test(line) &&
      !(index === lines.length - 1 && /^exec (?:npx )?(?:workspacectl|pulumi) [^;&|]*$/.test(line)),
  );
}

const files = list("examples/**/*.{yml,yaml}").map((path) => [path, readYaml(read(path))] as const);
const pages = list("README.md", "docs/**/*.md", "examples/**/*.md").map((path) => {
  const blocks = [...read(path).matchAll(/^( *)```ya?ml\n(.*?)^ *```/gms)];
  return [path, blocks.flatMap(([, , text = ""]) => readYaml(text))] as const;
});
const shell = list("examples/**/*.sh").map((path) => [path, [read(path)]] as const);
const all = [...files, ...pages, ...shell];

describe("a script that people copy", () => {
  it("applies as the last thing it does, with exec", () => {
    const faults = all.flatMap(([path, scripts]) =>
      scripts.flatMap(findFaults).map((line) => `${path}: ${line}`),
    );
    expect(faults).toEqual([]);
  });

  it("is found wherever one applies", () => {
    const applying = all.filter(([, scripts]) => scripts.some((script) => APPLIES.test(script)));
    expect(applying.map(([path]) => path).toSorted()).toEqual(
      expect.arrayContaining([
        "examples/ci/fleet/github/on-merge/up.yml",
        "examples/ci/fleet/github/up.yml",
        "examples/ci/fleet/gitlab/.gitlab-ci.yml",
        "examples/ci/github/actions/workspacectl/action.yml",
        "examples/ci/gitlab/templates/workspace.yml",
      ]),
    );
  });

  it.each([
    "workspacectl up --yes",
    "exec workspacectl up --yes\nworkspacectl logout",
    "mkdir x\nworkspacectl fleet up \\\n  --yes",
    "exec workspacectl up --yes || code=$?",
    "pulumi up --yes",
    "workspacectl -c eu drift revert --all",
  ])("is a fault: %s", (script) => {
    expect(findFaults(script)).toHaveLength(1);
  });

  it.each([
    "exec workspacectl up --yes",
    "workspacectl preview",
    "exec npx workspacectl fleet up \\\n  --yes",
  ])("is none: %s", (script) => {
    expect(findFaults(script)).toEqual([]);
  });
});
