/** Finds secrets that are recognized by their format (tokens, private keys) in the texts of a workspace. */
import type { DiscoveredObject } from "../../../provider/index.js";

/** Approximate number of characters that are scanned at a time. */
const AT_ONCE = 500_000;

/** Returns the texts that contain a secret. */
export async function knownSecrets(objects: readonly DiscoveredObject[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const texts of inPieces(new Set(objects.flatMap(({ args }) => textsIn(args)))))
    for (const text of await secretsIn(texts)) found.add(text);
  return found;
}

async function secretsIn(texts: readonly string[]): Promise<string[]> {
  const { findKnownSecrets } = await import("../../../workspace-file/lint/secretlint.js");
  const messages = await findKnownSecrets(texts.join("\n\n"), "texts");
  let start = 0;
  return texts.filter((text) => {
    const [from, to] = [start, start + text.length];
    start = to + 2;
    return messages.some(({ range }) => range[0] < to && range[1] > from);
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function* inPieces(texts: Iterable<string>): Generator<string[]> {
  let piece: string[] = [];
  let size = 0;
  for (const text of texts) {
    piece.push(text);
    size += text.length;
    if (size < AT_ONCE) continue;
    yield piece;
    [piece, size] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}
