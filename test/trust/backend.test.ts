/** Tests trust/backend.ts. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { chooseBackend } from "../../trust/backend.js";
import { StateAddress } from "../../trust/state-address.js";

const checkout = realpathSync(mkdtempSync(join(tmpdir(), "backend-")));
const root = join(checkout, "teams");
mkdirSync(root);
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

interface Texts {
  readonly environment?: string;
  readonly project?: string;
  readonly login?: string;
  readonly accounts?: readonly string[];
  readonly hasToken?: boolean;
}

function choose({ environment, project, login, accounts = [], hasToken = false }: Texts) {
  const chosen = chooseBackend({
    environment: StateAddress.in(environment),
    project: StateAddress.in(project),
    login: StateAddress.in(login),
    accounts: accounts.map((one) => new StateAddress(one)),
    ...{ hasToken, file: "Pulumi.yaml", root, checkout },
  });
  return chosen && { ...chosen, url: chosen.url.whole };
}

it("takes that of the environment, whatever a project or a login names", () => {
  const environment = "s3://environment";
  const url = "https://theirs.example.com";
  expect(choose({ environment, project: url, login: "s3://login" })).toEqual({
    url: environment,
    isOutside: true,
  });
});

it("takes that of the login if the project names none", () => {
  expect(choose({ login: "s3://login" })).toEqual({ url: "s3://login", isOutside: true });
  expect(choose({})).toBeUndefined();
});

it.each([
  ["file://./state", "state"],
  ["file://state", "state"],
  ["file://../state", "../state"],
])("takes a folder inside the checkout from a project: %s", (project, path) => {
  expect(choose({ project })).toEqual({ url: pathToFileURL(join(root, path)).href, isOutside: false });
});

it.each([
  "file:///etc",
  "file://~",
  "file://~/state",
  "file://../../state",
  "file://./link/state",
  "s3://bucket?endpoint=https://theirs.example.com",
  "s3://bucket",
  "azblob://container?domain=theirs.example.com",
  "gs://bucket",
  "postgres://theirs.example.com/state",
  "https://theirs.example.com",
  "mem://",
])("refuses %s, which only the project names", (project) => {
  rmSync(join(root, "link"), { force: true });
  symlinkSync(tmpdir(), join(root, "link"));
  expect(() => choose({ project })).toThrow(/set PULUMI_BACKEND_URL/);
  expect(() => choose({ project, accounts: ["s3://another"] })).toThrow(/nothing was sent/);
});

it("takes any place that a login of this user names, also if it is not the current one", () => {
  const accounts = ["s3://bucket", "file:///var/state"];
  const login = "s3://current";
  for (const url of accounts)
    expect(choose({ project: url, accounts, login, hasToken: true })).toEqual({ url, isOutside: true });
  expect(() => choose({ project: "s3://bucket?endpoint=https://theirs.example.com", accounts })).toThrow(
    /nothing was sent/,
  );
});

it("names the login only where it is one word for every shell", () => {
  expect(() => choose({ project: "s3://bucket" })).toThrow('"workspacectl pulumi -- login s3://bucket"');
  for (const project of ["s3://bucket;reboot", "s3://$(reboot)", "s3://bucket?region=eu"])
    expect(() => choose({ project })).not.toThrow(/pulumi -- login/);
});

it("takes what the login names anyway", () => {
  const project = "https://ours.example.com/";
  expect(choose({ project, login: "https://ours.example.com" })).toEqual({ url: project, isOutside: true });
});

it("takes a service for which a login has stored a token, unless the environment has one that may be for another", () => {
  const sources = { project: "https://ours.example.com", accounts: ["https://ours.example.com"] };
  expect(choose(sources)?.isOutside).toBe(true);
  expect(() => choose({ ...sources, hasToken: true })).toThrow(/nothing was sent/);
});

it("makes the path of a folder absolute, because Pulumi runs elsewhere", () => {
  expect(choose({ environment: "file://./state" })?.url).toBe(pathToFileURL(join(root, "state")).href);
  expect(choose({ environment: "file://~/state" })?.url).toBe(pathToFileURL(join(homedir(), "state")).href);
  expect(choose({ login: "file:///var/state" })?.url).toBe("file:///var/state");
});

it("prints no parameters of an address, which may contain a key", () => {
  expect(() => choose({ project: "azblob://c?sas=SECRET" })).not.toThrow(/SECRET/);
  expect(() => choose({ project: "azblob://c?sas=SECRET" })).toThrow(/azblob:\/\/c/);
});
