/**
 * Validates the manifests of examples/kubernetes with the schemas of the oldest version of Kubernetes that docs/fleet.md promises, and of the newest that
 * the validator knows. No cluster is needed, but Python.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { globSync } from "tinyglobby";
import { beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { repository, temporaryFolder } from "../e2e/support.js";

const VALIDATOR = "kubernetes-validate==1.37.0";
const NEWEST = "1.37";
const [, oldest = ""] =
  /Kubernetes (\d+\.\d+) or later/.exec(readFileSync(join(repository, "docs/fleet.md"), "utf8")) ?? [];

const examples = join(repository, "examples/kubernetes");
/** Kinds that a cluster has without the operator. */
const isOfKubernetes = (text: string) => !/^apiVersion: pulumi\.com\//m.test(text);
const manifests = globSync(["*.yaml", "operator/*.yaml"], { cwd: examples }).flatMap((file) =>
  parseAllDocuments(readFileSync(join(examples, file), "utf8"))
    .map((document, index) => ({ name: `${file} (${index + 1})`, text: document.toString() }))
    .filter(({ text }) => /^kind: /m.test(text) && isOfKubernetes(text)),
);

const { exitCode } = await execa("python3", ["-m", "venv", "--help"], { reject: false });
const folder = temporaryFolder();
const command = join(folder, "venv/bin/kubernetes-validate");

beforeAll(async () => {
  if (exitCode !== 0) return;
  await execa("python3", ["-m", "venv", join(folder, "venv")]);
  await execa(join(folder, "venv/bin/pip"), ["install", "--quiet", "--disable-pip-version-check", VALIDATOR]);
}, 600_000);

async function validate(version: string, text: string): Promise<string> {
  const file = join(folder, "manifest.yaml");
  // The validator does not know names that the cluster completes.
  writeFileSync(file, text.replace(/^( *)generateName: (.*)-$/m, "$1name: $2"));
  const { all, exitCode: code } = await execa(command, ["-k", version, "--strict", file], {
    all: true,
    reject: false,
  });
  return code === 0 ? "valid" : all;
}

describe.skipIf(exitCode !== 0)(
  `the manifests${exitCode === 0 ? "" : " (skipped: there is no Python)"}`,
  () => {
    it("are more than one, and the oldest version is on the page", () => {
      expect(manifests.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["drift.yaml (1)", "up.yaml (1)"]),
      );
      expect(oldest).toMatch(/^1\.\d+$/);
    });

    it.each(manifests)("$name is valid for the oldest and the newest version", async ({ text }) => {
      for (const version of [oldest, NEWEST])
        expect([version, await validate(version, text)]).toEqual([version, "valid"]);
    });

    it("would be refused without what an older version requires", async () => {
      const drift = manifests.find(({ name }) => name.startsWith("drift.yaml"))?.text ?? "";
      expect(await validate(oldest, drift.replace(/^ *status: "True".*\n/m, ""))).toContain("status");
    });
  },
);
