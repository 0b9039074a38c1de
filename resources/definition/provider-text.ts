/** The input and output with the provider's text. */
export const PROVIDER_KEY = "__provider";

/**
 * The text in every resource's state that resolves the provider at run time, wherever the program runs. States of all
 * releases contain this text, so it never changes.
 */
export function buildProviderText(type: string): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/")("pulumi-workspace-automation/provider").get("${type}")`;
}

/** The resource type of a provider's text; undefined for any other code. */
export function findTypeOfProviderText(text: unknown): string | undefined {
  const [, type] = typeof text === "string" ? (/\.get\("(\w+)"\)$/.exec(text) ?? []) : [];
  return type !== undefined && buildProviderText(type) === text ? type : undefined;
}
