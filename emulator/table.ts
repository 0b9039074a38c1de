/** A table of the store. */
import type { Row, Rows } from "./model.js";

/** Change that the store must write: a row that was put or removed. */
export type Change = { table: string; row: Row; removed: boolean };

/** Declaration of a table. */
export interface TableDefinition<T extends Row> {
  /**
   * Rows that a row belongs to and is deleted with: the field that contains their id, by table. The first one is the
   * parent, whose rows `of` returns. A table without parent has the parent 0.
   */
  readonly belongsTo?: { readonly [K in keyof Rows]?: keyof T & string };
  /** Field that is unique within a parent. */
  readonly key?: keyof T & string;
}

export type TableDefinitions = { readonly [K in keyof Rows]?: TableDefinition<Rows[K]> };

/**
 * Rows of one type in memory, in order of creation, found by id, by parent or by key. The rows of a parent are an
 * array because large lists are sliced into pages.
 */
export class Table<T extends Row> {
  private readonly rows = new Map<number, T>();
  private readonly children = new Map<number, T[]>();
  private readonly keys = new Map<number, Map<unknown, T>>();
  private readonly keyOfRow = new Map<number, unknown>();
  private readonly parentField: keyof T | undefined;

  /** @param changed Receives every change. */
  constructor(
    readonly name: string,
    readonly definition: TableDefinition<T>,
    private readonly newId: () => number,
    private readonly changed: (change: Change) => void,
  ) {
    this.parentField = Object.values(definition.belongsTo ?? {})[0];
  }

  get(id: number): T | undefined {
    return this.rows.get(id);
  }

  /** Returns the row, which must exist because another row refers to it. */
  require(id: number): T {
    const row = this.rows.get(id);
    if (row === undefined) throw new Error(`${this.name} ${id} is referred to but missing`);
    return row;
  }

  all(): IterableIterator<T> {
    return this.rows.values();
  }

  get size(): number {
    return this.rows.size;
  }

  /** Returns the id of the parent of a row. */
  parentOf(row: T): number {
    return this.parentField === undefined ? 0 : (row[this.parentField] as number);
  }

  /** Returns the rows of a parent, oldest first. Callers must not modify the array. */
  of(parent: number): readonly T[] {
    return this.children.get(parent) ?? [];
  }

  find(parent: number, test: (row: T) => boolean): T | undefined {
    return this.children.get(parent)?.find(test);
  }

  /** Returns the row of a parent by its unique key. */
  byKey(parent: number, key: string | number): T | undefined {
    return this.keys.get(parent)?.get(key);
  }

  /** Returns the rows that belong to a row of another table. */
  belongingTo(table: keyof Rows, id: number): readonly T[] {
    const field = this.definition.belongsTo?.[table];
    if (field === undefined) return [];
    return field === this.parentField ? this.of(id) : [...this.all()].filter((row) => row[field] === id);
  }

  insert(values: Omit<T, "id">): T {
    const row = { id: this.newId(), ...values } as unknown as T;
    this.load(row);
    this.changed({ table: this.name, row, removed: false });
    return row;
  }

  /** Records a row that was changed in place. */
  update(row: T): T {
    this.index(row);
    this.changed({ table: this.name, row, removed: false });
    return row;
  }

  remove(row: T): void {
    if (!this.rows.delete(row.id)) return;
    this.unindex(row);
    const parent = this.parentOf(row);
    const rest = this.children.get(parent)?.filter((other) => other.id !== row.id) ?? [];
    if (rest.length > 0) this.children.set(parent, rest);
    else this.children.delete(parent);
    this.changed({ table: this.name, row, removed: true });
  }

  /** Adds a row that was read from disk, and therefore need not be written. */
  load(row: T): void {
    this.rows.set(row.id, row);
    const parent = this.parentOf(row);
    const siblings = this.children.get(parent);
    if (siblings === undefined) this.children.set(parent, [row]);
    else siblings.push(row);
    this.index(row);
  }

  clear(): void {
    this.rows.clear();
    this.children.clear();
    this.keys.clear();
    this.keyOfRow.clear();
  }

  private index(row: T): void {
    if (this.definition.key === undefined) return;
    const key = row[this.definition.key];
    if (this.keyOfRow.get(row.id) === key) return;
    this.unindex(row);
    const parent = this.parentOf(row);
    const siblings = this.keys.get(parent);
    if (siblings === undefined) this.keys.set(parent, new Map([[key, row]]));
    else siblings.set(key, row);
    this.keyOfRow.set(row.id, key);
  }

  private unindex(row: T): void {
    const key = this.keyOfRow.get(row.id);
    if (key === undefined) return;
    this.keyOfRow.delete(row.id);
    const siblings = this.keys.get(this.parentOf(row));
    if (siblings?.get(key) === row) siblings.delete(key);
  }
}
