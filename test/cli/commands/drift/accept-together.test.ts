/** Tests `drift accept` of several differences of one object. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { DriftFinding } from "../../../../automation/drift/drift-report.js";
import { fileIn, run, temporaryFolder } from "../../support.js";
import { reportWith } from "./support.js";

const workspace = `version: 1
variables:
  API_KEY: { value: "\${env:API_KEY}", encrypted: true }
  TOKEN: { value: made-up, encrypted: true }
projects:
  web:
    pipelines:
      deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main }
`;

const finding = (
  one: Partial<DriftFinding> & Pick<DriftFinding, "class" | "type" | "name">,
): DriftFinding => {
  const path = (one.pathParts ?? []).join(".");
  return { id: `id-${one.name}-${path}`, path, pathParts: [], secret: false, ...one };
};

let file: string;
beforeEach(() => {
  file = fileIn(temporaryFolder(), "workspace.yaml", workspace);
});
const read = () => readFileSync(file, "utf8");

function accept(argv: string[], findings: readonly DriftFinding[]) {
  const report = fileIn(dirname(file), "drift.json", JSON.stringify(reportWith({ findings: [...findings] })));
  return run(["drift", "accept", "-f", file, "--report", report, ...argv], { WORKSPACE_VAR_API_KEY: "k" });
}

describe("drift accept of several differences of an object", () => {
  it("takes a value and what says whether it is hidden together, or neither", async () => {
    const changed = (name: string, arg: string, more: Partial<DriftFinding>) =>
      finding({ ...{ class: "changed", type: "Variable", name, pathParts: [arg] }, ...more });
    const opened = (name: string) => [
      changed(name, "value", { secret: true, live: { $secret: "hmac:2" } }),
      changed(name, "encrypted", { declared: true, live: false }),
    ];
    const { code, stderr } = await accept(["--all"], opened("variables/API_KEY"));
    expect(code).toBe(1);
    expect(stderr).toContain(
      "not accepted: variables/API_KEY: encrypted: it is accepted only together with value, which was not accepted.",
    );
    expect(stderr).toContain("0 of 2 accepted");
    expect(stderr).not.toContain("Set them in the environment");
    expect(read()).toBe(workspace);
    const both = await accept(["--all"], opened("variables/TOKEN"));
    expect(both.code).toBe(0);
    expect(both.stderr).toContain("WORKSPACE_VAR_TOKEN  variables/TOKEN value");
    expect(read()).toContain('TOKEN: { value: "${env:TOKEN}", encrypted: false }');
  });

  it("accepts a named object although one of its values cannot be verified", async () => {
    const name = "projects/web/pipelines/deploy";
    const ofPipeline = (more: Partial<DriftFinding> & Pick<DriftFinding, "class">) =>
      finding({ type: "Pipeline", name, ...more });
    const findings = [
      ofPipeline({ class: "changed", pathParts: ["refName"], declared: "main", live: "develop" }),
      ofPipeline({ class: "unverifiable", pathParts: ["cron"] }),
    ];
    expect(await accept([name], findings)).toMatchObject({ code: 0 });
    expect(read()).toContain("refName: develop");
    const alone = await accept([name], findings.slice(1));
    expect(alone.code).toBe(1);
    expect(alone.stderr).toContain("the service does not return the value, so there is nothing to accept");
  });
});
