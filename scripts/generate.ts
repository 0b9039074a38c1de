/**
 * Writes every generated file. With --check, fails if one is not up to date. With --programs, also converts the examples of the types to
 * other languages, which needs Go.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { format } from "prettier";
import { clientTypesModule } from "./generate/client.js";
import { commandsPage } from "./generate/commands.js";
import { documentJsonSchema } from "./generate/document/index.js";
import { workspaceTypes } from "./generate/document/typescript.js";
import { errorCodesPage } from "./generate/error-codes.js";
import { functionsModule } from "./generate/functions.js";
import { lintPage } from "./generate/lint.js";
import { packageSchema } from "./generate/package-schema/index.js";
import { referencePages } from "./generate/reference.js";
import { registryPage } from "./generate/registry-page.js";
import { resourcesModule } from "./generate/resources.js";
import { architecturePage } from "./generate/rooms.js";
import { publishedSchemas } from "./generate/schemas.js";

const typescript = (text: string) => format(text, { parser: "typescript", printWidth: 110 });

const files: Record<string, string> = {
  "client/api-types.ts": clientTypesModule(),
  "sdk/nodejs/functions.ts": await typescript(functionsModule()),
  "sdk/nodejs/resources.ts": await typescript(resourcesModule()),
  "schema/workspace.schema.json": documentJsonSchema("file"),
  "schema/overlay.schema.json": documentJsonSchema("overlay"),
  ...(await publishedSchemas()),
  "schema/pulumi.schema.json": await packageSchema(),
  "schema/workspace-document.ts": await typescript(await workspaceTypes()),
  ...referencePages(),
  "docs/reference/commands.md": commandsPage(),
  "docs/reference/errors.md": errorCodesPage(),
  "docs/_index.md": registryPage(),
  "docs/architecture.md": architecturePage(),
  "docs/lint.md": lintPage(),
};

const check = process.argv.includes("--check");
const stale = Object.entries(files).filter(([file, text]) => current(file) !== text);
for (const [file, text] of stale) {
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const names = stale.map(([file]) => file).join(", ");
if (check && stale.length > 0) {
  process.stderr.write(`Not fresh: ${names}. Run "npm run generate" and commit what it writes.\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(
    check || stale.length === 0 ? "All generated files are fresh.\n" : `Written: ${names}\n`,
  );
}
if (process.argv.includes("--programs")) {
  // The converter reads the schema, and the reference shows what it writes.
  for (const script of ["scripts/convert-programs.ts", "scripts/generate.ts"])
    execFileSync(process.execPath, ["--import", "tsx", script], { stdio: "inherit" });
}

function current(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
