/** Creates secrets that are recognized anywhere, in plaintext or encoded. */
import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";

/** The prefix of every planted secret, which neither our own texts nor any secret scanner contain. */
const MARK = "kitesail";
const PLANTED = new RegExp(`${MARK}(\\d+)x[0-9a-f]+`, "gi");
/** The prefix in Base64 for each offset within three bytes, without the characters that depend on its neighbors. */
const IN_BASE64 = [0, 1, 2].map((before) =>
  Buffer.from(" ".repeat(before) + MARK)
    .toString("base64")
    .slice(before === 0 ? 0 : before + 1, Math.floor(((before + MARK.length) * 4) / 3)),
);
const IN_HEX = Buffer.from(MARK).toString("hex");

export class Secrets {
  /** The origin of each planted secret, by its number. */
  private readonly planted: string[] = [];
  /** Secrets that the service shows in plaintext, since only the workspace file marks them as secret. */
  private readonly shown = new Set<string>();
  /** Secrets that others created. */
  private readonly others = new Map<string, string>();

  get size(): number {
    return this.planted.length + this.others.size;
  }

  /** Creates a secret. `shown` means that the service shows it, and that only the workspace file marks it as secret. */
  text(where: string, shown = false): string {
    this.planted.push(where);
    if (shown) this.shown.add(where);
    return this.again(this.planted.length - 1);
  }

  /** Creates another secret for the same origin. */
  again(number: number): string {
    return `${MARK}${number}x${randomBytes(5).toString("hex")}`;
  }

  get latest(): number {
    return this.planted.length - 1;
  }

  /** Registers a secret that others created. */
  add(text: string, where: string): string {
    this.others.set(text, where);
    return text;
  }

  isShown(where: string): boolean {
    return this.shown.has(where);
  }

  /** Returns the origins of all secrets in a text: plain, in another case, escaped, in Base64, in hexadecimal or compressed. */
  in(bytes: string | Buffer): string[] {
    const text = typeof bytes === "string" ? bytes : unpacked(bytes).toString("latin1");
    const found = [...clear(text), ...encoded(text), ...clear(withoutEscapes(text))].map(
      (number) => this.planted[Number(number)] ?? "a part of a secret",
    );
    const others = [...this.others].filter(([other]) => text.includes(other)).map(([, where]) => where);
    return [...new Set([...found, ...others])];
  }
}

function clear(text: string): (string | undefined)[] {
  return [...text.matchAll(PLANTED)].map(([, number]) => number);
}

/** Replaces the escapes of letters and digits, by which a text without other characters may be hidden. */
function withoutEscapes(text: string): string {
  return text.replace(
    /&#(\d{2,3});|&#x([\da-f]{2});|\\u00([\da-f]{2})|\\x([\da-f]{2})|%([\da-f]{2})/gi,
    (_whole, decimal: string | undefined, ...codes: (string | undefined)[]) =>
      String.fromCharCode(decimal ? Number(decimal) : Number.parseInt(codes.find((code) => code) ?? "0", 16)),
  );
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
    return bytes; // Is incomplete, or something else.
  }
}
