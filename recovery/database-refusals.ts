/** What to do when PostgreSQL refuses what Pulumi does there. */

/** Older ones, such as 3.259.0, make their table in every command, and PostgreSQL asks for the rights before it looks whether there is one. */
export const FIRST_TO_LOOK_FOR_ITS_TABLE = "3.274.1";

const ALWAYS = `; Pulumi before ${FIRST_TO_LOOK_FOR_ITS_TABLE} needs that in every command, also for a table that exists`;

const remedies: readonly (readonly [RegExp, (name: string) => string])[] = [
  [
    /permission denied for schema (\w+)/,
    (schema) =>
      `let the role of the address create in the schema: GRANT USAGE, CREATE ON SCHEMA "${schema}" TO "<role>"${ALWAYS}`,
  ],
  [
    /must be owner of table (\w+)/,
    (table) =>
      `let the role of the address be a member of the table's owner: GRANT "<owner of ${table}>" TO "<role>"${ALWAYS}`,
  ],
  [
    /(no schema) has been selected to create in/,
    () =>
      'let the role of the address create in a schema of its search_path: GRANT USAGE, CREATE ON SCHEMA "<schema>" TO "<role>"',
  ],
  [
    /permission denied for table (\w+)/,
    (table) =>
      `let the role of the address use the table: GRANT SELECT, INSERT, UPDATE, DELETE ON "${table}" TO "<role>"`,
  ],
  [
    // Pulumi gives its index the name of the table, and PostgreSQL takes no schema in the name of an index.
    /(syntax error) at or near "\."/,
    () => "name the table without its schema, and add options=-c%20search_path=<schema> to the address",
  ],
];

/** @param message of the database, perhaps within words of Pulumi @returns undefined for other failures */
export function explainDatabaseRefusal(message: string): string | undefined {
  for (const [pattern, remedy] of remedies) {
    const name = pattern.exec(message)?.[1];
    if (name !== undefined) return remedy(name);
  }
  return undefined;
}
