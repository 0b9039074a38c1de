/** Fills the cache with Pulumi, built from Go modules where its release cannot be downloaded: for contributors and CI. */
import { createProgressPrinter, ensurePulumi } from "../../toolchain/index.js";
import { buildPulumi } from "./gobuild.js";

try {
  await ensurePulumi({
    onProgress: createProgressPrinter(process.stderr),
    machinery: { build: buildPulumi },
  });
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
