/** Tests where a provider under plain Pulumi looks for the state. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findStateAddress } from "../../recovery/find-state-address.js";

let root: string;
let program: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "project-"));
  program = join(root, "dist/program");
  mkdirSync(program, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const logIn = (current: string) => write("credentials.json", JSON.stringify({ current }));
const address = async (env: Record<string, string> = {}) =>
  (await findStateAddress({ PULUMI_HOME: root, ...env }, program))?.whole;

it("takes the environment's address before the project's, and that before the login's", async () => {
  expect(await address()).toBeUndefined();
  logIn("s3://login");
  expect(await address()).toBe("s3://login");
  write("Pulumi.yaml", "name: web\nruntime: nodejs\n");
  expect(await address()).toBe("s3://login");
  write("Pulumi.yaml", "name: web\nbackend: { url: gs://project }\n");
  expect(await address()).toBe("gs://project");
  expect(await address({ PULUMI_BACKEND_URL: "azblob://environment" })).toBe("azblob://environment");
});

it("takes Pulumi.json where there are both, as Pulumi does", async () => {
  write("Pulumi.yaml", "name: web\nbackend: { url: gs://yaml }\n");
  write("Pulumi.json", '{ "name": "web", "backend": { "url": "gs://json" } }');
  expect(await address()).toBe("gs://json");
});

it("resolves a relative folder from the project, and the home of the user", async () => {
  write("Pulumi.yaml", "name: web\nbackend: { url: file://./state }\n");
  expect(await address()).toBe(pathToFileURL(join(root, "state")).href);
  expect(await address({ PULUMI_BACKEND_URL: "file://~" })).toBe(pathToFileURL(homedir()).href);
});
