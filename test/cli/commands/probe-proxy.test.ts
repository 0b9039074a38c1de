/** Changes single responses of a service that behaves as assumed: the probe says of that assumption, and of no other, that it differs. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { execa } from "execa";
import { afterEach, expect, it } from "vitest";
import { isCheckable } from "../../../assumptions/assumption.js";
import { type AssumptionId, assumptions } from "../../../assumptions/list-of-assumptions.js";
import { probeReportSchema } from "../../../cli/commands/probe/probe-report.js";
import { emulated, personAt } from "../service-support.js";
import { temporaryFolder } from "../support.js";
import { probeSeed } from "./probe-seed.js";

type Body = Record<string, unknown>;

interface Changed {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly sent: Body;
  status: number;
  body: Body;
  headers: Record<string, string>;
}

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** A proxy that changes responses. */
async function proxied(baseUrl: string, change: (response: Changed) => void): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const [method = "GET", path = "/"] = [request.method, request.url];
      const text = await textOf(request);
      const headers = {
        authorization: request.headers.authorization ?? "",
        "content-type": "application/json",
      };
      const got = await fetch(baseUrl + path, { method, headers, ...(text === "" ? {} : { body: text }) });
      const all = Object.fromEntries([...got.headers].filter(([name]) => name.startsWith("x-rate")));
      const answer = await got.text();
      const changed: Changed = {
        ...{ method, path, sent: (text === "" ? {} : JSON.parse(text)) as Body, status: got.status },
        ...{ body: (answer === "" ? {} : JSON.parse(answer)) as Body, headers: all },
      };
      change(changed);
      response.writeHead(changed.status, { ...changed.headers, "content-type": "application/json" });
      response.end(changed.status === 204 ? undefined : JSON.stringify(changed.body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const refuse = (response: Changed, status: number, message = "Refused.") => {
  response.status = status;
  response.body = { errors: [{ message }] };
};
const items = (body: Body, name: string) => (body[name] ?? []) as Body[];
const PIPELINE = /\/pipelines\/\d+$/;
let times = 0;

/** A change of single responses for each assumption that can be checked. */
const changes: Readonly<Partial<Record<AssumptionId, (response: Changed) => void>>> = {
  "single-action-paths": (r) => {
    if (/\/actions\/\d+$/.test(r.path) && r.method === "GET") refuse(r, 404);
  },
  "embedded-actions": (r) => {
    if (!PIPELINE.test(r.path) || r.method !== "GET") return;
    r.body["actions"] = items(r.body, "actions").map(({ id, name, last_execution_status }) => ({
      ...{ id, name, last_execution_status },
    }));
  },
  "listed-actions": (r) => {
    if (r.path.endsWith("/actions") && r.method === "GET")
      r.body["actions"] = items(r.body, "actions").map(({ id, name }) => ({ id, name }));
  },
  "action-status": (r) => {
    if (!PIPELINE.test(r.path)) return;
    for (const action of items(r.body, "actions")) {
      action["status"] = action["last_execution_status"];
      delete action["last_execution_status"];
    }
  },
  "movable-actions": (r) => {
    if (PIPELINE.test(r.path))
      r.body["actions"] = items(r.body, "actions").toSorted((a, b) => Number(a["id"]) - Number(b["id"]));
  },
  "new-action-last": (r) => {
    if (PIPELINE.test(r.path) && r.path.includes("/scratch/") && times++ === 0)
      r.body["actions"] = items(r.body, "actions").toReversed();
  },
  "show-schedule": (r) => {
    if (r.body["trigger_mode"] === "SCHEDULED" && PIPELINE.test(r.path)) r.body["cron"] = "0 2 * * *";
    if ("cron" in r.sent) r.body["cron"] = r.sent["cron"];
  },
  "cron-updates": (r) => {
    if (r.method === "PATCH" && "cron" in r.sent) refuse(r, 400, "Unknown field 'cron'.");
  },
  "cron-alone": (r) => {
    if (r.method === "POST" && "cron" in r.sent) refuse(r, 400, "Value of 'start_date' cannot be empty.");
  },
  "empty-repository": (r) => {
    if (r.path.endsWith("/repository/commits")) [r.status, r.body] = [200, { commits: [{ revision: "a" }] }];
  },
  "member-email": (r) => {
    for (const member of items(r.body, "members")) delete member["email"];
  },
  "encrypted-values": (r) => {
    if (/\/variables\/\d+$/.test(r.path)) r.body["value"] = `secure!${times++}`;
  },
  "cleared-text": (r) => {
    if (r.method === "PATCH" && r.sent["description"] === null) r.body["description"] = "text";
  },
  "unknown-fields": (r) => {
    if ("workspacectl_probe" in r.sent) refuse(r, 400);
  },
  "page-size": (r) => {
    const page = Number(/[?&]page=(\d+)/.exec(r.path)?.[1] ?? 1);
    if (r.path.includes("/pipelines?") && r.method === "GET")
      r.body["pipelines"] = page > 1 ? [{ id: 1, name: "next" }] : items(r.body, "pipelines").slice(0, 10);
  },
  "large-pages": (r) => {
    if (Number(/per_page=(\d+)/.exec(r.path)?.[1] ?? 0) > 100) refuse(r, 400);
  },
  "missing-status": (r) => {
    if (r.status === 404) r.status = 410;
  },
  "unauthorized-status": (r) => {
    if (r.status === 401) r.status = 403;
  },
  "invalid-url": (r) => {
    if (r.path.endsWith("/workspacectl-probe")) refuse(r, 404);
  },
  "rate-headers": (r) => {
    r.headers = {};
  },
  "names-unique": (r) => {
    if (r.method === "POST" && r.sent["name"] === "workspacectl-probe-actions" && times++ > 0) refuse(r, 409);
  },
};

it("each assumption that can be checked has a response that contradicts it", () => {
  const checked = assumptions.filter(({ check }) => isCheckable(check)).map(({ id }) => id);
  expect(Object.keys(changes).toSorted()).toEqual(checked.toSorted());
});

it.each(Object.entries(changes))("%s differs, and nothing else", async (id, change) => {
  times = 0;
  const emulator = await emulated({ seed: probeSeed, echoMemberEmail: true });
  const baseUrl = await proxied(emulator.baseUrl, change);
  const person = personAt({ ...emulator, baseUrl, token: emulator.token, workspace: emulator.workspace });
  person.env["WORKSPACE_AUTOMATION_JOURNAL"] = temporaryFolder();
  const { code, stdout, stderr } = await person.types([
    ...["probe", "--json", "--write", "--project", "scratch"],
  ]);
  const { assumptions: all } = probeReportSchema.parse(JSON.parse(stdout));
  const differ = all.filter(({ verdict }) => verdict === "differs").map((one) => one.id);
  expect({ differ, code, stderr }).toMatchObject({ differ: [id], code: 7 });
});

it("another client sees the same as the probe", async () => {
  const emulator = await emulated({ seed: probeSeed, missingStatus: 400, largePages: "refused" });
  const { stdout } = await personAt(emulator).types(["probe", "--json"]);
  const { assumptions: all } = probeReportSchema.parse(JSON.parse(stdout));
  const curl = async (path: string, token = emulator.token) => {
    const head = ["-H", `Authorization: Bearer ${token}`];
    const { stdout: printed } = await execa("curl", [
      ...["-s", "-o", "/dev/null", "-w", "%{http_code}", ...head, emulator.baseUrl + path],
    ]);
    return printed;
  };
  const status = (id: AssumptionId) => /HTTP (\d+)/.exec(all.find((one) => one.id === id)?.found ?? "")?.[1];
  expect({
    missing: status("missing-status"),
    large: status("large-pages"),
    nobody: status("unauthorized-status"),
    url: status("invalid-url"),
  }).toEqual({
    missing: await curl("/workspaces/acme/projects/web/pipelines/2147483647"),
    large: await curl("/workspaces/acme/projects?per_page=101"),
    nobody: await curl("/workspaces", "nobody"),
    url: await curl("/workspaces/acme/nothing-here"),
  });
});
