/** Encryption of secrets at rest, and random secrets. */
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
 * Encrypts secrets at rest with AES-256-GCM. The key is in the data directory with mode 0600, or in memory only. This
 * protects copies of the database, but not copies of the whole directory, which contains the key.
 */
export class Encryption {
  private readonly encryptionKey: Buffer;
  private readonly maskingKey: Buffer;

  constructor(key: Buffer) {
    this.encryptionKey = Buffer.from(hkdfSync("sha256", key, "", "seal", 32));
    this.maskingKey = Buffer.from(hkdfSync("sha256", key, "", "mask", 32));
  }

  encrypt(text: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.encryptionKey, iv);
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64");
  }

  decrypt(sealed: string): string {
    const bytes = Buffer.from(sealed, "base64");
    const decipher = createDecipheriv("aes-256-gcm", this.encryptionKey, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
  }

  /**
   * Returns the opaque text that represents an encrypted variable. It is stable while the value is unchanged, changes
   * with the value and reveals nothing without the key.
   */
  mask(variableId: number, sealed: string): string {
    const digest = createHmac("sha256", this.maskingKey)
      .update(`${variableId}:`)
      .update(this.decrypt(sealed));
    return `secure!${digest.digest("base64url")}`;
  }
}

/** Returns the hash that the store holds instead of a token or a client secret. */
export function fingerprint(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/**
 * Creates a 256-bit secret. It is safe in a URL and on a command line, where a leading dash would be read as an
 * option.
 */
export function generateSecret(): string {
  return randomBytes(32).toString("hex");
}

/** Whether a text may be the work of {@link generateSecret}, which nobody can guess. */
export function isGenerated(secret: string): boolean {
  return /^[0-9a-f]{64}$/.test(secret);
}

/** Compares two secrets in constant time. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(fingerprint(a)), Buffer.from(fingerprint(b)));
}
