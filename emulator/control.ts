/** Control interface over HTTP, for tests and demos. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { checkContentType } from "./body.js";
import { scopes } from "./enums.js";
import { faultKinds } from "./fault-injection.js";
import type { Gate } from "./gate.js";
import type { Emulator } from "./handle.js";
import { behaviorSchema, chooseBehavior, completeSettings } from "./profile.js";
import { settingsSchema } from "./settings.js";

/** Path that is reserved for the control interface. */
const controlPath = "/_control";

const fault = z.strictObject({
  kind: z.enum(faultKinds),
  method: z.string().optional(),
  path: z.string().optional(),
  /** Regular expression, instead of `path`. */
  path_pattern: z.string().optional(),
  count: z.number().int().positive().optional(),
  skip: z.number().int().min(0).optional(),
  status: z.number().int().min(400).max(599).optional(),
  message: z.string().optional(),
  delay_ms: z.number().min(0).optional(),
});

const edit = z.strictObject({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z.string().startsWith("/"),
  body: z.unknown().optional(),
  user: z.string().optional(),
});

const clock = z.strictObject({
  // Limits the step because dates end in the year 275760.
  advance_seconds: z.number().min(0).max(1e9).optional(),
  frozen: z.boolean().optional(),
});
const token = z.strictObject({
  user: z.string().optional(),
  scopes: z.array(z.enum(scopes)).optional(),
  expires_in: z.number().int().positive().optional(),
});
const profile = z.strictObject({ seed: z.number().int().optional(), behavior: behaviorSchema.optional() });
const api = z.strictObject({ domain: z.string(), enabled: z.boolean() });
const rateLimit = z.strictObject({ remaining: z.number().int().min(0), user: z.string().optional() });
const outcomes = z.strictObject({
  pipeline_id: z.number().int(),
  outcomes: z.array(
    z.strictObject({ status: z.enum(["SUCCESSFUL", "FAILED"]), action: z.string().optional() }),
  ),
});

/** Registers the control interface: everything that the in-process handle offers, over HTTP. See docs/emulator.md. */
export function registerControl(app: FastifyInstance, emulator: Emulator, gate: Gate): void {
  const config = { outside: true };
  const act = (
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    work: (body: unknown) => unknown,
  ): void => {
    app.route({
      method,
      url: controlPath + path,
      config,
      onRequest: gate.hook,
      handler: async (request, reply) => {
        checkContentType(request, false);
        try {
          // Some responses contain tokens.
          void reply.header("cache-control", "no-store");
          return await reply.send((await work(request.body ?? {})) ?? {});
        } catch (error) {
          const message = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
          return reply.code(400).send({ errors: [{ message }] });
        }
      },
    });
  };
  const post = <T>(path: string, schema: z.ZodType<T>, work: (sent: T) => unknown): void =>
    act("POST", path, (body) => work(schema.parse(body)));
  const showClock = () => ({
    now: new Date(emulator.clock.now()).toISOString(),
    frozen: emulator.clock.frozen,
  });

  act("GET", "", () => ({
    baseUrl: emulator.baseUrl,
    authorizeUrl: emulator.authorizeUrl,
    token: emulator.token,
    workspace: emulator.workspace,
    clock: showClock(),
    settings: emulator.settings,
  }));
  act("GET", "/journal", () => ({ requests: emulator.journal.requests }));
  act("DELETE", "/journal", () => emulator.journal.clear());
  act("POST", "/reset", () => emulator.reset());
  act("GET", "/clock", showClock);
  post("/clock", clock, async ({ advance_seconds, frozen }) => {
    if (frozen !== undefined) emulator.clock.freeze(frozen);
    if (advance_seconds !== undefined) await emulator.clock.advance(advance_seconds * 1000);
    return showClock();
  });
  act("GET", "/faults", () => ({
    faults: emulator.faults.pending.map(({ path, ...rest }) => ({ ...rest, path: path?.toString() })),
  }));
  post("/faults", fault, ({ path_pattern, path, delay_ms, ...rest }) => {
    const pattern = path_pattern === undefined ? path : new RegExp(path_pattern);
    emulator.faults.add({ ...rest, path: pattern, delayMs: delay_ms });
  });
  act("DELETE", "/faults", () => emulator.faults.clear());
  act("GET", "/settings", () => emulator.settings);
  act("PATCH", "/settings", (body) => Object.assign(emulator.settings, settingsSchema.parse(body)));
  post("/profile", profile, ({ seed, behavior }) => {
    const { latencyMs, actionSeconds } = emulator.settings;
    const chosen = { ...(seed === undefined ? {} : chooseBehavior(seed)), ...behavior };
    return Object.assign(emulator.settings, completeSettings({ latencyMs, actionSeconds, ...chosen }));
  });
  post("/edits", edit, (sent) => emulator.edit(sent));
  post("/tokens", token, async ({ expires_in: expiresInSeconds, ...options }) => ({
    token: await emulator.createToken({ ...options, expiresInSeconds }),
  }));
  post("/api", api, ({ domain, enabled }) => emulator.setApiEnabled(domain, enabled));
  post("/rate-limit", rateLimit, ({ remaining, user }) => emulator.setRemaining(remaining, user));
  post("/outcomes", outcomes, ({ pipeline_id, outcomes: list }) => emulator.setOutcomes(pipeline_id, list));
}
