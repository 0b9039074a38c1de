/** Tests what is said about errors of the Pulumi CLI. */
import { expect, it } from "vitest";
import { explainPulumi } from "../../../automation/stack/pulumi.js";

const remedyOf = (output: string) => [explainPulumi(output).remedy].flat().join(" ");

it("a cut file of the state is named as such, with what mends it", () => {
  // What Pulumi prints where a state of the folder, or the lock of a store that is a folder underneath, is cut.
  const explained = explainPulumi("Previewing\nerror: could not list stacks: unexpected end of JSON input\n");
  expect(explained.message).toBe(
    "a file of the state is cut off (could not list stacks: unexpected end of JSON input)",
  );
  expect(remedyOf("error: unexpected end of JSON input")).toMatch(
    /stack repair --stack .*stack unlock --stack/,
  );
  expect(remedyOf("error: invalid character '}' after object key")).toContain("stack repair");
});

it("other errors are Pulumi's own", () => {
  expect(explainPulumi("error: no such thing")).toMatchObject({ message: "no such thing" });
  expect(remedyOf("error: no such thing")).toContain("workspacectl doctor");
  expect(remedyOf("error: incorrect passphrase")).toContain("PULUMI_CONFIG_PASSPHRASE");
  expect(remedyOf("error: the stack is currently locked by 1 lock(s)")).toContain("stack unlock");
});

it("names what restores a state that is missing, and what is wrong with a place that cannot be written", () => {
  expect(remedyOf("error: no stack named 'organization/shop/dev' found")).toContain(
    "stack repair --stack dev",
  );
  const full = explainPulumi(
    "error: could not import deployment: An IO error occurred: no space left on device",
  );
  expect(full.message).toMatch(/^a disk is full \(could not import/);
  expect(full.remedy).not.toContain("doctor");
});

it("says how old a lock is", () => {
  const lock = `created by ci@runner-17 (pid 42) at ${new Date(Date.now() - 7_200_000).toISOString()}`;
  expect(
    explainPulumi(`error: the stack is currently locked by 1 lock(s).\n  file:///lock.json: ${lock}`).message,
  ).toContain(", 2 h ago)");
});

it("names the only command that upgrades a state without projects", () => {
  const explained = explainPulumi(
    "error: ====\nLegacy DIY state is deprecated, please upgrade your state\n====\n",
  );
  expect(explained.message).toContain("without projects");
  expect(explained.remedy).toContain(
    "PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR=1 workspacectl pulumi -- state upgrade --yes",
  );
});

it("names the right that a role of PostgreSQL lacks, and how to grant it", () => {
  const failed =
    'unable to open state database "postgres://[secret]@db/states": failed to create table pulumi_state: pq:';
  const schema = `error: ${failed} permission denied for schema public at position 1:28 (42501)`;
  expect(remedyOf(schema)).toContain('GRANT USAGE, CREATE ON SCHEMA "public" TO "<role>"');
  expect(remedyOf(`error: ${failed} must be owner of table pulumi_state (42501)`)).toContain(
    'GRANT "<owner of pulumi_state>" TO "<role>"',
  );
  expect(remedyOf("error: pq: permission denied for table pulumi_state (42501)")).toContain(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON "pulumi_state" TO "<role>"',
  );
});

it("tells programs by a code that the passphrase is another one", () => {
  expect(explainPulumi("error: getting secrets manager: incorrect passphrase")).toMatchObject({
    code: "passphrase",
  });
});
