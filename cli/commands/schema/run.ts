import { readFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { exitCodes } from "../../exit-codes.js";
import { note, printText, type Io } from "../../terminal/io.js";
import { libraryRoot } from "../../toolchain/locations.js";

export interface SchemaOptions {
  readonly draft: "07" | "2020-12";
  readonly overlay?: true;
  readonly output?: string;
}

/** Prints the JSON Schema of workspace files or of overlays, or writes it to a file. */
export async function schema({ draft, overlay, output }: SchemaOptions, io: Io): Promise<number> {
  const name = `${overlay ? "overlay" : "workspace"}${draft === "07" ? ".draft-07" : ""}.schema.json`;
  const text = await readFile(join(libraryRoot(), "schema", name), "utf8");
  if (output === undefined) printText(io, text);
  else {
    await writeFileAtomic(resolve(output), text);
    note(
      io,
      `Wrote ${output}. Name it in the first line of a file: # yaml-language-server: $schema=${isAbsolute(output) ? output : `./${output}`}`,
    );
  }
  return exitCodes.ok;
}
