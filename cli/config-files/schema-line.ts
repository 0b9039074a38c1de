/** Creates the first line of a file, which tells editors where the schema in the installed package is. */
export function getSchemaPath(name: string): string {
  return `./node_modules/pulumi-workspace-automation/schema/${name}.schema.json`;
}

export function formatSchemaLine(name: string): string {
  return `# yaml-language-server: $schema=${getSchemaPath(name)}`;
}
