/** Writes the manifests of a fleet for systems that run Pulumi by themselves. */
import { resolve } from "node:path";
import { stringify } from "yaml";
import { isCron } from "../../../provider/definition/formats.js";
import { ALLOW_ENV } from "../../../trust/variables.js";
import { CliError } from "../../errors.js";
import { requestedFormats } from "../../reporters/deliver.js";
import type { FormatRequest, ManifestFormat } from "../../reporters/format-names.js";
import type { Io } from "../../terminal/io.js";
import { printResultTo, printYaml } from "../../terminal/output.js";
import { readFleet } from "./file.js";
import { operatorManifests, type ManifestOptions } from "./operator-manifests.js";
import { chosen } from "./selection.js";

export interface ManifestExportOptions extends ManifestOptions {
  readonly file: string;
  readonly only?: readonly string[];
  readonly format?: readonly FormatRequest<ManifestFormat>[];
}

export function exportFleet(options: ManifestExportOptions, io: Io): number {
  const { driftSchedule } = options;
  if (driftSchedule !== undefined && !isCron(driftSchedule))
    throw new CliError(
      `--drift-schedule "${driftSchedule}" is not a cron schedule: write five fields, such as "0 5 * * *"`,
    );
  const fleet = readFleet(options.file);
  const manifests = operatorManifests(fleet, chosen(fleet.entries, options.only), resolve(options.file), {
    ...options,
    allowedVariables: io.env[ALLOW_ENV],
  });
  const texts = manifests.map((manifest) => `---\n${stringify(manifest, { lineWidth: 0 })}`);
  for (const { file } of requestedFormats<ManifestFormat>(options, "pulumi-operator")) {
    if (file !== undefined) printResultTo(file, texts.join(""), io);
    else for (const text of texts) printYaml(io, text);
  }
  return 0;
}
