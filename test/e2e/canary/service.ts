/** Provides the service for the commands, and its failures. */
import type { Emulator } from "../../../emulator/index.js";
import type { Call, Disturbance } from "./call.js";
import type { Echo } from "./echo.js";
import type { Secrets } from "./secrets.js";

export function seedWith(token: string, clientSecret: string) {
  const integrations = ["chat-main", "git-host", "platform-cli", "agent-main"];
  return {
    users: [
      {
        email: "olga@example.com",
        tokens: [{ token }],
        integrations: integrations.map((name) => ({ name, type: name.toUpperCase().replace("-", "_") })),
      },
    ],
    workspaces: [
      {
        domain: "acme",
        projects: [{ name: "web", files: { "README.md": "# Web\n" } }],
        sandboxes: [{ id: "sandbox-1", identifier: "sandbox-1" }],
      },
      { domain: "acme-eu", projects: [{ name: "web", files: { "README.md": "# Web\n" } }] },
    ],
    oauth_clients: [{ client_id: "ci", client_secret: clientSecret }],
  };
}

/** Changes secrets by hand, and adds an action with secrets. */
export async function tamper({
  emulator,
  secrets,
}: {
  readonly emulator: Emulator;
  readonly secrets: Secrets;
}): Promise<void> {
  const ask = async (method: "GET" | "PATCH" | "POST", path: string, body?: object) => {
    const { status, body: answer } = await emulator.edit({
      method,
      path: `/workspaces/acme${path}`,
      ...(body === undefined ? {} : { body }),
    });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer as Record<string, { id: number; name?: string; key?: string }[]>;
  };
  const find = async (list: string, path: string, name: string) => {
    const { [list]: found = [] } = await ask("GET", path);
    return found.find((one) => one.name === name || one.key === name)?.id ?? 0;
  };
  const text = (where: string) => secrets.text(`set by hand: ${where}`);
  const variable = { key: "LITERAL", value: text("a value"), encrypted: true };
  await ask("PATCH", `/variables/${await find("variables", "/variables", "LITERAL")}`, variable);
  const pipelines = "/projects/web/pipelines";
  const actions = `${pipelines}/${await find("pipelines", pipelines, "deploy")}/actions`;
  const secret = (of: string) => ({
    headers: [{ name: "Authorization", value: text(`a header of ${of}`) }],
    password: text(`a password of ${of}`),
  });
  await ask("PATCH", `${actions}/${await find("actions", actions, "Literal")}`, secret("an action"));
  await ask("POST", actions, {
    ...{ name: `Stranger ${secrets.size}`, type: "HTTP", trigger_time: "ON_EVERY_EXECUTION", method: "GET" },
    ...{ notification_url: "https://example.com/", login: "deployer", ...secret("a new action") },
  });
}

/** Prepares a failure. Returns the arguments for the command, and a function that ends the failure. */
export function disturb(
  call: Call,
  disturbance: Disturbance,
  { faults }: Emulator,
  echo: Echo,
): { argv: readonly string[]; stop: () => void } {
  const answer = (status: number, count: number) =>
    echo.set([
      { status, count, skip: 0, writes: true },
      { status, count, skip: call.engine ? 10 : 0, writes: false },
    ]);
  let { argv } = call;
  // A file is rejected for its errors, anything else by the service.
  if (disturbance === "refusal" && argv.includes("--overlay")) argv = [...argv, "--overlay", "wrong.yaml"];
  else if (disturbance === "refusal") answer(403, 1000);
  if (disturbance === "4xx") answer(400, 3);
  if (disturbance === "5xx") answer(502, 12);
  if (disturbance === "lost answers")
    for (const method of ["POST", "PATCH", "DELETE"]) faults.add({ kind: "reset-after", method, count: 2 });
  // Gives the test time to see that the provider has begun to write.
  if (disturbance === "provider crash") faults.add({ kind: "delay", delayMs: 60, count: 400 });
  return {
    argv,
    stop: () => {
      faults.clear();
      echo.set([]);
    },
  };
}
