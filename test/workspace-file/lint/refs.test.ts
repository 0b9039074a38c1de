/** Tests that the rules about refs do not contradict each other, nor what `what-runs` says. */
import { describe, expect, it } from "vitest";
import { decideStart } from "../../../workspace-file/runs/starts.js";
import { fileIn, run, temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();

async function lint(refType: string, refName: string): Promise<string> {
  const file = fileIn(
    folder,
    "workspace.yaml",
    `version: 1
workspace: acme
projects:
  web:
    pipelines:
      deploy:
        triggerMode: ON_EVERY_PUSH
        refType: ${refType}
        refName: '${refName}'
        actions: [{ name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }]
`,
  );
  return (await run(["lint", "-f", file])).stdout;
}

const names = [
  "(refs/tags/v\\d+\\.\\d+$)",
  "^release/.*$",
  "refs/heads/*",
  "refs/heads/main",
  "main|develop",
  "v1.2+",
  "*",
  "main",
];

describe.each(names)("a wildcard %s", (name) => {
  it("gets no advice that another rule refuses", async () => {
    const advised = /write refType: BRANCH/.test(await lint("WILDCARD", name));
    if (advised) expect(await lint("BRANCH", name)).not.toContain("impossible-ref");
    expect(advised).toBe(name === "main");
  });

  it("starts a run on every push exactly where lint says so", async () => {
    const said = (await lint("WILDCARD", name)).includes("every push to any branch");
    const pipeline = { triggerMode: "ON_EVERY_PUSH", refType: "WILDCARD", refName: name };
    const { starts } = decideStart(pipeline, { kind: "push", ref: "branch", name: "main" });
    expect(starts).toBe(said || name === "main" ? "yes" : starts === "no" ? "no" : "not known");
    if (/[(|^]|^refs/.test(name)) expect(starts).toBe("not known");
  });
});

it("a branch with refs/heads/ before its name gets a finding, and what runs is not known", async () => {
  expect(await lint("BRANCH", "refs/heads/main")).toContain("write main");
  const pipeline = { triggerMode: "ON_EVERY_PUSH", refType: "BRANCH", refName: "refs/heads/main" };
  expect(decideStart(pipeline, { kind: "push", ref: "branch", name: "main" }).starts).toBe("not known");
});
