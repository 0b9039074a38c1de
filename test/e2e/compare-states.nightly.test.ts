/** Tests that `compare us eu` takes the people of both regions from the states, and says since when they differ. Needs a build. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

const FILE = `version: 1
members: { ann@example.com: {}, bob@example.com: {} }
groups: { QA: { description: Testers, members: [ann@example.com, bob@example.com] } }
`;

const service = (domain: string) =>
  emulatorForTests({
    echoMemberEmail: false,
    seed: { users: [{ email: "owner@example.com", tokens: [{}] }], workspaces: [{ domain }] },
  });

const connect = (name: string, { baseUrl, token, workspace }: Emulator): NodeJS.ProcessEnv => ({
  [`WORKSPACE_AUTOMATION_${name}_BASE_URL`]: baseUrl,
  [`WORKSPACE_AUTOMATION_${name}_TOKEN`]: token,
  [`WORKSPACE_AUTOMATION_${name}_DOMAIN`]: workspace,
});

it("compare tells people apart whose addresses both regions hide", { timeout: 300_000 }, async () => {
  const folder = temporaryFolder();
  const [us, eu] = await Promise.all([service("acme"), service("acme-eu")]);
  const env = isolated(folder, { ...connect("US", us), ...connect("EU", eu) });
  const run = (...argv: string[]) => workspacectl(argv, folder, env);
  const file = join(folder, "workspace.yaml");
  writeFileSync(file, FILE);
  writeFileSync(join(folder, "workspace.eu.yaml"), "groups: { QA: { members: [ann@example.com] } }\n");
  for (const stack of ["us", "eu"])
    expect(await run("up", "--yes", "--create-stack", "--stack", stack, "--connection", stack)).toMatchObject(
      { code: 0 },
    );
  // Names would be a help, and the service may lack them.
  const compared = async () => {
    const { code, stdout, stderr } = await run("compare", "us", "eu", "--json", "--state-file", "seen.json");
    expect({ code, stderr }).toMatchObject({ code: 7 });
    const { findings } = JSON.parse(stdout) as {
      findings: { class: string; name: string; runs: number; since: string }[];
    };
    return findings;
  };
  const [first, ...others] = await compared();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ class: "missing", name: "groups/QA/members/bob@example.com", runs: 1 });
  const [again] = await compared();
  expect(again).toMatchObject({ runs: 2, since: first?.since });
  const text = await run("compare", "us", "eu", "--state-file", "seen.json");
  expect(text.stdout).toContain(`since ${first?.since.slice(0, 10)}, 3 runs`);
  expect(JSON.parse(readFileSync(join(folder, "seen.json"), "utf8"))).toMatchObject({
    findings: [{ name: "groups/QA/members/bob@example.com" }],
  });

  // The state of another workspace knows other people under these numbers.
  const other = await service("acme-asia");
  const elsewhere = await workspacectl(["compare", "us", "eu", "--json"], folder, {
    ...env,
    ...connect("EU", other),
  });
  const { findings } = JSON.parse(elsewhere.stdout) as { findings: { name: string; right?: unknown }[] };
  expect(findings.filter(({ right }) => JSON.stringify(right ?? null).includes("example.com"))).toEqual([]);
});
