/** Finds secrets that are recognized by their form. */
import { lintSource } from "@secretlint/core";
import { secretLintProfiler } from "@secretlint/profiler";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { findTokens } from "../../provider/index.js";

const PRESET = "@secretlint/secretlint-rule-preset-recommend";

// Disables its profiler, which compares each mark with all earlier ones and takes 15 seconds after 1,600 texts.
secretLintProfiler.mark = () => undefined;

export interface KnownSecret {
  /** What it is, such as a rule of secretlint or the issuer of a token. */
  readonly kind: string;
  readonly range: readonly [start: number, end: number];
}

/** Finds secrets that are recognized by their form, with their ranges in the text. */
export async function findKnownSecrets(content: string, filePath: string): Promise<KnownSecret[]> {
  const { messages } = await lintSource({
    source: { content, filePath, contentType: "text" },
    options: { noPhysicFilePath: true, config: { rules: [{ id: PRESET, rule: creator }] } },
  });
  const found: KnownSecret[] = messages.map(({ messageId, range }) => ({ kind: messageId, range }));
  for (const { issuer, start, end } of findTokens(content))
    if (!found.some(({ range }) => range[0] < end && range[1] > start))
      found.push({ kind: `token: ${issuer}`, range: [start, end] });
  return found.sort((a, b) => a.range[0] - b.range[0]);
}
