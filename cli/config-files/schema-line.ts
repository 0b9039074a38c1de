/** The first line of files that editors complete and check: where the schema of an installed package is, from beside the file. */
export function schemaPath(name: string): string {
  return `./node_modules/pulumi-workspace-automation/schema/${name}.schema.json`;
}

export function schemaLine(name: string): string {
  return `# yaml-language-server: $schema=${schemaPath(name)}`;
}
