/** Tests that a preview announces what `up` does, and that `up` keeps what it did, whatever the size. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { setUp, workspacectl } from "./support.js";

it("previews an update without the objects that refer to what does not change", async () => {
  const { file, run } = await setUp(`version: 1
workspace: acme
projects:
  web:
    displayName: Web
    pipelines:
      Deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main }
    variables:
      DEPLOY_ID: { value: "id \${ref:projects/web/pipelines/Deploy.pipelineId}" }
variables:
  WEB: { value: "\${ref:projects/web.projectName}" }
`);
  const first = await run("up", "--yes", "--create-stack");
  expect(first.code, first.stderr).toBe(0);
  writeFileSync(
    file,
    readFileSync(file, "utf8")
      .replace("refName: main", "refName: next")
      .replace("displayName: Web", "displayName: Shop"),
  );
  const preview = await run("preview");
  const up = await run("up", "--yes");
  expect({ code: up.code, preview: /(\d+) to update/.exec(preview.stdout)?.[1] }).toEqual({
    code: 0,
    preview: "2",
  });
  expect(up.stdout).toMatch(/Done: 0 created, 2 updated/);
});

it.each([60_000, 1_000_000])(
  "keeps an object of %d characters that the service created in part",
  async (size) => {
    const { env, file, emulator, folder } = await setUp(
      `version: 1\nworkspace: acme\ngroups:\n  QA: { description: "${"x".repeat(size)}" }\n`,
    );
    const proxy = createServer((incoming, response) => {
      const { method = "GET", url = "/", headers } = incoming;
      void (async () => {
        const body = method === "GET" ? {} : { body: await buffer(incoming) };
        const answer = await fetch(new URL(url, emulator.baseUrl), {
          method,
          headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
          ...body,
        });
        const text = await answer.text();
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(method === "POST" ? text.replace(/x{1000}/, "y") : text);
      })();
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    afterAll(() => proxy.close());
    const path = new URL(emulator.baseUrl).pathname;
    const through = {
      ...env,
      WORKSPACE_AUTOMATION_BASE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${path}`,
    };
    const run = (...argv: string[]) => workspacectl([...argv, "-f", file], folder, through);
    const first = await run("up", "--yes", "--create-stack");
    expect(first.code).toBe(1);
    expect(first.stderr + first.stdout).toContain("its response shows another value for description");
    const second = await run("up", "--yes");
    expect({
      code: second.code,
      groups: emulator.journal.writes().filter(({ method }) => method === "POST").length,
    }).toEqual({ code: 0, groups: 1 });
  },
);
