/** Sends random bodies to each endpoint. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { actionTypes, commonFields } from "../../emulator/actions/action-types.js";
import { type Fields, inputDate } from "../../emulator/fields.js";
import { routes } from "../../emulator/resources/list-of-resources.js";
import { type Caller, make, send, start, ws } from "./support.js";

// Runs briefly with a fixed seed; `npm run fuzz` runs longer.
const seed = Number(process.env["FUZZ_SEED"] ?? 20260101);
const numRuns = Number(process.env["FUZZ_RUNS"] ?? 200);

/** Generates valid values more often than not, so that requests pass the first check. */
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
  "a request with any body returns a response that matches the description, or an error, but never a server error",
  { timeout: 600_000 },
  async () => {
    const { emulator, call } = await start({ strictBodies: false, rateLimit: 1e9 });
    const fill = await createFixtures(call);
    const writing = routes.filter(
      ({ method, form, openBody }) => method !== "GET" && form !== true && openBody !== true,
    );
    const requests = fc.oneof(
      ...writing.map((route) =>
        bodyOf(route.body ?? {}).map((body) => ({ method: route.method, path: fill(route.path), body })),
      ),
      actionBodies.map((body) => ({ method: "POST" as const, path: fill(actionsPath), body })),
      actionBodies.map((body) => ({
        method: "PATCH" as const,
        path: fill(`${actionsPath}/:action_id`),
        body,
      })),
    );
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, body }) => {
        // Sends raw text, since other clients need not send what JSON.stringify produces.
        const response = await send(emulator.baseUrl, method, path, {
          token: emulator.token,
          body: JSON.stringify(body),
        });
        expect(response.status).toBeLessThan(500);
        if (response.status >= 400)
          for (const { message } of response.body.errors) expect(typeof message).toBe("string");
        else accepted += 1;
        await createFixtures(call);
      }),
      { seed, numRuns },
    );
    // Otherwise all requests were refused.
    expect(accepted).toBeGreaterThan(numRuns / 20);
  },
);

const actionsPath = "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions";

let parameters: Record<string, string> = {};

/** Creates the objects in the paths unless they exist, since a request may have deleted or renamed them. */
async function createFixtures(call: Caller): Promise<(path: string) => string> {
  if ((await call("GET", `${ws}/projects/web`)).status === 404)
    await make(call, "POST", `${ws}/projects`, { name: "web" });
  const pipelines = `${ws}/projects/web/pipelines`;
  if (
    (await call("GET", `${pipelines}/${parameters["pipeline_id"]}/actions/${parameters["action_id"]}`))
      .status !== 200
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
    parameters = {
      ...parameters,
      pipeline_id: `${pipeline.id}`,
      action_id: `${action.id}`,
      execution_id: `${run.id}`,
    };
  }
  if ((await call("GET", `${ws}/groups/${parameters["group_id"]}`)).status !== 200) {
    parameters["group_id"] = `${(await make(call, "POST", `${ws}/groups`, { name: "g" })).id}`;
  }
  if ((await call("GET", `${ws}/variables/${parameters["variable_id"]}`)).status !== 200) {
    parameters["variable_id"] =
      `${(await make(call, "POST", `${ws}/variables`, { key: "k", value: "v" })).id}`;
  }
  parameters = { ...parameters, domain: "acme", project_name: "web" };
  return (path) => path.replaceAll(/:(\w+)\*?/g, (_, name: string) => parameters[name] ?? "1");
}
