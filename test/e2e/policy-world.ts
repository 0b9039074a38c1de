/** A stack whose file and policy have the same guards, for tests of what a policy refuses. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect } from "vitest";
import { setUp, stateIn, workspacectl } from "./support.js";

export const FILE = `version: 1
workspace: acme
guards: { maxDeletes: 2, maxDeleteShare: 100, sectionDeletion: allow, protectedKinds: [PermissionSet], minimumAdmins: 1 }
permissionSets:
  devs: { description: Make, repositoryAccessLevel: READ_WRITE, pipelineAccessLevel: RUN_ONLY }
groups:
  A: { description: Letter, protect: true }
  B: { description: Letter }
  C: { description: Letter }
variables:
  REGION: us
`;

export const POLICY = `version: 1
guards: { maxDeletes: 2, protectedKinds: [PermissionSet] }
planRules:
  acme/letters:
    description: The description of a group is not Letter.
    remedy: Write Letter.
    type: Group
    when: after != null
    require: after.description == "Letter"
`;

/** Applies the file with the policy before all tests, and restores the file before each. */
export async function policyWorld() {
  const { folder, emulator, edit, env: environment } = await setUp(FILE);
  const checkout = join(folder, "checkout");
  const policy = join(folder, "policy.yaml");
  const file = join(checkout, "workspace.yaml");
  const env: NodeJS.ProcessEnv = { ...environment, ...stateIn(folder) };
  const run = (...argv: string[]) => workspacectl(argv, checkout, env);

  beforeAll(async () => {
    mkdirSync(join(checkout, ".git"), { recursive: true });
    writeFileSync(policy, POLICY);
    writeFileSync(file, FILE);
    expect(await run("up", "--yes", "--create-stack", "--policy", policy)).toMatchObject({ code: 0 });
  });
  beforeEach(() => {
    writeFileSync(file, FILE);
    emulator.journal.clear();
  });
  return {
    folder,
    emulator,
    edit,
    checkout,
    policy,
    file,
    env,
    run,
    writes: () => emulator.journal.writes(),
  };
}
