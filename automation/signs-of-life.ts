/** Lines for what takes long and shows no progress of its own, so that nobody takes it for hanging. */
import { note, type Port } from "./port.js";

/** In a log, a line appears at least this often. */
export const SIGN_EVERY_MS = 10_000;

/** @param what such as `Waiting for the run that has the lock` @returns what ends the lines */
export function showSigns(port: Port, what: string): () => void {
  const began = Date.now();
  const timer = setInterval(
    () => note(port, `${what}: ${Math.round((Date.now() - began) / 1000)} s so far.`),
    SIGN_EVERY_MS,
  );
  timer.unref();
  return () => clearInterval(timer);
}

export async function withSigns<T>(port: Port, what: string, work: () => Promise<T>): Promise<T> {
  const end = showSigns(port, what);
  try {
    return await work();
  } finally {
    end();
  }
}
