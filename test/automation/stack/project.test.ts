/** Tests automation/stack/project.ts. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { type Backend, findBackend } from "../../../automation/stack/backend.js";
import { providePassphrase } from "../../../automation/stack/passphrase.js";
import { findProject, makePrivate, mayConfigure } from "../../../automation/stack/project.js";
import { StateAddress } from "../../../trust/state-address.js";
import { fileIn, temporaryFolder, testIo } from "../../cli/support.js";

const root = temporaryFolder();
let count = 0;

/** Creates a folder, and an empty Pulumi home next to it. */
function fresh(): { folder: string; env: NodeJS.ProcessEnv } {
  const folder = join(root, String(count++));
  mkdirSync(folder, { recursive: true });
  mkdirSync(`${folder}-home`);
  return { folder, env: { PULUMI_HOME: `${folder}-home` } };
}

describe("the project of a workspace file", () => {
  it("is that of the nearest Pulumi.yaml in the folder or above", () => {
    const { folder } = fresh();
    fileIn(folder, "Pulumi.yaml", "name: shop\nruntime: nodejs\nbackend: { url: file:///tmp/x }\n");
    mkdirSync(join(folder, ".git"));
    mkdirSync(join(folder, "a", "b"), { recursive: true });
    const project = findProject(join(folder, "a", "b", "workspace.yaml"));
    expect(project).toMatchObject({ root: folder, name: "shop", own: false });
    expect(project.settings.backendUrl?.whole).toBe("file:///tmp/x");
  });

  it("is not that of a folder above the checkout", () => {
    const { folder } = fresh();
    fileIn(folder, "Pulumi.yaml", "name: other\nruntime: nodejs\n");
    mkdirSync(join(folder, "checkout", ".git"), { recursive: true });
    expect(findProject(join(folder, "checkout", "workspace.yaml"))).toMatchObject({ own: true });
  });

  it.each([
    ["two files of the project", "Pulumi.json", /Pulumi\.yaml and .*Pulumi\.json both exist/],
    ["two files of the stack", "Pulumi.us.json", /Pulumi\.us\.yaml and .*Pulumi\.us\.json both exist/],
  ])("is refused with %s, because tools differ in which they take", (_title, other, message) => {
    const { folder } = fresh();
    fileIn(folder, "Pulumi.yaml", "name: shop\n");
    fileIn(folder, "Pulumi.us.yaml", "config: {}\n");
    fileIn(folder, other, "{}");
    expect(() => mayConfigure(findProject(join(folder, "workspace.yaml")), "us")).toThrow(message);
  });

  it("may be that of any folder above without version control, which then is the checkout", () => {
    const { folder } = fresh();
    fileIn(folder, "Pulumi.yaml", "name: shop\nruntime: yaml\n");
    expect(findProject(join(folder, "teams/a/workspace.yaml"))).toMatchObject({
      root: folder,
      checkout: folder,
      name: "shop",
    });
  });

  it("is a default one next to the file if there is none, and is not written until it is prepared", () => {
    const { folder } = fresh();
    const project = findProject(join(folder, "workspace.yaml"));
    expect(project).toMatchObject({
      root: join(folder, ".pulumi-state"),
      name: "workspace-automation",
      own: true,
    });
    expect(existsSync(project.root)).toBe(false);
    makePrivate(project.root);
    expect(readFileSync(join(project.root, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("can configure the connection only if a stack file does so", () => {
    const { folder } = fresh();
    fileIn(folder, "Pulumi.yaml", "name: workspace-automation\nruntime: nodejs\n");
    const project = findProject(join(folder, "workspace.yaml"));
    expect(mayConfigure(project, "us")).toBe(false);
    fileIn(folder, "Pulumi.us.yaml", "config:\n  workspace-automation:baseUrl: https://host/api\n");
    expect(mayConfigure(project, "us")).toBe(true);
  });

  it("is reported by name if its file cannot be read", () => {
    const { folder } = fresh();
    fileIn(folder, "Pulumi.yaml", "runtime: nodejs\n");
    expect(() => findProject(join(folder, "workspace.yaml"))).toThrow(
      /Pulumi\.yaml does not name its project/,
    );
  });
});

describe("the location of the state", () => {
  const login = (home: string | undefined, current: string) =>
    fileIn(home ?? "", "credentials.json", JSON.stringify({ current }));

  it("is PULUMI_BACKEND_URL, else the current login", () => {
    const { folder, env } = fresh();
    login(env["PULUMI_HOME"], "s3://login");
    const project = findProject(join(folder, "workspace.yaml"));
    const expected = { notice: undefined, isOwn: false, isOutside: true };
    const found = ({ url, ...rest }: Backend) => ({ url: url.whole, ...rest });
    expect(found(findBackend(project, env))).toEqual({ url: "s3://login", ...expected });
    const variable = { ...env, PULUMI_BACKEND_URL: "s3://variable" };
    expect(found(findBackend(project, variable))).toEqual({ url: "s3://variable", ...expected });
  });

  it("must be named if the login is encrypted, because only Pulumi can read it", () => {
    const { folder, env } = fresh();
    const envelope = { $pulumiSecureStore: 1, backend: "linux-secretservice", nonce: "n", data: "d" };
    fileIn(env["PULUMI_HOME"] ?? "", "credentials.json", JSON.stringify(envelope));
    const find = (more: NodeJS.ProcessEnv = {}) =>
      findBackend(findProject(join(folder, "workspace.yaml")), { ...env, ...more });
    expect(() => find()).toThrow(/credentials\.json, in which Pulumi keeps its logins, is encrypted/);
    expect(() => find({ PULUMI_ACCESS_TOKEN: "t" })).toThrow(/is encrypted/);
    expect(find({ PULUMI_BACKEND_URL: "s3://variable" }).url.whole).toBe("s3://variable");
    fileIn(
      folder,
      "Pulumi.yaml",
      `name: shop\nruntime: nodejs\nbackend: { url: "file://${folder}/state" }\n`,
    );
    expect(find().url.whole).toBe(`file://${folder}/state`);
  });

  it("is a folder next to the file without a login, with a notice", () => {
    const { folder, env } = fresh();
    const { url, notice } = findBackend(findProject(join(folder, "workspace.yaml")), env);
    const own = join(folder, ".pulumi-state");
    expect(url.whole).toBe(pathToFileURL(own).href);
    expect(notice).toBe(
      `State: ${own}, on this machine only, because there is no Pulumi login. Keep a copy of it, or choose another place with "workspacectl pulumi -- login".`,
    );
  });

  it("is not chosen by a login that a change could contain", () => {
    const { folder } = fresh();
    const env = { PULUMI_HOME: join(folder, ".pulumi") };
    mkdirSync(env.PULUMI_HOME);
    login(env.PULUMI_HOME, "https://theirs.example.com");
    const find = () => findBackend(findProject(join(folder, "workspace.yaml")), env);
    expect(find).toThrow(/Pulumi's credentials file .* is in the checkout .*PULUMI_HOME/s);
  });

  it("comes with a warning if a login hides an older state in the folder", () => {
    const { folder, env } = fresh();
    mkdirSync(join(folder, ".pulumi-state", ".pulumi"), { recursive: true });
    login(env["PULUMI_HOME"], "s3://login");
    const { notice } = findBackend(findProject(join(folder, "workspace.yaml")), env);
    expect(notice).toContain("An older state in");
  });
});

describe("the passphrase", () => {
  function ask(env: NodeJS.ProcessEnv, url = "file:///tmp/state", settings?: string) {
    const { folder } = fresh();
    fileIn(folder, "Pulumi.yaml", "name: shop\nruntime: nodejs\n");
    if (settings !== undefined) fileIn(folder, "Pulumi.dev.yaml", settings);
    const { io, written } = testIo(env);
    const project = findProject(join(folder, "workspace.yaml"));
    const backend = { url: new StateAddress(url), notice: undefined, isOwn: false, isOutside: true };
    return { answer: providePassphrase({ project, backend, stack: "dev" }, io), written };
  }

  it("comes from Pulumi's environment variables", async () => {
    expect(await ask({ PULUMI_CONFIG_PASSPHRASE: "x" }).answer).toEqual({});
    expect(await ask({ PULUMI_CONFIG_PASSPHRASE_FILE: "/run/secrets/x" }).answer).toEqual({});
  });

  it("is required without a terminal", async () => {
    await expect(ask({}).answer).rejects.toThrow(
      /set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE/,
    );
  });

  it("may be empty if that is explicit, with a warning about the consequences", async () => {
    const { answer, written } = ask({ PULUMI_CONFIG_PASSPHRASE: "" });
    expect(await answer).toEqual({});
    expect(written().stderr).toContain("whoever has the state can read its secrets");
  });

  it("is not required if a service or a key management service encrypts", async () => {
    expect(await ask({}, "https://api.pulumi.com").answer).toEqual({});
    expect(await ask({}, "s3://state", "secretsprovider: awskms://alias/x\n").answer).toEqual({});
  });

  it("is required for a stack of Pulumi Cloud that uses one", async () => {
    const { answer } = ask({}, "https://api.pulumi.com", "encryptionsalt: v1:abc\n");
    await expect(answer).rejects.toThrow(/passphrase/);
  });
});
