/** Programs that a pull request brings, or that run what its files name. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack, Target } from "./target.js";

/** A toolchain in a cache, with all that made earlier releases trust one, and its digests. */
const plantToolchain = (target: Target) => {
  const entry = `workspacectl/toolchain/pulumi-3.259.0-${process.platform}-${process.arch}`;
  const names = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
  const files = names.map((name) => {
    target.program(`${entry}/bin/${name}`);
    const bytes = readFileSync(join(target.checkout, entry, "bin", name));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { name, size: bytes.length, facts: { sha256, state: "", seen: "" } };
  });
  const sizes = Object.fromEntries(files.map(({ name, size }) => [name, size]));
  const facts = Object.fromEntries(files.map(({ name, facts }) => [name, facts]));
  const made = { version: "3.259.0", madeBy: "installer", madeAt: "" };
  target.file(
    `${entry}/manifest.json`,
    JSON.stringify({ format: 1, ...made, files: sizes, contents: facts }),
  );
  const record = { ...made, checkedAgainst: "nothing", files: facts };
  const entries = { [join(target.checkout, entry)]: record };
  target.file("digests.json", JSON.stringify({ format: 1, entries }));
};
const withoutPulumi = ({ env }: Target) => ({
  PULUMI_BIN: "",
  PATH: env["PATH"]?.split(":").slice(1).join(":"),
});

export const programAttacks: readonly Attack[] = [
  {
    name: "programs of the checkout under the names of tools",
    apply: (target) => {
      for (const name of ["pulumi", "node", "go", "git", "tar", "npm", "pulumi-resource-pulumi-nodejs"])
        for (const folder of ["node_modules/.bin", "bin"]) target.program(`${folder}/${name}`);
      target.file("node_modules/pulumi-workspace-automation/index.js", target.script("node_modules"));
      target.file(
        "node_modules/pulumi-workspace-automation/package.json",
        '{"name":"pulumi-workspace-automation","version":"0.1.0","main":"index.js"}',
      );
      target.file("workspace.ts", target.script("workspace.ts"));
      target.file(".prettierrc.cjs", target.script(".prettierrc.cjs"));
    },
    env: ({ checkout, env }) => ({
      PATH: [join(checkout, "node_modules/.bin"), "bin", ".", env["PATH"]].join(":"),
    }),
  },
  {
    name: "a cache in the checkout, with a toolchain of the author's",
    apply: plantToolchain,
    env: (target) => ({
      ...withoutPulumi(target),
      WORKSPACECTL_CACHE: join(target.checkout, "workspacectl"),
    }),
  },
  {
    name: "a cache in the checkout, as in jobs of GitLab, and the digests of what is in it",
    apply: plantToolchain,
    env: (target) => ({
      ...withoutPulumi(target),
      WORKSPACECTL_CACHE: "",
      XDG_CACHE_HOME: target.checkout,
      WORKSPACECTL_DIGESTS: join(target.checkout, "digests.json"),
    }),
  },
  {
    name: "a Pulumi of the author's, where the job installs its own",
    apply: (target) => target.program("tools/pulumi"),
    env: ({ checkout }) => ({ PULUMI_BIN: join(checkout, "tools") }),
  },
  {
    name: "a login to the author's backend, where the job keeps Pulumi's home in the checkout",
    apply: (target) => {
      const login = { current: target.attacker, accounts: { [target.attacker]: {} } };
      target.file(".pulumi/credentials.json", JSON.stringify(login));
    },
    env: ({ checkout }) => ({ PULUMI_HOME: join(checkout, ".pulumi"), PULUMI_BACKEND_URL: "" }),
  },
  {
    name: "a login to the author's service, where the job keeps its settings in the checkout",
    apply: (target) => {
      const login = { baseUrl: target.attacker, workspace: "acme", token: "theirs" };
      const connections = { default: login, us: login, theirs: login };
      target.file(".config/workspacectl/credentials.json", JSON.stringify({ connections }));
    },
    env: ({ checkout }) => ({
      XDG_CONFIG_HOME: join(checkout, ".config"),
      WORKSPACE_AUTOMATION_CREDENTIALS: "",
      WORKSPACE_AUTOMATION_BASE_URL: "",
    }),
  },
  {
    name: "settings of a cloud that name a program, where the job keeps them in the checkout",
    apply: (target) => {
      target.program("tools/credentials");
      const settings = `[default]\nregion = eu-west-1\ncredential_process = ${join(target.checkout, "tools/credentials")}\n`;
      target.file(".aws/config", settings);
    },
    env: ({ checkout }) => ({
      AWS_CONFIG_FILE: join(checkout, ".aws/config"),
      AWS_SHARED_CREDENTIALS_FILE: join(checkout, ".aws/none"),
      AWS_ACCESS_KEY_ID: "",
      AWS_SECRET_ACCESS_KEY: "",
      AWS_SESSION_TOKEN: "",
      PULUMI_BACKEND_URL: "s3://acme-state?region=eu-west-1",
    }),
  },
  {
    name: "a repository whose settings name programs",
    apply: (target) => {
      const settings = "[extensions]\ntheirs = theirs.py\n";
      for (const path of [".hg/hgrc", ".pulumi-state/.hg/hgrc"]) target.file(path, settings);
      target.tool("hg");
      target.tool("git");
    },
    env: ({ tools, env }) => ({ PATH: `${tools}:${env["PATH"]}` }),
  },
];
