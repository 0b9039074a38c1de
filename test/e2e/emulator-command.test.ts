/** Runs `emulator`. */
import { on, once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { start, temporaryFolder } from "./support.js";

const folder = temporaryFolder();

interface Ready {
  baseUrl: string;
  token: string;
  workspace: string;
  key?: string;
}

function emulator(...argv: string[]) {
  return start(["emulator", "--json", ...argv], folder, process.env);
}

/** Reads the line that the emulator prints when it is ready. */
async function ready(process: ReturnType<typeof emulator>): Promise<Ready> {
  const [line] = (await once(createInterface(process.stdout), "line")) as [string];
  return JSON.parse(line) as Ready;
}

async function groups({ baseUrl, token, workspace }: Ready): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/workspaces/${workspace}/groups`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { groups: { name: string }[] }).groups.map(({ name }) => name);
}

async function addGroup({ baseUrl, token, workspace }: Ready, name: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/workspaces/${workspace}/groups`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  return answer.status;
}

describe("workspacectl emulator", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("prints one line of JSON, exits with 0 on %s", async (signal) => {
    const process = emulator();
    const { baseUrl, workspace } = await ready(process);
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(workspace).toBe("acme");
    process.kill(signal);
    const { exitCode, stdout, stderr } = await process;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout.split("\n")).toHaveLength(1);
  });

  it("preserves all data in --data, even after kill -9", async () => {
    const data = join(folder, "data");
    const first = emulator("--data", data);
    const told = await ready(first);
    expect(await addGroup(told, "QA")).toBe(201);
    first.kill("SIGKILL");
    await first;

    const second = emulator("--data", data);
    const again = await ready(second);
    expect(again.token).toBe(told.token);
    expect(await groups(again)).toEqual(["QA"]);
    second.kill("SIGTERM");
    expect((await second).exitCode).toBe(0);
  });

  it("serves the control interface only on request, and the API under a base path", async () => {
    const process = emulator("--control", "--base-path", "/api", "--strict");
    const told = await ready(process);
    expect(told.baseUrl).toMatch(/\/api$/);
    expect(await addGroup(told, "QA")).toBe(201);
    const journal = await fetch(new URL("/_control/journal", told.baseUrl));
    expect(journal.status).toBe(200);
    expect(JSON.stringify(await journal.json())).toContain("/workspaces/acme/groups");
    process.kill("SIGTERM");
    await process;

    const plain = emulator();
    const closed = await fetch(new URL("/_control/journal", (await ready(plain)).baseUrl));
    expect(closed.status).toBe(400);
    plain.kill("SIGTERM");
    await plain;
  });

  it("warns if it is reachable from outside, and requires a key for the web pages and the control interface", async () => {
    const process = emulator("--host", "0.0.0.0", "--control");
    const { baseUrl, key = "", token } = await ready(process);
    const control = new URL("/_control", baseUrl);
    expect((await fetch(control)).status).toBe(401);
    const answer = await fetch(control, { headers: { authorization: `Bearer ${key}` } });
    expect(await answer.json()).toMatchObject({ token });
    process.kill("SIGTERM");
    const { stderr } = await process;
    expect(stderr).toContain("warning: other machines can reach the emulator at 0.0.0.0, over plain HTTP");
    const easy = await emulator("--host", "0.0.0.0", "--token", "try-it");
    expect(easy.exitCode).toBe(1);
    expect(easy.stderr).toContain("the token is too short for 0.0.0.0");
  });

  it("prints how to use it, and rejects a port that is in use", async () => {
    const process = start(["emulator", "--token", "try-it"], folder, globalThis.process.env);
    const lines: string[] = [];
    for await (const [line] of on(createInterface(process.stdout), "line") as AsyncIterable<[string]>) {
      lines.push(line);
      if (line.includes("Ctrl-C")) break;
    }
    const text = lines.join("\n");
    expect(text).toMatch(/export WORKSPACE_AUTOMATION_TOKEN=try-it\n/);
    const page = /web pages +(\S+)/.exec(text)?.[1] ?? "";
    expect(await (await fetch(page)).text()).toContain("Workspaces");
    const port = /127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? "";
    const other = await emulator("--port", port);
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toContain(`port ${port} of 127.0.0.1 is in use: choose another with --port`);
    process.kill("SIGTERM");
    expect((await process).exitCode).toBe(0);
  });
});
