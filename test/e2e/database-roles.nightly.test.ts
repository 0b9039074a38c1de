/**
 * Tests that doctor and the commands agree on what a role of PostgreSQL may do, and that following the remedy of doctor is enough.
 * STATE_IN_POSTGRES names a database of a user who may create others.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectStore } from "../../cli/commands/doctor/inspect-store.js";
import { inspect, type ToolchainCheck } from "../../toolchain/index.js";
import { isolated, temporaryFolder, workspacectl } from "./support.js";

const owner = process.env["STATE_IN_POSTGRES"];
const DATABASE = "states_by_role";
const ROLE = "runner_of_states";
const MAKER = "maker_of_tables";

let server: pg.Client;
let database: pg.Client;

beforeAll(async () => {
  if (owner === undefined) return;
  server = await connect(owner);
  await server.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'of-the-test'`);
  await server.query(`CREATE ROLE ${MAKER}`);
  await server.query(`CREATE DATABASE ${DATABASE}`);
  database = await connect(addressOf(owner, {}).href);
  await database.query(`GRANT CREATE ON SCHEMA public TO ${MAKER}`);
  await database.query("CREATE SCHEMA apart");
});

afterAll(async () => {
  if (owner === undefined) return;
  await database.end();
  await server.query(`DROP DATABASE ${DATABASE} WITH (FORCE)`);
  await server.query(`DROP ROLE ${ROLE}, ${MAKER}`);
  await server.end();
});

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

function addressOf(base: string, settings: Readonly<Record<string, string>>): URL {
  const url = new URL(base);
  url.pathname = `/${DATABASE}`;
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  return url;
}

/** The address with which the role opens the database. */
function addressOfRole(settings: Readonly<Record<string, string>>): string {
  const url = addressOf(owner ?? "", settings);
  url.username = ROLE;
  url.password = "of-the-test";
  return url.href;
}

/** Asks doctor, and lets Pulumi list the stacks. @returns what doctor found, once both agree */
async function ask(address: string): Promise<ToolchainCheck> {
  const folder = temporaryFolder();
  const env = isolated(folder, { PULUMI_BACKEND_URL: address });
  const [check] = await inspectStore(env, inspect());
  const listed = await workspacectl(["pulumi", "--", "stack", "ls", "--all"], folder, env);
  expect({ works: check?.status === "ok", check, listed }).toMatchObject({ works: listed.code === 0 });
  if (check === undefined) throw new Error("doctor did not ask the database");
  return check;
}

/** Does what doctor advises. @param names by their placeholder */
async function grant({ remedy = "" }: ToolchainCheck, names: Readonly<Record<string, string>> = {}) {
  const [statement = ""] = /GRANT .* TO "<role>"/.exec(remedy) ?? [];
  const known: Readonly<Record<string, string>> = { "<role>": ROLE, ...names };
  await database.query(statement.replaceAll(/<[^>]*>/g, (placeholder) => known[placeholder] ?? placeholder));
}

describe.skipIf(owner === undefined)("with a database, which STATE_IN_POSTGRES names", () => {
  it("a role that may only read and write the table is granted what Pulumi needs besides", async () => {
    await makeTable("shared");
    await database.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON shared TO ${ROLE}`);
    const address = addressOfRole({ table: "shared" });

    const refusals: string[] = [];
    for (let check = await ask(address); check.status !== "ok"; check = await ask(address)) {
      refusals.push(/(?:denied for|owner of).*/.exec(check.found)?.[0] ?? check.found);
      expect(refusals.length).toBeLessThan(3);
      await grant(check, { "<owner of shared>": MAKER });
    }
    // A Pulumi that looks for its table needs neither right.
    expect([[], ["denied for schema public", "owner of table shared"]]).toContainEqual(refusals);
  });

  it("a role that sees no schema is granted one", async () => {
    const address = addressOfRole({ options: "-c search_path=apart" });
    const none = await ask(address);
    expect(none.found).toContain("no schema has been selected to create in");
    await grant(none, { "<schema>": "apart" });
    expect((await ask(address)).found).toContain("Pulumi can make it");
  });

  it("an address whose table has a schema gets the setting that Pulumi understands", async () => {
    const check = await ask(addressOfRole({ table: "apart.states" }));
    expect(check.remedy).toContain("options=-c%20search_path=<schema>");
    expect((await ask(addressOfRole({ table: "states", options: "-c search_path=apart" }))).status).toBe(
      "ok",
    );
  });

  it("a table that is being maintained keeps doctor waiting for a moment only", async () => {
    const address = addressOfRole({ table: "maintained" });
    await makeTable("maintained");
    await database.query(`GRANT ${MAKER} TO ${ROLE}`);
    await database.query("BEGIN; LOCK TABLE maintained IN SHARE UPDATE EXCLUSIVE MODE");
    const [check] = await inspectStore({ PULUMI_BACKEND_URL: address }, inspect());
    await database.query("ROLLBACK");
    expect(check?.found).toContain("refuses to create an object that exists");
  });

  it("a role that may not write is shown with the reason", async () => {
    await makeTable("readable");
    await database.query(`GRANT ${MAKER} TO ${ROLE}`);
    const check = await ask(
      addressOfRole({ table: "readable", options: "-c default_transaction_read_only=on" }),
    );
    expect(check.found).toContain("read-only transaction");
  });
});

/** Makes a table as Pulumi does, of a role that nobody can log in as. */
async function makeTable(name: string): Promise<void> {
  await database.query(`SET ROLE ${MAKER}`);
  await database.query(
    `CREATE TABLE ${name} (key TEXT PRIMARY KEY, data JSON NOT NULL, updated_at TIMESTAMP WITH TIME ZONE DEFAULT now())`,
  );
  await database.query("RESET ROLE");
}
