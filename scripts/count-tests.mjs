// Prints the counts of a vitest JSON report as one line: `node scripts/count-tests.mjs report.json`.
import { readFileSync } from "node:fs";

/**
 * Counts the tests of a report. A file that fails before its first test (with a syntax error, for example) counts as one
 * failure.
 */
export function count(report) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults = [] } of report.testResults ?? []) {
    const failedBefore = counts.failed;
    for (const test of assertionResults) {
      if (test.status === "passed" || test.status === "failed") counts[test.status]++;
      else counts.skipped++;
    }
    if (status === "failed" && counts.failed === failedBefore) counts.failed++;
  }
  return counts;
}

/** Returns the last line of a run. */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`No test report: ${error.message}`);
    return {};
  }
}

if (process.argv[1] && import.meta.filename === process.argv[1]) {
  const counts = count(read(process.argv[2] ?? ""));
  if (counts.passed + counts.failed === 0) console.error("No test ran.");
  console.log(summary(counts));
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}
