/** Escapes what Markdown tables or HTML would take for their own, except in code. */
export function toProse(description: string): string {
  const outside = (text: string) => text.replaceAll("<", "&lt;").replaceAll("*", "\\*");
  const parts = description.split(/(`[^`]*`)/);
  return parts.map((part, index) => (index % 2 === 0 ? outside(part) : part).replaceAll("|", "\\|")).join("");
}
