/** Draws lines of a terminal as SVG, for light and for dark pages. */
import { joinText, type ScreenLine } from "./screen.js";
import { CHARACTER, escapeXml, LINE, MARGIN, renderSvg, type Theme } from "./svg.js";

interface Palette {
  readonly dim: string;
  /** Colors by the code of the terminal. */
  readonly colors: Readonly<Record<number, string>>;
}

const palettes: Readonly<Record<Theme, Palette>> = {
  light: {
    dim: "#59636e",
    colors: { 31: "#b42318", 32: "#116329", 33: "#7a4d00", 34: "#0550ae", 35: "#6639ba", 36: "#0b6170" },
  },
  dark: {
    dim: "#9198a1",
    colors: { 31: "#ff7b72", 32: "#56d364", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#76e3ea" },
  },
};

/** Returns the picture of lines of a terminal. */
export function drawTerminal(title: string, lines: readonly ScreenLine[], theme: Theme): string {
  const columns = Math.max(...lines.map((line) => joinText(line).length));
  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const rows = lines.map(
    (line, index) =>
      `<text x="${MARGIN}" y="${MARGIN + LINE * index + 14}" xml:space="preserve">${drawSpans(line, palettes[theme])}</text>`,
  );
  return renderSvg({ title, width, height, theme }, rows);
}

function drawSpans(line: ScreenLine, { dim: dimColor, colors }: Palette): string {
  let column = 0;
  return line
    .map(({ text, color, bold, dim }) => {
      const fill = dim ? dimColor : color === undefined ? undefined : colors[color];
      // A position of its own keeps columns aligned in fonts of another width.
      const x = (MARGIN + column * CHARACTER).toFixed(1);
      const length = (text.length * CHARACTER).toFixed(1);
      column += text.length;
      return `<tspan x="${x}" textLength="${length}"${fill === undefined ? "" : ` fill="${fill}"`}${bold ? ' font-weight="bold"' : ""}>${escapeXml(text)}</tspan>`;
    })
    .join("");
}
