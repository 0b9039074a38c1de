/** The table in which Pulumi keeps states in PostgreSQL, as a bucket. */
import pg from "pg";
import type { StateAddress } from "../trust/state-address.js";
import {
  type Bucket,
  getFolderOfAddress,
  NotMadeYet,
  Passing,
  STORE_TIMEOUT_MS,
  type StoreEnvironment,
} from "./bucket.js";

const CONNECTIONS = 4;
/** Errors of the server: connection lost, transaction to be repeated, too many connections, shutting down, statement cancelled. */
const PASSING = /^(08|40|53|57)/;
const NO_TABLE = "42P01";
const LOCKED = "55P03";
const LOCK_MS = 2_000;
const NOT_YET = "the database has no table of Pulumi's yet";
const FAILED = "the request to the database failed";
/** What is refused is named in these errors: a right, a transaction that only reads, no schema to create in, a name. */
const REFUSED = /^(42501|25006|3F000|42601)$/;

interface ObjectRow {
  readonly key: string;
  /** Bytes or JSON, by the release of Pulumi. */
  readonly data: Buffer | { readonly data: string };
}

export function openPostgresBucket({ whole }: StateAddress, env: StoreEnvironment): Bucket {
  const url = new URL(whole);
  const name = `postgres://${url.host}${url.pathname}`;
  const folder = getFolderOfAddress(url);
  const table = url.searchParams.get("table") ?? "pulumi_state";
  // Pulumi writes the name into its statements as it is, too.
  if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$/.test(table))
    throw new Error(
      "the address of the state's database names a table that is not a plain word: use letters, digits and _ (?table=NAME)",
    );
  url.searchParams.delete("table");
  // Pulumi's client asks for an encrypted connection, and means by each mode what PostgreSQL's own clients mean.
  if (!url.searchParams.has("sslmode")) url.searchParams.set("sslmode", env["PGSSLMODE"] || "require");
  url.searchParams.set("uselibpqcompat", "true");
  const pool = new pg.Pool({
    connectionString: url.href,
    max: CONNECTIONS,
    connectionTimeoutMillis: STORE_TIMEOUT_MS,
    query_timeout: STORE_TIMEOUT_MS,
    allowExitOnIdle: true,
  });
  // The next query opens another connection.
  pool.on("error", () => undefined);

  async function query<T extends pg.QueryResultRow>(text: string, values: readonly unknown[]) {
    try {
      return await pool.query<T>(text, [...values]);
    } catch (error) {
      throw convertError(error);
    }
  }

  /** What a query finds: nothing where there is no table. */
  async function rows(text: string, values: readonly unknown[]): Promise<readonly ObjectRow[]> {
    try {
      return (await query<ObjectRow>(text, values)).rows;
    } catch (error) {
      if (error instanceof NotMadeYet) return [];
      throw error;
    }
  }

  let isJson: boolean | undefined;

  /** The type of the objects; undefined without the table. */
  async function findType(): Promise<string | undefined> {
    const { rows: types } = await query<{ readonly type: string }>(
      "SELECT atttypid::regtype::text AS type FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'data'",
      [table],
    );
    return types[0]?.type;
  }

  /** Whether the objects are JSON. @throws {NotMadeYet} without the table */
  async function storesJson(): Promise<boolean> {
    if (isJson !== undefined) return isJson;
    const type = await findType();
    if (type === undefined) throw new NotMadeYet(NOT_YET);
    return (isJson = type !== "bytea");
  }

  async function insert(key: string, body: string, orElse: string): Promise<boolean> {
    const bytes = Buffer.from(body);
    const data = (await storesJson()) ? JSON.stringify({ data: bytes.toString("base64") }) : bytes;
    const conflict = `ON CONFLICT (key) DO ${orElse}`;
    const inserted = await query(`INSERT INTO ${table} (key, data) VALUES ($1, $2) ${conflict}`, [
      folder + key,
      data,
    ]);
    return inserted.rowCount !== 0;
  }

  return {
    name,
    async text(key) {
      const [row] = await rows(`SELECT key, data FROM ${table} WHERE key = $1`, [folder + key]);
      if (row === undefined) return undefined;
      const { data } = row;
      return (Buffer.isBuffer(data) ? data : Buffer.from(data.data, "base64")).toString("utf8");
    },
    put: async (key, body) => void (await insert(key, body, "UPDATE SET data = $2, updated_at = now()")),
    create: (key, body) => insert(key, body, "NOTHING"),
    async deleteAll(keys) {
      await rows(`DELETE FROM ${table} WHERE key = ANY($1)`, [keys.map((key) => folder + key)]);
    },
    async list(prefix) {
      const found = await rows(
        `SELECT key FROM ${table} WHERE starts_with(key, $1) ORDER BY key COLLATE "C"`,
        [folder + prefix],
      );
      return found.map(({ key }) => key.slice(folder.length));
    },
    async rehearseOpening(alsoAgain) {
      if (!alsoAgain && (await findType()) !== undefined) return;
      const client = await pool.connect().catch((error: unknown) => Promise.reject(convertError(error)));
      try {
        await client.query("BEGIN");
        await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
        await client.query(
          `CREATE TABLE IF NOT EXISTS ${table} (key TEXT PRIMARY KEY, data JSON NOT NULL, updated_at TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now())`,
        );
        await client.query(
          `CREATE INDEX IF NOT EXISTS ${table}_key_prefix_idx ON ${table} (key text_pattern_ops)`,
        );
      } catch (error) {
        // The database asks for rights before it waits for others.
        if ((error as NodeJS.ErrnoException).code !== LOCKED) throw convertError(error);
      } finally {
        await client.query("ROLLBACK").catch(() => undefined);
        client.release();
      }
    },
  };
}

function convertError(error: unknown): Error {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === NO_TABLE) return new NotMadeYet(NOT_YET);
  if (!(error instanceof pg.DatabaseError)) return new Passing(`${FAILED}: ${code || message}`);
  if (PASSING.test(code)) return new Passing(`${FAILED}: ${code}`);
  return new Error(`${FAILED}: ${REFUSED.test(code) ? message : code}`);
}
