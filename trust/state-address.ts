/** The address of a state without what may be a credential in it: user, password and parameters are neither printed nor serialized. */
import { inspect } from "node:util";

export class StateAddress {
  readonly #whole: string;

  /** @param whole as Pulumi takes it */
  constructor(whole: string) {
    this.#whole = whole;
  }

  /** The address that a setting names, which may be empty. */
  static in(setting: string | undefined): StateAddress | undefined {
    return setting ? new StateAddress(setting) : undefined;
  }

  /** For those that connect to it, and never for a text. */
  get whole(): string {
    return this.#whole;
  }

  /** Such as `s3`, as Pulumi reads it: in lower case, and of a file also without slashes. Empty without one. */
  get scheme(): string {
    return /^(file(?=:)|[a-z][a-z0-9+.-]*(?=:\/\/))/.exec(this.#whole)?.[0] ?? "";
  }

  /** Whether it is one of Pulumi's service, which keeps locks and journals of its own. */
  get isOfService(): boolean {
    return /^https?$/.test(this.scheme);
  }

  /** Whether both lead to the same place with the same credentials. */
  equals(other: StateAddress): boolean {
    const bare = ({ whole }: StateAddress) => whole.replace(/\/+$/, "");
    return bare(this) === bare(other);
  }

  /** What a message of another program must not repeat. */
  get secrets(): readonly string[] {
    const { user, query } = splitAddress(this.#whole);
    const password = user.slice(user.indexOf(":") + 1);
    const values = query.split("&").flatMap((setting) => {
      const [name = "", value = ""] = [setting.split("=")[0], setting.slice(setting.indexOf("=") + 1)];
      return value.length >= LONG || CREDENTIAL.test(name) ? [value] : [];
    });
    // A password with a character that should have been escaped ends there for some parsers, and starts there for others.
    const texts = [user, password, query, ...values].flatMap((text) => [text, decode(text)]);
    const parts = [password, decode(password)].flatMap((text) => text.split(/[/?#@:]/));
    return [...new Set([...texts, ...parts])].filter((text) => text.length >= SHORTEST);
  }

  toString(): string {
    return splitAddress(this.#whole).shown;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

const SHORTEST = 4;
/** A parameter of this length may be a key, whatever its name is. */
const LONG = 20;
const CREDENTIAL = /key|secret|token|sig|pass|pwd|credential|sas|auth/i;

/** Splits an address also where a character of the password should have been escaped, so that a part of it seems to be a path or a query. */
function splitAddress(whole: string): { shown: string; user: string; query: string } {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?(.*)$/is.exec(whole) ?? [];
  // A file has no user, and its path may contain any character.
  const at = /^file:/i.test(scheme) ? -1 : rest.lastIndexOf("@", findEnd(rest));
  const user = rest.slice(0, Math.max(0, at));
  const after = rest.slice(at + 1);
  const start = after.search(/[?#]/);
  const shown = scheme + (start < 0 ? after : after.slice(0, start));
  return { shown, user, query: start < 0 ? "" : after.slice(start + 1) };
}

/** Where a user may end: before the query, unless the host in front of it is none, because the password contains a question mark. */
function findEnd(rest: string): number {
  const query = rest.search(/[?#]/);
  if (query < 0 || rest.slice(0, query).includes("@")) return query < 0 ? rest.length : query;
  return /^[^/]*:(?!\d*(\/|$))/.test(rest.slice(0, query)) ? rest.length : query;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
