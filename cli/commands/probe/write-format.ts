/** Writes the report or the comparison in one of their formats. */
import { captureOutput, type Io } from "../../terminal/io.js";
import { printJson, printResultTo } from "../../terminal/output.js";
import type { ProbeFormat } from "./formats.js";

/** How a result is shown to people. */
export interface Writers<T> {
  readonly print: (result: T, io: Io) => Promise<void>;
  readonly markdown: (result: T) => string;
}

/** @param file where to write; undefined stands for the terminal */
export async function writeInFormat<T extends object>(
  result: T,
  { print, markdown }: Writers<T>,
  format: ProbeFormat,
  file: string | undefined,
  io: Io,
): Promise<void> {
  if (format === "markdown") return printResultTo(file, `${markdown(result)}\n`, io);
  const { stream, text } = captureOutput();
  const into = file === undefined ? io : { ...io, stdout: stream };
  if (format === "json") printJson(into, result);
  else await print(result, into);
  if (file !== undefined) printResultTo(file, text(), io);
}
