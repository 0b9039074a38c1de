import { print, type Io } from "./io.js";

/** Prints how a file would change, as a unified diff. @param label what the new text is */
export async function printDiff(
  file: string,
  before: string,
  after: string,
  label: string,
  io: Io,
): Promise<void> {
  if (before === after) return;
  const { createTwoFilesPatch } = await import("diff");
  const { red, green, cyan } = io.colors;
  const patch = createTwoFilesPatch(file, file, before, after, "", label);
  for (const line of patch
    .split("\n")
    .filter((each) => !/^=+$/.test(each))
    .slice(0, -1)) {
    const color = { "+": green, "-": red, "@": cyan }[line[0] ?? ""];
    print(io, color ? color(line) : line);
  }
}
