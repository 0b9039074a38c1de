/** The style sheet of the drawing, with colors for light and dark. */
interface Look {
  readonly text: string;
  readonly line: string;
  readonly fill: string;
}

const kinds: Readonly<Record<string, readonly [light: Look, dark: Look]>> = {
  always: [look("#1f2328", "#8c959f", "#ffffff"), look("#e6edf3", "#6e7681", "#21262d")],
  trigger: [look("#0550ae", "#54aeff", "#ddf4ff"), look("#79c0ff", "#1f6feb", "#0d2238")],
  failure: [look("#a40e26", "#cf222e", "#ffebe9"), look("#ff8182", "#da3633", "#301417")],
  success: [look("#116329", "#2da44e", "#dafbe1"), look("#56d364", "#238636", "#0f2a18")],
  warning: [look("#7d4e00", "#bf8700", "#fff8c5"), look("#e3b341", "#9e6a03", "#2b2111")],
  disabled: [look("#656d76", "#afb8c1", "#eaeef2"), look("#8b949e", "#484f58", "#1c2128")],
  admin: [look("#6639ba", "#8250df", "#fbefff"), look("#d2a8ff", "#8957e5", "#271943")],
  group: [look("#953800", "#bc4c00", "#fff1e5"), look("#ffa657", "#bd561d", "#2d1a0c")],
};

function look(text: string, line: string, fill: string): Look {
  return { text, line, fill };
}

const palette = (index: 0 | 1) => {
  const [page, card, pipeline, border, text, muted] =
    index === 0
      ? ["#f6f8fa", "#ffffff", "#f6f8fa", "#d0d7de", "#1f2328", "#59636e"]
      : ["#0d1117", "#161b22", "#0d1117", "#30363d", "#e6edf3", "#9198a1"];
  const rules = [
    `.page{fill:${page}}`,
    `.card{fill:${card};stroke:${border}}`,
    `.pipeline,.right{fill:${pipeline};stroke:${border}}`,
    `text{fill:${text}}`,
    `text.muted{fill:${muted}}`,
  ];
  for (const [kind, looks] of Object.entries(kinds)) {
    const { text: color, line, fill } = looks[index];
    rules.push(
      `rect.${kind}{fill:${fill};stroke:${line}}`,
      `text.${kind}{fill:${color}}`,
      `path.${kind}{stroke:${line}}`,
    );
  }
  return rules.join("");
};

/** The style sheet of the image. */
export const svgStyle = [
  "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}",
  ".bold{font-weight:600}",
  ".arrow{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}",
  "rect.action{stroke-width:1.2}rect.action:not(.always){stroke-dasharray:5 3}",
  palette(0),
  `@media(prefers-color-scheme:dark){${palette(1)}}`,
].join("");
