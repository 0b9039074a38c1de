import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { actionTypes, commonFields } from "../../emulator/actions/registry.js";
import { inputDate, type Fields } from "../../emulator/fields.js";
import { routes } from "../../emulator/resources/index.js";
import { make, send, start, ws, type Caller } from "./support.js";

// A short slice with a fixed seed; `npm run fuzz` is the long run.
const seed = Number(process.env["FUZZ_SEED"] ?? 20260101);
const numRuns = Number(process.env["FUZZ_RUNS"] ?? 200);

/** Makes valid values more often than not, so that requests pass the first check. */
function valueOf(field: z.ZodType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: validValue(field) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function validValue(field: z.ZodType): fc.Arbitrary<unknown> {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable)
    return validValue(field.unwrap() as z.ZodType);
  if (field === inputDate) return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (field instanceof z.ZodEnum) return fc.constantFrom(...field.options);
  if (field instanceof z.ZodString) return fc.string({ minLength: 1 });
  if (field instanceof z.ZodNumber) return fc.integer();
  if (field instanceof z.ZodBoolean) return fc.boolean();
  if (field instanceof z.ZodObject) return bodyOf(field.shape);
  if (field instanceof z.ZodArray) return fc.array(validValue(field.element as z.ZodType), { maxLength: 3 });
  return fc.jsonValue();
}

function bodyOf(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  const requiredKeys = Object.keys(fields).filter((name) => !fields[name]?.isOptional());
  const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueOf(field)]));
  return fc.record(values, { requiredKeys });
}

const actionBodies = fc.oneof(
  ...actionTypes.map((type) =>
    bodyOf({
      ...commonFields,
      type: z.enum([type.type]),
      ...type.fields,
    }),
  ),
);

test(
  "whatever a body holds, the answer is as described or a refusal in words, never a failure",
  { timeout: 60_000 },
  async () => {
    const { emulator, call } = await start({ strictBodies: false, rateLimit: 1e9 });
    const place = await furnish(call);
    const writing = routes.filter(
      ({ method, form, openBody }) => method !== "GET" && form !== true && openBody !== true,
    );
    const requests = fc.oneof(
      ...writing.map((route) =>
        bodyOf(route.body ?? {}).map((body) => ({ method: route.method, path: place(route.path), body })),
      ),
      actionBodies.map((body) => ({ method: "POST" as const, path: place(actionsPath), body })),
      actionBodies.map((body) => ({
        method: "PATCH" as const,
        path: place(`${actionsPath}/:action_id`),
        body,
      })),
    );
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, body }) => {
        // Raw, since a stranger's client need not send what JSON.stringify makes of it.
        const answer = await send(emulator.baseUrl, method, path, {
          token: emulator.token,
          body: JSON.stringify(body),
        });
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 400)
          for (const { message } of answer.body.errors) expect(typeof message).toBe("string");
        else accepted += 1;
        await furnish(call);
      }),
      { seed, numRuns },
    );
    // Otherwise only refusals were tested.
    expect(accepted).toBeGreaterThan(numRuns / 20);
  },
);

const actionsPath = "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions";

let places: Record<string, string> = {};

/** See to it that what the paths name exists, also after a request deleted or renamed it. */
async function furnish(call: Caller): Promise<(path: string) => string> {
  if ((await call("GET", `${ws}/projects/web`)).status === 404)
    await make(call, "POST", `${ws}/projects`, { name: "web" });
  const pipelines = `${ws}/projects/web/pipelines`;
  if (
    (await call("GET", `${pipelines}/${places["pipeline_id"]}/actions/${places["action_id"]}`)).status !== 200
  ) {
    const pipeline = await make(call, "POST", pipelines, {
      name: "p",
      ref_name: "main",
      trigger_mode: "MANUAL",
    });
    const body = { name: "a", type: "PING", trigger_time: "ON_FAILURE", destination: "x" };
    const action = await make(call, "POST", `${pipelines}/${pipeline.id}/actions`, body);
    const run = await make(call, "POST", `${pipelines}/${pipeline.id}/executions`, {
      to_revision: { revision: "HEAD" },
    });
    places = {
      ...places,
      pipeline_id: `${pipeline.id}`,
      action_id: `${action.id}`,
      execution_id: `${run.id}`,
    };
  }
  if ((await call("GET", `${ws}/groups/${places["group_id"]}`)).status !== 200) {
    places["group_id"] = `${(await make(call, "POST", `${ws}/groups`, { name: "g" })).id}`;
  }
  if ((await call("GET", `${ws}/variables/${places["variable_id"]}`)).status !== 200) {
    places["variable_id"] = `${(await make(call, "POST", `${ws}/variables`, { key: "k", value: "v" })).id}`;
  }
  places = { ...places, domain: "acme", project_name: "web" };
  return (path) => path.replaceAll(/:(\w+)\*?/g, (_, name: string) => places[name] ?? "1");
}
