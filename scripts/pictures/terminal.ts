/** Draws the output of a command as SVG, for light and for dark pages. */

import { CHARACTER, escaped, LINE, MARGIN, svg, type Theme } from "./svg.js";

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

/** Returns the picture of a command and its output, which may contain colors. */
export function terminalPicture(command: string, output: string, theme: Theme): string {
  const lines = [`\u001b[1m$ ${command}\u001b[22m`, ...output.split("\n")];
  // eslint-disable-next-line no-control-regex
  const columns = Math.max(...lines.map((line) => line.replace(/\u001b\[[\d;]*m/g, "").length));
  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const rows = lines.map(
    (line, index) =>
      `<text x="${MARGIN}" y="${MARGIN + LINE * index + 14}" xml:space="preserve">${spans(line, palettes[theme])}</text>`,
  );
  return svg({ title: command, width, height, theme }, rows);
}

function spans(line: string, { dim, colors }: Palette): string {
  let color: string | undefined;
  let bold = false;
  let column = 0;
  let drawn = "";
  // eslint-disable-next-line no-control-regex
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    // eslint-disable-next-line no-control-regex
    const code = /^\u001b\[(\d*)m$/.exec(part)?.[1];
    if (code === undefined) {
      if (part === "") continue;
      const fill = color === undefined ? "" : ` fill="${color}"`;
      const weight = bold ? ' font-weight="bold"' : "";
      // A position of its own keeps columns aligned in fonts of another width.
      const x = (MARGIN + column * CHARACTER).toFixed(1);
      const length = (part.length * CHARACTER).toFixed(1);
      drawn += `<tspan x="${x}" textLength="${length}"${fill}${weight}>${escaped(part)}</tspan>`;
      column += part.length;
      continue;
    }
    const number = Number(code);
    if (number === 1) bold = true;
    else if (number === 2) color = dim;
    else if (number === 22 || number === 0) [bold, color] = [false, undefined];
    else color = number === 39 ? undefined : (colors[number] ?? color);
  }
  return drawn;
}
