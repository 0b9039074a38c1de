/** Data of the emulated service. */
import { randomBytes } from "node:crypto";
import { Disk } from "./disk.js";
import { Encryption } from "./encryption.js";
import type { Row, Rows } from "./model.js";
import { type Change, Table, type TableDefinition, type TableDefinitions } from "./table.js";

/** Data of the emulated service: the database and its tables by name. */
export type Store = Database & { readonly [K in keyof Rows]: Table<Rows[K]> };

/** @param directory Data directory; without one the data are in memory only. */
export async function openStore(definitions: TableDefinitions, directory?: string): Promise<Store> {
  const disk = directory === undefined ? undefined : await Disk.open(directory);
  const database = new Database(disk, definitions);
  await database.load();
  return withTables(database);
}

/** Returns a copy of the data in memory. */
export function copyStore({ tables, encryption, definitions }: Store): Store {
  const copy = new Database(undefined, definitions, encryption);
  for (const [name, table] of tables)
    for (const row of table.all()) copy.apply({ table: name, row: structuredClone(row), removed: false });
  return withTables(copy);
}

function withTables(database: Database): Store {
  return Object.assign(database, Object.fromEntries(database.tables)) as unknown as Store;
}

/**
 * Tables in memory, and on disk where the emulator has a data directory. Reads are synchronous. A request changes rows
 * and awaits `commit` before it responds.
 */
class Database {
  readonly tables: ReadonlyMap<string, Table<Row>>;
  /** Receives every change, after it was made. */
  onChange: ((change: Change) => void) | undefined;
  private lastId = 0;

  constructor(
    private readonly disk: Disk | undefined,
    readonly definitions: TableDefinitions,
    readonly encryption: Encryption = new Encryption(disk?.encryptionKey ?? randomBytes(32)),
  ) {
    const entries = Object.entries(definitions) as [keyof Rows, TableDefinition<Row>][];
    // All tables share the sequence of ids, so that an id of the wrong type is noticed.
    const newId = (): number => ++this.lastId;
    this.tables = new Map(
      entries.map(([name, definition]) => {
        const dependents = entries
          .filter(([, { belongsTo = {} }]) => Object.hasOwn(belongsTo, name))
          .map(([dependent]) => dependent);
        const changed = (change: Change): void => this.record(name, dependents, change);
        return [name, new Table<Row>(name, definition, newId, changed)];
      }),
    );
  }

  /** Reads the rows of the data directory. */
  async load(): Promise<void> {
    this.lastId = (await this.disk?.load((name, row) => this.tables.get(name)?.load(row))) ?? 0;
  }

  /** Makes a change that another store made. */
  apply({ table: name, row, removed }: Change): void {
    const table = this.tables.get(name);
    const known = table?.get(row.id);
    if (removed && known !== undefined) table?.remove(known);
    else if (!removed && known === undefined) table?.load(row);
    else if (known !== undefined) table?.update(Object.assign(known, row));
  }

  /** Resolves when all changes so far would survive the death of the process. */
  async commit(): Promise<void> {
    await this.disk?.write(() => this.lastId);
  }

  /** Deletes all rows. Ids continue. */
  clear(): void {
    for (const table of this.tables.values()) {
      for (const row of table.all()) this.disk?.record({ table: table.name, row, removed: true });
      table.clear();
    }
  }

  async close(): Promise<void> {
    await this.commit();
    await this.disk?.close();
  }

  /** Records a change, and deletes the rows that belong to a deleted one. */
  private record(name: keyof Rows, dependents: readonly string[], change: Change): void {
    this.disk?.record(change);
    this.onChange?.(change);
    if (!change.removed) return;
    for (const dependent of dependents) {
      const table = this.tables.get(dependent);
      for (const row of table?.belongingTo(name, change.row.id) ?? []) table?.remove(row);
    }
  }
}
