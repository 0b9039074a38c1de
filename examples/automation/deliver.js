// Previews the workspace file, asks in its own way, applies the plan that was approved, and reports drift as JSON.
import { createInterface } from "node:readline/promises";
import { AutomationError, openWorkspace, render } from "workspacectl";

const cancel = new AbortController();
process.once("SIGINT", () => cancel.abort());

const workspace = openWorkspace({
  file: "workspace.yaml",
  signal: cancel.signal,
  on(event) {
    if (event.type === "step") console.error(`${event.operation} ${event.name}`);
    else if (event.type !== "progress") console.error(event.message);
  },
});

/** A portal would show a form, and a bot would wait for a reaction. */
async function isApproved(text) {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(`${text}\nType "deliver" to apply this: `)).trim() === "deliver";
  } finally {
    prompt.close();
  }
}

try {
  const preview = await workspace.preview();
  if (preview.result === "refused") {
    console.error(await render(preview, "text"));
    process.exit(1);
  }
  if (preview.result === "changes") {
    if (!(await isApproved(await render(preview, "text")))) process.exit(4);
    // Only the plan that was shown: another one is refused.
    await workspace.up({ approved: preview.fingerprint, yes: true, createStack: true });
  }
  const drift = await workspace.drift();
  console.log(JSON.stringify({ result: drift.result, findings: drift.findings }, null, 2));
} catch (error) {
  if (!(error instanceof AutomationError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
