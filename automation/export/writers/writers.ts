/** The languages of an export: one file and one line each, loaded on demand. */
import type { Writer } from "./writer.js";

export const writers = {
  yaml: async (): Promise<Writer> => (await import("./yaml.js")).yaml,
  typescript: async (): Promise<Writer> => (await import("./typescript.js")).typescript,
} as const;

export type Language = keyof typeof writers;
