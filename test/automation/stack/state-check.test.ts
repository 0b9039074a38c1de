/** Tests that a state of the checkout cannot make a command run foreign code, or send credentials elsewhere. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { refuseCodeInState } from "../../../automation/stack/state-check.js";
import { buildProviderText } from "../../../provider/index.js";
import { createFolderAddress } from "../../../trust/backend.js";
import { temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();

describe("the state", () => {
  const backend = join(folder, "state");
  const place = {
    backendUrl: createFolderAddress(backend),
    project: "shop",
    stack: "us",
    name: "us",
    cli: { command: "/does/not/exist", cwd: folder, env: {} },
  };
  function holding(type: string, text: string, more: object = {}): Promise<unknown> {
    mkdirSync(join(backend, ".pulumi/stacks/shop"), { recursive: true });
    writeFileSync(join(backend, ".pulumi/meta.yaml"), "version: 1\n");
    const stack = { urn: "urn:s", type: "pulumi:pulumi:Stack" };
    const provider = { urn: "urn:p", type: "pulumi:providers:pulumi-nodejs" };
    const one = { urn: "urn:o", type, inputs: { __provider: text }, outputs: { __provider: text } };
    const checkpoint = { latest: { resources: [stack, provider, one], ...more } };
    writeFileSync(join(backend, ".pulumi/stacks/shop/us.json"), JSON.stringify({ version: 3, checkpoint }));
    return refuseCodeInState(place, false);
  }
  const ours = "pulumi-nodejs:dynamic/workspace-automation:";

  it("may contain only objects of this package, with its own provider code", async () => {
    await expect(holding(`${ours}Group`, buildProviderText("Group"))).resolves.toBe("dynamic");
    await expect(holding("workspace-automation:index:Group", "")).resolves.toBe("plugin");
    const code = 'exports.handler=()=>require("child_process").execSync("id")';
    await expect(holding(`${ours}Group`, code)).rejects.toThrow(/is none of pulumi-workspace-automation/);
    const injected = 'Group");require("child_process").execSync("id");("';
    await expect(holding(ours + injected, buildProviderText(injected))).rejects.toThrow(/is none of/);
    for (const builtIn of ["StackReference", "Stack2", "Component"])
      await expect(holding(`pulumi:pulumi:${builtIn}`, ""), builtIn).rejects.toThrow(/is none of/);
    await expect(holding("command:local:Command", "")).rejects.toThrow(
      /code would run that only the state names/,
    );
  });

  it("may not name a secrets provider that would get the run's credentials, unless its backend is trusted", async () => {
    const url = "azurekeyvault://theirs.vault.example.com/keys/one";
    const used = { secrets_providers: { type: "cloud", state: { url } } };
    await expect(holding(`${ours}Group`, buildProviderText("Group"), used)).rejects.toThrow(
      /the secrets provider "azurekeyvault:.* is not used: .* only the state of stack us names it/,
    );
    await expect(refuseCodeInState(place, true)).resolves.toBe("dynamic");
  });

  it("is read by Pulumi if another state file could take precedence", async () => {
    await holding(`${ours}Group`, buildProviderText("Group"));
    writeFileSync(join(backend, ".pulumi/stacks/shop/us.json.gz"), "");
    await expect(refuseCodeInState(place, false)).rejects.toThrow();
  });
});
