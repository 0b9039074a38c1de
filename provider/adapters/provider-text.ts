/** The input and output that holds it. */
export const PROVIDER_KEY = "__provider";

/**
 * What every resource's state holds in place of code: resolves the provider at run time, wherever the program runs. States of
 * all releases hold this text, so it never changes.
 */
export function providerText(type: string): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/")("pulumi-workspace-automation/provider").get("${type}")`;
}

/** The type of which a state holds the text; undefined for any other code. */
export function typeOfProviderText(text: unknown): string | undefined {
  const [, type] = typeof text === "string" ? (/\.get\("(\w+)"\)$/.exec(text) ?? []) : [];
  return type !== undefined && providerText(type) === text ? type : undefined;
}
