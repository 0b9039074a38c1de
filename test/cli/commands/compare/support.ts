/** Provides two regions, each with its own emulator, and a user with connections to both. */
import { join } from "node:path";
import { expect } from "vitest";
import type { CompareFinding, CompareReport } from "../../../../automation/compare/compare-report.js";
import type { Emulator, EmulatorOptions } from "../../../../emulator/index.js";
import { readDeclarations } from "../../../../workspace-file/load/load.js";
import { emulated, Person } from "../../service-support.js";
import { type Ran, temporaryFolder } from "../../support.js";
import { apply } from "../export/apply.js";

export interface Regions {
  readonly us: Emulator;
  readonly eu: Emulator;
  readonly person: Person;
  /** Runs `workspacectl compare`, and checks that it writes nothing to either service. */
  readonly compares: (...argv: string[]) => Promise<Ran>;
  /** Runs the same with --json. */
  readonly report: (...argv: string[]) => Promise<CompareReport & { readonly code: number }>;
}

/** The path of a missing workspace file without a project above it. */
const nowhere = join(temporaryFolder(), "workspace.yaml");

/** The integrations of each region belong to another user, and have other names and numbers. */
const seedOf = (region: string): NonNullable<EmulatorOptions["seed"]> => ({
  users: [
    {
      email: `owner-${region}@example.com`,
      name: `Owner of ${region}`,
      integrations: [
        { name: `chat-${region}`, type: "CHAT" },
        { name: "git-host", type: "GIT" },
      ],
    },
    { email: "ann@example.com", name: "Ann" },
    { email: "bob@example.com", name: "Bob" },
    { email: "other.ann@example.com", name: "Ann" },
  ],
  workspaces: [{ domain: `acme-${region}` }],
});

/** Applies a file to each of two workspaces, which have no numbers in common. */
export async function regions(
  us: string,
  eu: string = us,
  settings: { readonly us?: EmulatorOptions; readonly eu?: EmulatorOptions } = {},
  start: (options: EmulatorOptions) => Promise<Emulator> = emulated,
): Promise<Regions> {
  const options = { echoMemberEmail: true };
  const one = await start({ ...options, seed: seedOf("us"), ...settings.us });
  const other = await start({ ...options, seed: seedOf("eu"), ...settings.eu });
  const path = `/workspaces/${other.workspace}/groups`;
  for (let times = 0; times < 5; times += 1) {
    const { body } = await other.edit({ method: "POST", path, body: { name: "gone" } });
    await other.edit({ method: "DELETE", path: `${path}/${(body as { id: number }).id}` });
  }
  for (const [emulator, text] of [
    [one, us],
    [other, eu],
  ] as const) {
    const { declarations } = readDeclarations("-", { mock: true, stdin: () => `version: 1\n${text}` });
    await apply(emulator, declarations);
    emulator.journal.clear();
  }
  const variables = (name: string, { baseUrl, token, workspace }: Emulator) => ({
    [`WORKSPACE_AUTOMATION_${name}_BASE_URL`]: baseUrl,
    [`WORKSPACE_AUTOMATION_${name}_TOKEN`]: token,
    [`WORKSPACE_AUTOMATION_${name}_DOMAIN`]: workspace,
  });
  const person = new Person({ ...variables("US", one), ...variables("EU", other) });
  const compares = async (...argv: string[]) => {
    const ran = await person.types(["compare", ...argv, ...(argv.includes("-f") ? [] : ["-f", nowhere])]);
    for (const { journal } of [one, other]) expect(journal.writes()).toEqual([]);
    expect(ran.stdout + ran.stderr).not.toMatch(/in-clear/);
    return ran;
  };
  const report = async (...argv: string[]) => {
    const { code, stdout, stderr } = await compares(...argv, "--json");
    expect(stdout, stderr).not.toBe("");
    const value = JSON.parse(stdout) as CompareReport;
    expect(value.exitCode).toBe(code);
    return { ...value, code };
  };
  return { us: one, eu: other, person, compares, report };
}

/** Describes a finding in a short text. */
export function words({ class: of, name, path, left, right }: CompareFinding): string {
  const show = (value: unknown) => JSON.stringify(value) ?? "-";
  const values = path === "" ? "" : ` ${path}: ${show(left)} ${show(right)}`;
  return `${of} ${name}${values}`;
}

export const told = ({ findings }: Pick<CompareReport, "findings">): string[] => findings.map(words);
