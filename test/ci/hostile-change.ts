/** A pull request that tries to run programs: files that some tool would execute, if it were started in the checkout. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Names of programs that the jobs start. */
const programs = [
  "workspacectl",
  "node",
  "npm",
  "npx",
  "git",
  "gh",
  "jq",
  "grep",
  "mkdir",
  "cat",
  "pulumi",
  "bash",
];

/**
 * Writes the files of the pull request into a checkout.
 *
 * @param ran the file to which every program of the pull request would add its name
 * @param victim a folder outside of the checkout to which its links lead
 * @param withProject whether there are files of Pulumi too, which workspacectl refuses
 */
export function plantHostileChange(
  checkout: string,
  {
    ran,
    victim,
    withProject,
  }: { readonly ran: string; readonly victim: string; readonly withProject: boolean },
): void {
  const plant = (path: string, text: string, mode = 0o644) => {
    const file = join(checkout, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  };
  const link = (path: string, to: string) => {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    symlinkSync(to, join(checkout, path));
  };
  const shell = (name: string) => `#!/bin/sh\necho "${name} $*" >> '${ran}'\nenv >> '${ran}'\nexit 1\n`;
  const script = (name: string) =>
    `require("fs").appendFileSync(${JSON.stringify(ran)}, ${JSON.stringify(`${name}\n`)} + JSON.stringify(process.env));\n`;
  const module = (name: string) => `import { appendFileSync } from "node:fs";
appendFileSync(${JSON.stringify(ran)}, ${JSON.stringify(`${name}\n`)} + JSON.stringify(process.env));
export default {};\n`;

  // What package managers and Node.js run.
  const hooks = ["preinstall", "install", "postinstall", "prepare", "start", "test"];
  plant(
    "package.json",
    JSON.stringify({
      name: "evil",
      version: "1.0.0",
      type: "commonjs",
      bin: { workspacectl: "./evil.sh" },
      scripts: Object.fromEntries(hooks.map((hook) => [hook, `./evil.sh ${hook}`])),
    }),
  );
  plant("package-lock.json", JSON.stringify({ name: "evil", lockfileVersion: 3, packages: {} }));
  plant("evil.sh", shell("evil.sh"), 0o755);
  plant("evil.cjs", script("evil.cjs"));
  plant(
    ".npmrc",
    "ignore-scripts=false\nscript-shell=./evil.sh\nnode-options=--require ./evil.cjs\nprefix=.\n",
  );
  plant(".env", "NODE_OPTIONS=--require ./evil.cjs\nBASH_ENV=./evil.sh\n");
  for (const name of [".bashrc", ".profile", ".envrc", "Makefile"]) plant(name, `./evil.sh ${name}\n`);
  for (const name of programs) {
    plant(`node_modules/.bin/${name}`, shell(`.bin/${name}`), 0o755);
    plant(`bin/${name}`, shell(`bin/${name}`), 0o755);
  }
  for (const name of ["workspacectl", "pulumi-workspace-automation", "@pulumi/pulumi"]) {
    plant(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "9.9.9", main: "index.js" }));
    plant(`node_modules/${name}/index.js`, script(`node_modules/${name}`));
  }

  // What the jobs would take from a wrong checkout.
  for (const folder of ["ci", ".github", "trusted/.github"])
    plant(`${folder}/comment.mjs`, module("comment.mjs"));
  const action = "runs: { using: composite, steps: [{ shell: bash, run: ./change/evil.sh action }] }\n";
  for (const folder of [".github", "trusted/.github"])
    plant(`${folder}/actions/workspacectl/action.yml`, `name: evil\ndescription: evil\n${action}`);

  // What Pulumi and workspacectl would load.
  plant("workspace.ts", `import "./evil.cjs";\nexport default {};\n`);
  plant("workspace.js", script("workspace.js"));
  for (const name of ["rules/evil.mjs", "lint-rules/evil.mjs"]) plant(name, module(name));
  const plugin = { name: "evil", path: "./bin" };
  if (withProject)
    plant(
      "Pulumi.json",
      JSON.stringify({ name: "evil", runtime: "nodejs", main: "evil.cjs", plugins: { providers: [plugin] } }),
    );
  plant("evil/PulumiPlugin.yaml", "runtime: nodejs\n");
  plant("bin/pulumi-resource-evil", shell("pulumi-resource-evil"), 0o755);
  for (const cache of [".cache/workspacectl", "cache/workspacectl", ".local/share/workspacectl"])
    for (const version of ["3.259.0", "99.0.0"]) {
      const entry = `${cache}/toolchain/pulumi-${version}-linux-x64`;
      plant(`${entry}/bin/pulumi`, shell("cached pulumi"), 0o755);
      plant(`${entry}/manifest.json`, JSON.stringify({ format: 1, version, files: {}, madeBy: "build" }));
    }

  // What Git would run or fetch.
  plant(".gitattributes", "* filter=evil diff=evil\n");
  plant(".gitmodules", '[submodule "evil"]\n\tpath = evil\n\turl = ext::sh -c ./evil.sh\n');
  plant(".lfsconfig", "[lfs]\n\turl = http://127.0.0.1:9/evil\n");

  // Links under the names of what the jobs write.
  for (const name of ["preview.md", "preview.json", "receipt.json", "plan.json", "drift"])
    link(name, join(victim, name));
  for (const name of ["report", ".report", ".drift"]) link(name, victim);
  if (withProject) link(".pulumi-state", victim);
  link("linked.yaml", join(victim, "secret.yaml"));
}

/** Returns a workspace file that tries to show the credentials of the job: in values, in names, and in a reference that is put together. */
export function greedyFile(): string {
  const names = [
    "WORKSPACE_AUTOMATION_TOKEN",
    "PULUMI_CONFIG_PASSPHRASE",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "ACTIONS_RUNTIME_TOKEN",
    "CI_JOB_TOKEN",
  ];
  const groups = names.flatMap((name, index) => {
    const joined = `  B${index}: { description: "\${env:NOPE:-$}{secret:env:${name}} \${secret:env:HARMLESS:-x}" }`;
    if (!/^(GH|GITHUB|CI)_/.test(name)) return [joined];
    const plain = `  A${index}: { description: "\${env:${name}:-none}" }`;
    return [joined, plain, `  C${index}: { name: "n \${env:${name}:-none} ${index}" }`];
  });
  return `version: 1\nworkspace: acme\ngroups:\n${groups.join("\n")}\n`;
}
