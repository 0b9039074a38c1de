/** Draws text in a fixed-width font as SVG. */

export type Theme = "light" | "dark";

/** Colors of the background and the text. */
export const themes: Readonly<Record<Theme, { readonly background: string; readonly text: string }>> = {
  light: { background: "#f6f8fa", text: "#1f2328" },
  dark: { background: "#161b22", text: "#e6edf3" },
};

/** Width of a character and height of a line in pixels. */
export const CHARACTER = 8.4;
export const LINE = 20;
export const MARGIN = 16;

export interface Frame {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** Returns a picture with these elements. */
export function renderSvg({ title, width, height, theme }: Frame, elements: readonly string[]): string {
  const { background, text } = themes[theme];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${text}">
<title>${escapeXml(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${background}"/>
${elements.join("\n")}
</svg>
`;
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
