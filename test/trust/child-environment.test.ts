/** What child processes get of the environment: programs that print theirs are started with forty secrets around them. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inspect } from "../../toolchain/index.js";
import { install } from "../../toolchain/installer.js";
import { checkLanguageHost, readPulumiVersion } from "../../toolchain/programs.js";
import { createChildEnvironment } from "../../trust/child-environment.js";
import { executable, temporaryFolder } from "../toolchain/fakes.js";
import { serveRelease } from "../toolchain/release-server.js";

/** Names of secrets of this product, of Pulumi, of clouds, of CI services, of package managers, and of nobody in particular. */
const names = [
  ...[
    "WORKSPACE_AUTOMATION_TOKEN",
    "WORKSPACE_AUTOMATION_CLIENT_SECRET",
    "WORKSPACE_VAR_API_KEY",
    "DEPLOY_TOKEN",
  ],
  ...["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE", "PULUMI_CONFIG"],
  ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_WEB_IDENTITY_TOKEN_FILE"],
  ...["AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN", "AZURE_CLIENT_SECRET", "ARM_CLIENT_SECRET"],
  ...["GOOGLE_CREDENTIALS", "GOOGLE_OAUTH_ACCESS_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS", "VAULT_TOKEN"],
  ...["GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_RUNTIME_TOKEN"],
  ...["CI_JOB_TOKEN", "CI_JOB_JWT", "CI_REGISTRY_PASSWORD", "GITLAB_COMMENT_TOKEN"],
  ...["NPM_TOKEN", "NODE_AUTH_TOKEN", "npm_config__auth", "DOCKER_AUTH_CONFIG"],
  ...["SSH_AUTH_SOCK", "GIT_ASKPASS", "NODE_OPTIONS", "LD_PRELOAD"],
  ...["DATABASE_URL", "SLACK_WEBHOOK", "GOFLAGS", "GOAUTH"],
];
const SECRET = "planted-secret";
const planted = Object.fromEntries(names.map((name, i) => [name, `${SECRET}-${i}`]));

/** A machine whose programs write their environment to files before they do what is expected of them. */
async function machine() {
  const folder = temporaryFolder();
  const [path, checkout] = [join(folder, "path"), join(folder, "checkout")];
  const release = await serveRelease();
  const put = async (name: string, rest: string) =>
    executable(join(path, name), `#!/bin/sh\n/usr/bin/env > ${folder}/${name}.\${1:-none}.env\n${rest}\n`);
  mkdirSync(join(checkout, ".git"), { recursive: true });
  mkdirSync(join(folder, "root/bin"), { recursive: true });
  await put("node", "echo v22.0.0");
  await put("tar", 'exec /usr/bin/tar "$@"');
  await executable(join(path, "gzip"), '#!/bin/sh\nexec /usr/bin/gzip "$@"\n');
  const pulumi = await put("pulumi", "echo v3.300.0");
  const host = await put("pulumi-language-nodejs", "echo 40917; exec /bin/sleep 60");
  const env: NodeJS.ProcessEnv = {
    ...planted,
    ...{ PATH: `${path}:${checkout}/bin`, HOME: join(folder, "home"), LANG: "de_DE.UTF-8" },
    ...{ HTTPS_PROXY: "http://proxy.example:3128", TMPDIR: join(checkout, ".cache") },
    WORKSPACECTL_PULUMI_RELEASES: release.address,
    WORKSPACECTL_CACHE: join(folder, "cache"),
    WORKSPACECTL_DIGESTS: join(folder, "digests.json"),
  };
  const environmentOf = (name: string) => readFileSync(join(folder, `${name}.env`), "utf8");
  return { folder, path, env, checkouts: [checkout], environmentOf, pulumi, host };
}

it("has forty secrets to plant", () => expect(new Set(names).size).toBe(40));

describe.skipIf(process.platform === "win32")("the environment of a child process", () => {
  it("contains none of forty secrets, and what the program needs", async () => {
    const { folder, path, env, checkouts, environmentOf, pulumi, host } = await machine();
    const context = { env, checkouts };
    await readPulumiVersion(pulumi, context);
    await checkLanguageHost(host, context);
    await inspect(env, checkouts);
    await install(join(folder, "root"), { ...context, onProgress: () => undefined });
    const programs = ["pulumi.version", "pulumi-language-nodejs.none", "node.--version", "tar.-xzof"];
    for (const program of programs) {
      const text = environmentOf(program);
      expect(text, program).not.toContain(SECRET);
      expect(text, program).toMatch(new RegExp(`^PATH=${path}$`, "m"));
      expect(text, program).toMatch(/^LANG=de_DE.UTF-8$/m);
      expect(text, program).toMatch(/^HOME=.*home$/m);
      expect(text, program).not.toContain(checkouts[0]);
    }
    expect(environmentOf("pulumi.version")).not.toContain("proxy.example");
  });

  it("contains no path that is relative, or leads into a checkout", async () => {
    const { env, checkouts, folder } = await machine();
    const given = { ...env, HOME: "given-home", PULUMI_HOME: join(folder, "home") };
    const made = createChildEnvironment("pulumi", given, checkouts);
    expect(made).not.toHaveProperty("HOME");
    expect(made).not.toHaveProperty("TMPDIR");
    expect(made).toHaveProperty("PULUMI_HOME", join(folder, "home"));
  });

  it("contains the folder of Pulumi's own settings for Pulumi only", () => {
    const env = { PATH: "/usr/bin", PULUMI_HOME: "/home/ann/.pulumi" };
    expect(createChildEnvironment("pulumi", env, [])).toEqual(env);
    expect(createChildEnvironment("local", env, [])).toEqual({ PATH: "/usr/bin" });
  });
});
