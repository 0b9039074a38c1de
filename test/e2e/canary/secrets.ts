/** Secrets that are recognized wherever they turn up, in clear or encoded. */
import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";

/** Every planted secret begins with it: no text of ours does, and no scanner knows it. */
const MARK = "kitesail";
const PLANTED = new RegExp(`${MARK}(\\d+)x[0-9a-f]+`, "g");
/** The mark in Base64, wherever it begins within three bytes, without the letters that its neighbors share. */
const IN_BASE64 = [0, 1, 2].map((before) =>
  Buffer.from(" ".repeat(before) + MARK)
    .toString("base64")
    .slice(before === 0 ? 0 : before + 1, Math.floor(((before + MARK.length) * 4) / 3)),
);
const IN_HEX = Buffer.from(MARK).toString("hex");

export class Secrets {
  /** Where each was planted, by its number. */
  private readonly planted: string[] = [];
  /** Those that the service shows in clear, where nothing but the workspace file says that they are secret. */
  private readonly shown = new Set<string>();
  /** Secrets that others made. */
  private readonly others = new Map<string, string>();

  get size(): number {
    return this.planted.length + this.others.size;
  }

  /** A new secret; `shown` where the service shows it, and only the workspace file says that it is one. */
  text(where: string, shown = false): string {
    this.planted.push(where);
    if (shown) this.shown.add(where);
    return this.again(this.planted.length - 1);
  }

  /** Another secret for the same place. */
  again(number: number): string {
    return `${MARK}${number}x${randomBytes(5).toString("hex")}`;
  }

  get latest(): number {
    return this.planted.length - 1;
  }

  /** Takes for a secret what somebody else made. */
  add(text: string, where: string): string {
    this.others.set(text, where);
    return text;
  }

  isShown(where: string): boolean {
    return this.shown.has(where);
  }

  /** Where the secrets were planted that stand in a text: as they are, in Base64, in hexadecimal, or compressed. */
  in(bytes: string | Buffer): string[] {
    const text = typeof bytes === "string" ? bytes : unpacked(bytes).toString("latin1");
    const found = [...clear(text), ...encoded(text)].map(
      (number) => this.planted[Number(number)] ?? "a part of a secret",
    );
    const others = [...this.others].filter(([other]) => text.includes(other)).map(([, where]) => where);
    return [...new Set([...found, ...others])];
  }
}

function clear(text: string): (string | undefined)[] {
  return [...text.matchAll(PLANTED)].map(([, number]) => number);
}

function encoded(text: string): (string | undefined)[] {
  const base64 = IN_BASE64.some((needle) => text.includes(needle))
    ? [...text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)].flatMap(([run]) =>
        [0, 1, 2, 3].flatMap((skip) => clear(Buffer.from(run.slice(skip), "base64").toString("latin1"))),
      )
    : [];
  const hex = text.toLowerCase().includes(IN_HEX)
    ? [...text.matchAll(/[0-9a-fA-F]{16,}/g)].flatMap(([run]) =>
        [0, 1].flatMap((skip) => clear(Buffer.from(run.slice(skip), "hex").toString("latin1"))),
      )
    : [];
  return [...base64, ...hex];
}

function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes; // still being written, or something else
  }
}
