/** Lays out nested boxes with flexbox, and draws them as SVG. */
import Yoga, { Align, Edge, FlexDirection, Gutter, Wrap, type Node } from "yoga-layout";
import { escaped } from "../../terminal/markup.js";

export interface Box {
  /** CSS class of the rectangle; without one, the box is invisible. */
  readonly look?: string;
  readonly direction?: "row" | "column";
  readonly wrap?: boolean;
  readonly center?: boolean;
  readonly gap?: number;
  readonly padding?: readonly [vertical: number, horizontal: number];
  readonly grow?: boolean;
  readonly minWidth?: number;
  readonly text?: Text;
  /** Draws an arrow with this CSS class. */
  readonly arrow?: string;
  readonly children?: readonly Box[];
}

export interface Text {
  readonly value: string;
  readonly size: number;
  readonly bold?: boolean;
  readonly look?: string;
  /** Longer texts are cut, with the whole text in the tooltip. */
  readonly maxWidth?: number;
}

const MAX_TEXT_WIDTH = 340;
const ARROW = [26, 12] as const;

export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly elements: readonly string[];
}

/** Lays a box out in the width that it needs, up to a maximum, and draws it. */
export function draw(box: Box, largest: number): Drawn {
  const root = nodeOf(box);
  try {
    root.calculateLayout(undefined, undefined);
    const width = Math.min(largest, Math.ceil(root.getComputedWidth()));
    root.setWidth(width);
    root.calculateLayout(width, undefined);
    const elements: string[] = [];
    paint(box, root, 0, 0, elements);
    return { width, height: Math.ceil(root.getComputedHeight()), elements };
  } finally {
    root.freeRecursive();
  }
}

function nodeOf(box: Box): Node {
  const node = Yoga.Node.create();
  node.setFlexDirection(box.direction === "row" ? FlexDirection.Row : FlexDirection.Column);
  if (box.wrap) node.setFlexWrap(Wrap.Wrap);
  if (box.center) node.setAlignItems(Align.Center);
  if (box.gap !== undefined) node.setGap(Gutter.All, box.gap);
  if (box.padding) {
    node.setPadding(Edge.Vertical, box.padding[0]);
    node.setPadding(Edge.Horizontal, box.padding[1]);
  }
  if (box.grow) node.setFlexGrow(1);
  if (box.minWidth !== undefined) node.setMinWidth(box.minWidth);
  node.setMaxWidth("100%");
  node.setFlexShrink(box.text || box.arrow ? 0 : 1);
  const { text } = box;
  if (text) {
    node.setWidth(Math.ceil(widthOf(shownText(text), text.size, text.bold)));
    node.setHeight(Math.round(text.size * 1.4));
  }
  if (box.arrow !== undefined) {
    node.setWidth(ARROW[0]);
    node.setHeight(ARROW[1]);
  }
  box.children?.forEach((child, index) => node.insertChild(nodeOf(child), index));
  return node;
}

function paint(box: Box, node: Node, left: number, top: number, out: string[]): void {
  const x = left + node.getComputedLeft();
  const y = top + node.getComputedTop();
  const [width, height] = [node.getComputedWidth(), node.getComputedHeight()];
  if (box.look !== undefined) {
    const radius = Math.min(8, height / 2);
    out.push(
      `<rect class="${box.look}" x="${px(x + 0.5)}" y="${px(y + 0.5)}" width="${px(width)}" height="${px(height)}" rx="${px(radius)}"/>`,
    );
  }
  if (box.text) out.push(textElement(box.text, x, y));
  if (box.arrow !== undefined) {
    const middle = y + height / 2;
    const [start, end] = [x + 4, x + width - 4];
    out.push(`<path class="arrow ${box.arrow}" d="M${px(start)} ${px(middle)}H${px(end)}m-5 -4l5 4l-5 4"/>`);
  }
  box.children?.forEach((child, index) => paint(child, node.getChild(index), x, y, out));
}

function textElement(text: Text, x: number, y: number): string {
  const shown = shownText(text);
  const classes = [text.look, text.bold && "bold"].filter(Boolean).join(" ");
  const whole = shown === text.value ? "" : `<title>${escaped(text.value)}</title>`;
  const look = classes === "" ? "" : ` class="${classes}"`;
  return `<text${look} x="${px(x)}" y="${px(y + text.size * 1.08)}" font-size="${text.size}">${whole}${escaped(shown)}</text>`;
}

function shownText({ value, size, bold = false, maxWidth = MAX_TEXT_WIDTH }: Text): string {
  return fitted(value.replace(/\s+/g, " "), size, bold, maxWidth);
}

const px = (value: number) => String(Math.round(value * 10) / 10);

/** Widths of characters in relation to the font size: the first match counts. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;'!|()[\]{}`fI/ -]/, 0.37],
  [/[rt"]/, 0.45],
  [/[mwMW@%&—…<>=+~^#]/, 0.98],
  // East Asian characters and emoji
  [/[\u2e80-\u{10ffff}]/u, 1.05],
  [/[A-Z]/, 0.72],
  [/./su, 0.63],
];

/** Estimates the width in pixels; it is rather too large than too small. */
function widthOf(text: string, size: number, bold = false): number {
  const widths = [...text].map((sign) => WIDTHS.find(([pattern]) => pattern.test(sign))?.[1] ?? 0);
  return widths.reduce((sum, width) => sum + width, 0) * size * (bold ? 1.1 : 1);
}

/** Cuts a text to a width. */
function fitted(text: string, size: number, bold: boolean, width: number): string {
  if (widthOf(text, size, bold) <= width) return text;
  const signs = [...text];
  while (signs.length > 1 && widthOf(`${signs.join("")}…`, size, bold) > width) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}
