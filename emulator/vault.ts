import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * Secrets at rest: AES-256-GCM under a key that lives in the data directory with mode 0600 (or only in memory). This
 * keeps secrets out of copies of the database; whoever has the whole directory has the key too.
 */
export class Vault {
  private readonly sealingKey: Buffer;
  private readonly maskingKey: Buffer;

  constructor(key: Buffer) {
    this.sealingKey = Buffer.from(hkdfSync("sha256", key, "", "seal", 32));
    this.maskingKey = Buffer.from(hkdfSync("sha256", key, "", "mask", 32));
  }

  seal(text: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.sealingKey, iv);
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64");
  }

  open(sealed: string): string {
    const bytes = Buffer.from(sealed, "base64");
    const decipher = createDecipheriv("aes-256-gcm", this.sealingKey, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
  }

  /**
   * The opaque text shown for an encrypted variable: the same for the same stored value of the same variable, another
   * after a change, and of no use to anyone without the key.
   */
  mask(variableId: number, sealed: string): string {
    const digest = createHmac("sha256", this.maskingKey).update(`${variableId}:`).update(this.open(sealed));
    return `secure!${digest.digest("base64url")}`;
  }
}

/** What the store keeps of a token or client secret in place of it. */
export function fingerprint(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** A new secret of 256 bits, safe in a URL and on a command line, where a leading dash would be read as an option. */
export function randomSecret(): string {
  return randomBytes(32).toString("hex");
}

/** Whether two secrets are the same, without telling by the time it takes. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(fingerprint(a)), Buffer.from(fingerprint(b)));
}
