/** Tests what is said of two services that behave differently, before anything is compared or replicated. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { probeComparisonSchema } from "../../../cli/commands/probe/probe-report.js";
import { emulated, Person } from "../service-support.js";
import { temporaryFolder } from "../support.js";

/** A user with a connection to each of two services. */
async function atTwo(): Promise<Person> {
  const us = await emulated();
  const eu = await emulated({ missingStatus: 400, echoMemberEmail: true });
  const person = new Person();
  for (const [name, { baseUrl, token, workspace }] of [["US", us] as const, ["EU", eu] as const])
    Object.assign(person.env, {
      [`WORKSPACE_AUTOMATION_${name}_BASE_URL`]: baseUrl,
      [`WORKSPACE_AUTOMATION_${name}_TOKEN`]: token,
      [`WORKSPACE_AUTOMATION_${name}_DOMAIN`]: workspace,
    });
  return person;
}

it("probe --compare lists where two services behave differently", async () => {
  const person = await atTwo();
  const { code, stdout } = await person.types(["probe", "--compare", "us", "eu"]);
  expect(code).toBe(7);
  expect(stdout).toMatch(/^member-email +no member has an address +members have their address$/m);
  expect(stdout).toMatch(/^missing-status .*HTTP 404 .*HTTP 400$/m);
  expect(stdout).toContain("us and eu behave differently in 2 ways");
  const json = await person.types(["probe", "--compare", "us", "eu", "--json"]);
  const compared = probeComparisonSchema.parse(JSON.parse(json.stdout));
  expect(compared.differences.map(({ id }) => id)).toEqual(["member-email", "missing-status"]);
  const same = await person.types(["probe", "--compare", "us", "us", "--format", "markdown"]);
  expect([same.code, same.stdout]).toEqual([0, expect.stringContaining("behave in the same way") as string]);
});

it("probe --compare needs two connections", async () => {
  const { code, stderr } = await (await atTwo()).types(["probe", "--compare", "us"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("the names of two connections") as string]);
});

it("compare and replicate warn of what two profiles say", async () => {
  const person = await atTwo();
  const folder = temporaryFolder();
  for (const name of ["us", "eu"]) {
    const file = join(folder, `${name}.json`);
    expect((await person.types(["probe", "-c", name, "--save-profile", file])).code).not.toBe(1);
    person.env[`WORKSPACE_AUTOMATION_${name.toUpperCase()}_PROFILE`] = file;
  }
  const warning = "missingStatus is 404 at us, and missingStatus is 400 at eu";
  expect((await person.types(["compare", "us", "eu"])).stderr).toContain(warning);
  const replicated = await person.types([
    ...["replicate", "--from", "us", "--to", "eu", "--dry-run"],
    ...["-f", join(folder, "workspace.yaml")],
  ]);
  expect(replicated.stderr).toContain(warning);
});
