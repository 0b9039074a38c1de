/** A stand-in for GitHub's API that knows one repository with pull requests, reviews, labels and artifacts, and a `gh` that asks it. */
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { git, type HostileWorld } from "./hostile-world.js";

interface Review {
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  readonly commit_id: string;
  readonly user: { readonly login: string; readonly type: "User" | "Bot" };
}

interface Pull {
  head: string;
  base: string;
  repository: string;
  mergeable: boolean | null;
  state: string;
  author: string;
  readonly labels: Set<string>;
  readonly reviews: Review[];
}

/** A `gh` of the commands that the examples use. It asks GITHUB_API_URL, and takes artifacts from a folder. */
export const ghScript = (artifacts: string) => `#!/usr/bin/env node
const { execFileSync } = require("node:child_process");
const { cpSync } = require("node:fs");
const [command, ...words] = process.argv.slice(2);
const option = (name) => words[words.indexOf(name) + 1];
if (command === "run") {
  cpSync(${JSON.stringify(artifacts)} + "/" + option("--name"), option("--dir"), { recursive: true });
} else {
  const path = words.find((word) => word.startsWith("repos/"));
  const fields = words.filter((_, at) => words[at - 1] === "-f");
  const method = words.includes("--method") ? option("--method") : fields.length > 0 ? "POST" : "GET";
  const body = fields.length > 0 ? JSON.stringify(Object.fromEntries(fields.map((one) => one.split(/=(.*)/s)))) : undefined;
  fetch(process.env.GITHUB_API_URL + "/" + path, { method, body }).then(async (response) => {
    const text = await response.text();
    if (!response.ok) { console.error("gh: HTTP " + response.status); process.exit(1); }
    if (words.includes("--silent")) return;
    process.stdout.write(words.includes("--jq") ? execFileSync("jq", ["-r", option("--jq")], { input: text }) : text);
  });
}
`;

export class FakeGitHub {
  readonly pulls = new Map<number, Pull>();
  /** The right of each person. */
  readonly people: Record<string, "admin" | "write" | "read"> = {};
  /** Runs other than that of the plan, with the events that started them, which have stored an artifact of each name. */
  readonly otherRuns: Record<number, string> = {};
  readonly sent: string[] = [];
  /** Called for each request, before it is answered. */
  onRequest: (line: string) => Promise<void> = () => Promise.resolve();

  constructor(readonly world: HostileWorld) {}

  async serve(): Promise<string> {
    const server = createServer((request, response) => {
      void (async () => {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        const line = `${request.method} ${request.url} ${body}`;
        this.sent.push(line);
        await this.onRequest(line);
        const found = await this.#answer(request.method ?? "", request.url ?? "", body);
        response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? {}));
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    afterAll(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Puts a pull request, and what was written to it, into its first state. */
  open(number: number): Pull {
    const pull: Pull = {
      head: this.world.heads[number - 1] ?? "",
      ...{ base: "main", repository: "acme/workspace", mergeable: true, state: "clean", author: "ann" },
      labels: new Set(),
      reviews: [],
    };
    this.pulls.set(number, pull);
    return pull;
  }

  async #answer(method: string, address: string, body: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(address, "http://github");
    const path = pathname.replace("/repos/acme/workspace/", "");
    const [kind = "", id = "", part] = path.split("/");
    const pull = this.pulls.get(Number(id));
    if (kind === "collaborators") return { permission: this.people[id] ?? "none" };
    if (kind === "pulls" && id === "")
      return Promise.all([...this.pulls.keys()].map((number) => this.#pull(number)));
    if (kind === "pulls" && part === "reviews") return pull?.reviews;
    if (kind === "pulls") return this.#pull(Number(id));
    if (path === "git/ref/heads/main")
      return { object: { sha: await git(this.world.origin, "rev-parse", "main") } };
    if (kind === "commits") {
      const parents = (await git(this.world.origin, "rev-parse", `${id}^@`)).split("\n");
      return { parents: parents.map((sha) => ({ sha })) };
    }
    if (kind === "issues" && part === "labels") {
      const [label = ""] = Object.values(JSON.parse(body || "{}") as Record<string, string>);
      if (method === "POST") pull?.labels.add(label);
      else pull?.labels.delete(decodeURIComponent(path.split("/")[3] ?? ""));
      return [];
    }
    if (path === "actions/artifacts") return { artifacts: this.#artifacts(searchParams.get("name") ?? "") };
    if (path.startsWith("actions/runs/")) return { event: this.otherRuns[Number(part)] ?? "issue_comment" };
    return method === "GET" ? [] : { id: 1 };
  }

  async #pull(number: number): Promise<unknown> {
    const pull = this.pulls.get(number);
    if (pull === undefined) return undefined;
    return {
      ...{ number, mergeable: pull.mergeable, mergeable_state: pull.state },
      head: { sha: pull.head, repo: { full_name: pull.repository } },
      base: { ref: pull.base },
      user: { login: pull.author },
      labels: [...pull.labels].map((name) => ({ name })),
      merge_commit_sha: await git(this.world.origin, "rev-parse", `refs/pull/${number}/merge`),
    };
  }

  #artifacts(name: string): unknown[] {
    const others = Object.keys(this.otherRuns).map(Number);
    const runs = others.map((id) => ({ id, created_at: "2026-01-02T00:00:00Z" }));
    const folder = `${this.world.folder}/artifacts/${name}`;
    if (existsSync(folder) && readdirSync(folder).length > 0)
      runs.push({ id: 1, created_at: "2026-01-01T00:00:00Z" });
    return runs.map(({ id, created_at }) => ({ expired: false, created_at, workflow_run: { id } }));
  }
}
