/** Provides two services, and a workspace file that matches the first. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, Seed } from "../../../../emulator/index.js";
import { emulated } from "../../service-support.js";
import { fileIn, type Ran, run, temporaryFolder } from "../../support.js";

const token = (of: string) => `token-of-${of}-in-clear`;

function seed(
  domain: string,
  integrations: readonly [name: string, type: string][],
  more: object = {},
): Seed {
  const owner = {
    email: "owner@example.com",
    integrations: integrations.map(([name, type]) => ({ name, type })),
    tokens: [{ token: token(domain) }],
  };
  return { users: [owner], workspaces: [{ domain, ...more }] };
}

export interface Pair {
  readonly us: Emulator;
  readonly eu: Emulator;
  readonly folder: string;
  /** Runs `workspacectl replicate --from us --to eu` in the folder. */
  readonly replicate: (...options: string[]) => Promise<Ran>;
  readonly env: NodeJS.ProcessEnv;
  readonly write: (name: string, text: string) => string;
  readonly read: (name: string) => string;
  /** Returns the writes to both services since the pair was created. */
  readonly writes: () => unknown[];
}

export interface PairOptions {
  readonly integrations?: readonly [name: string, type: string][];
  /** Additions to the seed of the European workspace. */
  readonly eu?: object;
  readonly settings?: object;
}

export async function pair({
  integrations = [["chat-eu", "CHAT"]],
  eu: more,
  settings,
}: PairOptions = {}): Promise<Pair> {
  const us = await emulated({
    ...settings,
    seed: seed("acme", [
      ["chat-main", "CHAT"],
      ["deploys", "CHAT"],
    ]),
  });
  const eu = await emulated({ ...settings, seed: seed("acme-eu", integrations, more) });
  const folder = temporaryFolder();
  const env = {
    WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
    WORKSPACE_AUTOMATION_US_BASE_URL: us.baseUrl,
    WORKSPACE_AUTOMATION_US_TOKEN: token("acme"),
    WORKSPACE_AUTOMATION_US_DOMAIN: "acme",
    WORKSPACE_AUTOMATION_EU_BASE_URL: eu.baseUrl,
    WORKSPACE_AUTOMATION_EU_TOKEN: token("acme-eu"),
  };
  const file = join(folder, "workspace.yaml");
  return {
    us,
    eu,
    folder,
    env,
    replicate: (...options) => run(["replicate", "--from", "us", "--to", "eu", "-f", file, ...options], env),
    write: (name, text) => fileIn(folder, name, text),
    read: (name) => readFileSync(join(folder, name), "utf8"),
    writes: () => [...us.journal.writes(), ...eu.journal.writes()],
  };
}

/** A workspace with each kind of object that can be missing elsewhere. */
export const SHOP = `version: 1
workspace: acme
connection: us
defaults:
  Pipeline: { refType: BRANCH, refName: main }
members:
  ann@example.com: { admin: true }
permissionSets:
  release-engineers: { description: May deploy, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
groups:
  QA: { description: Testers, members: [ann@example.com] }
variables:
  REGION: us-east
projects:
  web:
    displayName: Web shop
    members: { ann@example.com: { permissionSet: release-engineers } }
    variables: { NODE_ENV: production }
    pipelines:
      deploy:
        triggerMode: MANUAL
        variables: { TIER: "1" }
        actions:
          - name: Build
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands: [npm ci]
          - name: Tell
            type: CHAT
            triggerTime: ON_EVERY_EXECUTION
            channel: C01
            integration: chat-main
            content: Deployed
`;
