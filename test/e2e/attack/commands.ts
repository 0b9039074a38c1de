/** The commands that are attacked. */

/** Commands that jobs run on a checkout, in an order in which each finds what it needs. */
export const commands: Readonly<Record<string, readonly string[]>> = {
  validate: ["validate"],
  lint: ["lint"],
  render: ["render"],
  up: ["up", "--yes", "--create-stack"],
  preview: ["preview", "--format", "markdown=preview.md", "--format", "json=plan.json", "--details"],
  drift: ["drift", "--format", "json=drift.json", "--format", "html=report.html"],
  import: ["import"],
  export: ["export", "-o", "workspace.yaml"],
  compare: ["compare", "workspace.yaml", "connection:us"],
  "fleet preview": ["fleet", "preview"],
  "fleet up": ["fleet", "up", "--yes"],
  replicate: ["replicate", "--from", "us", "--to", "eu", "--yes"],
  "config get": ["config", "get"],
  "stack ls": ["stack", "ls"],
};
