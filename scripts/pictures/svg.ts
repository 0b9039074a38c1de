/** Draws text in a fixed-width font as SVG. */

export type Theme = "light" | "dark";

/** Width of a character and height of a line in pixels. */
export const CHARACTER = 8.4;
export const LINE = 20;
export const MARGIN = 16;

export interface Frame {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly background: string;
  /** Color of the text. */
  readonly text: string;
}

/** Returns a picture with these elements. */
export function svg({ title, width, height, background, text }: Frame, elements: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${text}">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${background}"/>
${elements.join("\n")}
</svg>
`;
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
