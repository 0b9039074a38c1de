/**
 * Writes every generated file. With --check, fails if one is not up to date. With --programs, also converts the examples of the types to
 * other languages, which needs Go.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { format } from "prettier";
import { renderClientTypes } from "./generate/client.js";
import { renderCommandPages } from "./generate/commands.js";
import { renderDecisionsPage } from "./generate/decisions.js";
import { renderDocumentSchema } from "./generate/document/document-schema.js";
import { renderWorkspaceTypes } from "./generate/document/typescript.js";
import { renderEmulatorPage } from "./generate/emulator-settings.js";
import { renderErrorCodesPage } from "./generate/error-codes.js";
import { renderFunctions } from "./generate/functions.js";
import { lintPage } from "./generate/lint.js";
import { renderPackageSchema } from "./generate/package-schema/package-schema.js";
import { wrapLongLines } from "./generate/prose.js";
import { renderReferencePages } from "./generate/reference.js";
import { renderRegistryPage } from "./generate/registry-page.js";
import { renderReportTypes } from "./generate/report-types.js";
import { renderResources } from "./generate/resources.js";
import { renderArchitecturePage } from "./generate/rooms.js";
import { renderPipelinesGuide } from "./generate/schedulers.js";
import { renderSchemas } from "./generate/schemas.js";

const formatTypescript = (text: string) => format(text, { parser: "typescript", printWidth: 110 });

const files: Record<string, string> = {
  "client/api-types.ts": renderClientTypes(),
  "sdk/nodejs/functions.ts": await formatTypescript(renderFunctions()),
  "sdk/nodejs/resources.ts": await formatTypescript(renderResources()),
  "schema/workspace.schema.json": renderDocumentSchema("file"),
  "schema/overlay.schema.json": renderDocumentSchema("overlay"),
  ...(await renderSchemas()),
  "schema/pulumi.schema.json": await renderPackageSchema(),
  "schema/workspace-document.ts": await formatTypescript(await renderWorkspaceTypes()),
  "automation/report-types.ts": await formatTypescript(await renderReportTypes()),
  ...renderReferencePages(),
  ...renderCommandPages(),
  "docs/reference/errors.md": renderErrorCodesPage(),
  "docs/_index.md": renderRegistryPage(),
  "docs/architecture.md": renderArchitecturePage(),
  "docs/decisions.md": renderDecisionsPage(),
  "docs/emulator.md": renderEmulatorPage(),
  "docs/lint.md": lintPage(),
  "docs/guides/pipelines.md": renderPipelinesGuide(),
};

const check = process.argv.includes("--check");
const stale = Object.entries(files)
  .map(([file, text]) => [file, file.endsWith(".md") ? wrapLongLines(text) : text] as const)
  .filter(([file, text]) => readCurrent(file) !== text);
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

function readCurrent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
