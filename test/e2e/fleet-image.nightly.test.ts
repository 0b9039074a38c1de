/**
 * Runs the steps of examples/kubernetes/Containerfile in a folder, and then what a pod does, without a network. So it needs no container
 * engine, as test/kubernetes does, which builds the image. Needs a build, npm and Linux.
 */
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import { ensurePulumi } from "../../toolchain/index.js";
import { listCacheFolders } from "../../toolchain/locations.js";
import { isolated, repository, temporaryFolder } from "./support.js";

const example = join(repository, "examples/kubernetes");
const text = readFileSync(join(example, "Containerfile"), "utf8");
const instructions = DockerfileParser.parse(text).getInstructions();
const isolation = await execa("unshare", ["-n", "ip", "link", "set", "lo", "up"], { reject: false });
const reason = isolation.failed ? " (skipped: `unshare -n` is not possible here)" : "";

/** What a pod of the operator runs: https://github.com/pulumi/pulumi-kubernetes-operator, and then the job of drift. */
const POD = `
ip link set lo up
workspacectl emulator --port 8642 --token offline-token > emulator.log &
trap 'kill $!' EXIT
until node -e 'fetch("http://127.0.0.1:8642/app").catch(() => process.exit(1))'; do sleep 0.2; done
export WORKSPACE_AUTOMATION_BASE_URL=http://127.0.0.1:8642 WORKSPACE_AUTOMATION_TOKEN=offline-token
if node -e 'fetch("https://example.com").catch(() => process.exit(1))' 2> /dev/null; then echo "there is a network"; fi
pulumi install
pulumi stack init us
pulumi up --yes --non-interactive --skip-preview --stack us
rm Pulumi.us.yaml # A new pod has only what the image contains.
pulumi up --yes --non-interactive --skip-preview --stack us
rm Pulumi.us.yaml
workspacectl drift --file "$WORKSPACE_FILE" --stack us
`;

describe("the Containerfile of examples/kubernetes", () => {
  it("is valid", () => {
    expect(validate(text)).toEqual([]);
  });
});

describe.skipIf(isolation.failed)(`its steps${reason}`, { timeout: 600_000 }, () => {
  let root: string;
  let env: NodeJS.ProcessEnv;
  /** Replaces the folders of the image by those of the test. */
  const placed = (script: string) => script.replaceAll(/\/(fleet|opt)\b/g, (folder) => join(root, folder));
  const bash = (script: string, ...isolatedBy: string[]) =>
    execa(isolatedBy[0] ?? "env", [...isolatedBy.slice(1), "bash", "-euo", "pipefail", "-c", script], {
      cwd: join(root, "fleet"),
      env,
      extendEnv: false,
      reject: false,
      all: true,
    });

  beforeAll(async () => {
    root = temporaryFolder();
    await ensurePulumi();
    mkdirSync(join(root, "fleet"));
    mkdirSync(join(root, "state"));
    // What was built or downloaded before is not fetched again.
    const { cli } = listCacheFolders();
    cpSync(cli, join(root, "opt/workspacectl/toolchain", basename(cli)), { recursive: true });
    env = isolated(root, { PATH: process.env["PATH"] });
    delete env["PULUMI_BIN"];
    await execa(
      "npm",
      ["pack", "--workspaces", "--silent", "--ignore-scripts", "--pack-destination", vendor()],
      { cwd: repository },
    );
  }, 300_000);

  function vendor(): string {
    const folder = join(root, "vendor");
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  it("install everything", async () => {
    for (const instruction of instructions) {
      const argument = placed(instruction.getArgumentsContent()?.replaceAll(/\\\n/g, " ") ?? "");
      switch (instruction.getKeyword()) {
        case "RUN":
          // The packages of the distribution, and the user, are those of the machine.
          if (/apt-get|chown/.test(argument)) break;
          expect(await bash(argument), argument).toMatchObject({ exitCode: 0 });
          break;
        case "ENV":
          for (const [, name = "", value = ""] of argument.matchAll(/(\w+)=(\S+)/g))
            env[name] = value.replace("$PATH", env["PATH"] ?? "");
          break;
        case "COPY":
          copied(argument.replace(/--chown=\S+ /, "").split(/\s+/));
      }
    }
    expect(existsSync(join(root, "fleet/node_modules/workspacectl"))).toBe(true);
  });

  function copied([from = "", to = ""]: readonly string[]): void {
    const source = from === "vendor" ? vendor() : join(example, from);
    const target = join(root, "fleet", to, from === "package.json" ? from : "");
    cpSync(source, target, { recursive: true });
  }

  it("make a pod that applies and detects drift without a network", async () => {
    Object.assign(env, {
      WORKSPACE_FILE: join(root, "fleet/workspace.yaml"),
      PULUMI_BACKEND_URL: `file://${join(root, "state")}`,
    });
    const { exitCode, all } = await bash(POD, "unshare", "-n");
    expect(exitCode, all).toBe(0);
    expect(all).not.toContain("there is a network");
    expect(all).toContain("7 created");
    expect(all).toContain("7 unchanged");
    expect(all).toContain("No drift: 6 objects as declared");
  });
});
