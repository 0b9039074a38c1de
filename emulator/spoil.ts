import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "./errors.js";
import type { Fault } from "./faults.js";
import type { JournalEntry } from "./journal.js";

/** What a request hit by a `status` fault is answered. */
export const faultError = (fault: Fault): ServiceError =>
  new ServiceError(fault.status ?? 500, fault.message ?? "Injected fault.");

type Done = (error: Error | null, payload?: unknown) => void;

/** Spoil an answer whose work is done and kept. */
export function spoil(
  fault: Fault,
  entry: JournalEntry | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done,
): void {
  const cut = fault.kind === "reset-before" || fault.kind === "reset-after";
  if (cut || fault.kind === "truncated") {
    if (entry !== undefined) entry.status = 0;
    const { socket } = request.raw;
    if (cut || typeof payload !== "string") {
      socket.resetAndDestroy();
      return;
    }
    reply.raw.writeHead(reply.statusCode, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(payload),
    });
    reply.raw.write(payload.slice(0, Math.ceil(payload.length / 2)), () => socket.destroy());
    return;
  }
  if (fault.kind === "garbage") done(null, "<!doctype html><title>Bad gateway</title>");
  else done(null, payload);
}
