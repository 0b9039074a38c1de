/** Draws an editor with a list of completions as SVG, for light and for dark pages. */
import { CHARACTER, escapeXml, LINE, MARGIN, renderSvg, type Theme, themes } from "./svg.js";

const palettes = {
  light: { key: "#0550ae", popup: "#ffffff", border: "#d1d9e0", chosen: "#ddf4ff" },
  dark: { key: "#79c0ff", popup: "#21262d", border: "#3d444d", chosen: "#1c4a7a" },
};

/** Returns the picture of a text with `|` at the cursor, and of the completions there. */
export function drawEditor(title: string, marked: string, labels: readonly string[], theme: Theme): string {
  const colors = palettes[theme];
  const before = marked.slice(0, marked.indexOf("|")).split("\n");
  const lines = marked.replace("|", "").trimEnd().split("\n");
  const cursor = { x: MARGIN + (before.at(-1)?.length ?? 0) * CHARACTER, y: MARGIN + before.length * LINE };
  const popupWidth = Math.max(...labels.map((label) => label.length)) * CHARACTER + 20;
  const bottom = Math.max(lines.length * LINE + MARGIN, cursor.y + labels.length * LINE + 8);
  const longest = Math.max(...lines.map((line) => line.length)) * CHARACTER + MARGIN;
  const width = Math.ceil(Math.max(longest, cursor.x + popupWidth) + MARGIN);
  const height = Math.ceil(bottom + MARGIN);
  const rows = lines.map((line, index) => drawRow(line, MARGIN, MARGIN + index * LINE + 14, colors.key));
  const items = labels.map((label, index) => {
    const y = cursor.y + 4 + index * LINE;
    const back = `<rect x="${cursor.x + 1}" y="${y}" width="${popupWidth - 2}" height="${LINE}" fill="${colors.chosen}"/>\n`;
    return `${index === 0 ? back : ""}<text x="${cursor.x + 10}" y="${y + 14}">${escapeXml(label)}</text>`;
  });
  const elements = [
    ...rows,
    `<rect x="${cursor.x}" y="${cursor.y - LINE + 2}" width="2" height="${LINE - 4}" fill="${themes[theme].text}"/>`,
    `<rect x="${cursor.x}" y="${cursor.y}" width="${popupWidth}" height="${labels.length * LINE + 8}" rx="4" fill="${colors.popup}" stroke="${colors.border}"/>`,
    ...items,
  ];
  return renderSvg({ title, width, height, theme }, elements);
}

function drawRow(line: string, x: number, y: number, color: string): string {
  const [, start = "", rest = ""] = /^(\s*(?:- )?[\w-]+)(:.*)$/.exec(line) ?? [];
  const drawn =
    start === "" ? escapeXml(line) : `<tspan fill="${color}">${escapeXml(start)}</tspan>${escapeXml(rest)}`;
  return `<text x="${x}" y="${y}" xml:space="preserve">${drawn}</text>`;
}
