/** Runs the script of examples/ci/github/on-merge that finds which plan was approved, with a stand-in for `gh`. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../cli/support.js";
import { readWorkflow } from "./workflow.js";

const step = readWorkflow("github/on-merge/up.yml").jobs["approved"]?.steps.find(
  ({ id }) => id === "approved",
);
const hasPrograms = (await execa("bash", ["-c", "command -v jq"], { reject: false })).exitCode === 0;
const folder = temporaryFolder();
const output = join(folder, "output");
const approved = `sha256:${"a".repeat(64)}`;
const head = "1".repeat(40);

/** Makes a `gh` that knows one pull request, some runs and their reports. */
function gitHub(runs: readonly object[], reports: Readonly<Record<string, string>>, mergedHead = head): void {
  for (const [id, fingerprint] of Object.entries(reports)) {
    mkdirSync(join(folder, "reports", id), { recursive: true });
    writeFileSync(join(folder, "reports", id, "preview.json"), JSON.stringify({ fingerprint }));
  }
  writeFileSync(join(folder, "runs.json"), JSON.stringify(runs));
  const script = `#!/bin/sh
echo "gh $*" >> "${folder}/asked"
case "$1 $2" in
  "api repos/o/r/commits/"*) echo "${mergedHead}" ;;
  "run list") cat "${folder}/runs.json" ;;
  "run download") mkdir approved && cp "${folder}/reports/$3/preview.json" approved/ ;;
esac
`;
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin/gh"), script);
  chmodSync(join(folder, "bin/gh"), 0o755);
}

async function find(given = ""): Promise<{ code: number | undefined; said: string; found: string }> {
  const { exitCode, stdout } = await execa(
    "bash",
    ["--noprofile", "--norc", "-eo", "pipefail", "-c", step?.run ?? ""],
    {
      cwd: folder,
      reject: false,
      env: {
        PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
        ...{ GH_REPO: "o/r", GITHUB_SHA: "2".repeat(40), GITHUB_OUTPUT: output, GIVEN: given },
      },
    },
  );
  return { code: exitCode, said: stdout, found: existsSync(output) ? readFileSync(output, "utf8") : "" };
}

beforeEach(() => {
  for (const name of ["output", "approved", "asked", "reports"])
    rmSync(join(folder, name), { recursive: true, force: true });
});

describe.skipIf(!hasPrograms)("the approved plan", () => {
  it("is that of the last preview of the commit that was merged", async () => {
    const runs = [
      { databaseId: 9, displayTitle: `Preview of ${"3".repeat(40)}` },
      { databaseId: 8, displayTitle: `Preview of ${head}` },
      { databaseId: 7, displayTitle: `Preview of ${head}` },
    ];
    gitHub(runs, { 8: approved, 9: `sha256:${"b".repeat(64)}` });
    expect(await find()).toEqual({ code: 0, said: "", found: `fingerprint=${approved}\n` });
    // Only this event takes the workflow from the default branch, whoever has pushed what.
    expect(readFileSync(join(folder, "asked"), "utf8")).toContain(
      "gh run list --workflow preview.yml --event workflow_run --status success",
    );
  });

  it.each([
    ["without a pull request", [], {}, "", "No pull request was merged with this commit"],
    [
      "without a preview",
      [{ databaseId: 9, displayTitle: "Preview of x" }],
      {},
      head,
      "has no preview that succeeded",
    ],
    [
      "with a forged report",
      [{ databaseId: 8, displayTitle: `Preview of ${head}` }],
      { 8: "x\nresult=y" },
      head,
      "no fingerprint",
    ],
  ])("is refused %s", async (_, runs, reports, mergedHead, message) => {
    gitHub(runs, reports, mergedHead);
    expect(await find()).toEqual({ code: 1, said: expect.stringContaining(message) as string, found: "" });
  });

  it("may be given by hand, and is no other text", async () => {
    gitHub([], {});
    expect(await find(approved)).toMatchObject({ code: 0, found: `fingerprint=${approved}\n` });
    expect(await find("$(touch x)")).toMatchObject({ code: 1 });
  });
});
