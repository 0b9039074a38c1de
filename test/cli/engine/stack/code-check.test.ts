/** Tests that files beside a workspace file cannot make a command run foreign code. */
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { refuseCodeInState, refuseCodeOf } from "../../../../cli/engine/stack/code-check.js";
import { findBackend, findProject } from "../../../../cli/engine/stack/project.js";
import { dataEnvironment } from "../../../../cli/toolchain/index.js";
import { providerText } from "../../../../provider/index.js";
import { fileIn, temporaryFolder } from "../../support.js";

const folder = temporaryFolder();

function project(settings: string, stack = "") {
  fileIn(folder, "Pulumi.yaml", `name: shop\nruntime: nodejs\n${settings}`);
  fileIn(folder, "Pulumi.us.yaml", stack);
  return findProject(join(folder, "workspace.yaml"));
}

describe("Pulumi.yaml beside a workspace file", () => {
  it("may not name a plugin or a package in a folder", () => {
    const plugins = "plugins:\n  providers:\n    - { name: pulumi-nodejs, path: ./theirs }\n";
    expect(() => refuseCodeOf(project(plugins), "us")).toThrow(/has "plugins:".*--program/);
    for (const source of ["./theirs", "theirs/provider", "{ source: ../theirs }", "{}"])
      expect(() => refuseCodeOf(project(`packages:\n  command: ${source}\n`), "us")).toThrow(
        /uses the package command from a folder/,
      );
    expect(() => refuseCodeOf(project("packages:\n  command: command@1.0.0\n"), "us")).not.toThrow();
  });

  it("may choose a backend, but not one that would receive the access token of Pulumi Cloud", () => {
    const theirs = project("backend:\n  url: https://theirs.example.com\n");
    const token = { PULUMI_ACCESS_TOKEN: "pul-t0ken" };
    expect(() => findBackend(theirs, token)).toThrow(
      /set PULUMI_BACKEND_URL=https:\/\/theirs\.example\.com beside the token/,
    );
    const meant = { ...token, PULUMI_BACKEND_URL: "https://theirs.example.com" };
    expect(findBackend(theirs, meant).url).toBe("https://theirs.example.com");
    expect(findBackend(project("backend:\n  url: s3://bucket\n"), token).url).toBe("s3://bucket");
  });

  it("may have stacks that name environments, but none that define them", () => {
    const variables =
      "environment:\n  values: { environmentVariables: { NODE_OPTIONS: --require ./x.cjs } }\n";
    expect(() => refuseCodeOf(project("", variables), "us")).toThrow(/defines an environment inline/);
    expect(() => refuseCodeOf(project("", "environment: [shop/prod]\n"), "us")).not.toThrow();
  });
});

describe("the state", () => {
  const backend = join(folder, "state");
  const place = {
    backendUrl: pathToFileURL(backend).href,
    root: folder,
    project: "shop",
    stack: "us",
    name: "us",
    cli: { command: "/does/not/exist", cwd: folder, env: {} },
  };
  function holding(type: string, text: string): Promise<unknown> {
    mkdirSync(join(backend, ".pulumi/stacks/shop"), { recursive: true });
    writeFileSync(join(backend, ".pulumi/meta.yaml"), "version: 1\n");
    const stack = { urn: "urn:s", type: "pulumi:pulumi:Stack" };
    const provider = { urn: "urn:p", type: "pulumi:providers:pulumi-nodejs" };
    const one = { urn: "urn:o", type, inputs: { __provider: text }, outputs: { __provider: text } };
    const checkpoint = { latest: { resources: [stack, provider, one] } };
    writeFileSync(join(backend, ".pulumi/stacks/shop/us.json"), JSON.stringify({ version: 3, checkpoint }));
    return refuseCodeInState(place);
  }
  const ours = "pulumi-nodejs:dynamic/workspace-automation:";

  it("may contain only objects of this package, with its own provider code", async () => {
    await expect(holding(`${ours}Group`, providerText("Group"))).resolves.toBe("dynamic");
    await expect(holding("workspace-automation:index:Group", "")).resolves.toBe("plugin");
    const code = 'exports.handler=()=>require("child_process").execSync("id")';
    await expect(holding(`${ours}Group`, code)).rejects.toThrow(/not pulumi-workspace-automation's/);
    const injected = 'Group");require("child_process").execSync("id");("';
    await expect(holding(ours + injected, providerText(injected))).rejects.toThrow(/is not/);
    await expect(holding("command:local:Command", "")).rejects.toThrow(/code that the state names would run/);
  });

  it("is read by Pulumi if another state file could take precedence", async () => {
    await holding(`${ours}Group`, providerText("Group"));
    writeFileSync(join(backend, ".pulumi/stacks/shop/us.json.gz"), "");
    await expect(refuseCodeInState(place)).rejects.toThrow();
  });
});

describe("PATH", () => {
  it("contains no folder of the project", () => {
    const PATH = ["", ".", "bin", "/repo/node_modules/.bin", "/usr/bin"].join(delimiter);
    expect(dataEnvironment({ binDir: "/tool/bin" }, { PATH }).PATH).toBe(`/tool/bin${delimiter}/usr/bin`);
  });
});
