/** Follows outside renames, which the provider recognizes while it reads, and reports them. */
import { readRequestCounter, type Rename } from "../../../provider/index.js";
import { formatNextCommand } from "../../options/document.js";
import { note, type Io } from "../../terminal/io.js";
import type { OpenStack } from "./open-stack.js";

/**
 * Runs an operation that reads the workspace. When it recognizes a new name, it runs once more with that name, which is then an argument
 * that differs like any other. Later operations on the stack use the name too.
 * @param undo reverts the changes that the operation made to the state before it recognized the name
 */
export async function followRenames<T>(
  open: OpenStack,
  io: Io,
  operation: () => Promise<T>,
  undo: () => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  for (;;) {
    const ended = await operation().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const { stack } = open;
    const found = readRequestCounter(open.requestCounter).renames.filter(
      ({ from }) => !stack.renames.some((one) => one.from === from),
    );
    if (found.length === 0) {
      if ("error" in ended) throw ended.error;
      return ended.value;
    }
    await undo();
    for (const rename of found) note(io, formatRename(rename, open));
    stack.renames = [...stack.renames, ...found];
  }
}

function formatRename({ from, to }: Rename, { file, named }: Pick<OpenStack, "file" | "named">): string {
  const keep = file.declared
    ? `write "name: ${to}" in its entry (or the key ${to} with "previously: [${from}]"), or run "${formatNextCommand(["drift", "accept"], named)}"`
    : `change its name in the program to "${to}"`;
  return (
    `Project "${from}" was renamed to "${to}" outside of Pulumi; everything in it is followed there. ` +
    `"${formatNextCommand(["up"], named)}" restores its declared name; to keep the new one, ${keep}.`
  );
}
