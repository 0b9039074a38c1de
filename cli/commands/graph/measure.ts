/** How wide a text will be, without a font: letters of the usual sans-serif fonts, in parts of the font's size. */
const narrow = new Set("ijl.,:;'!|()[]{}`fI/- ");
const wide = new Set("mwMW@%&—…<>=+~^#");

/** Width in pixels; rather too much than too little. */
export function widthOf(text: string, size: number, bold = false): number {
  let sum = 0;
  for (const sign of text) sum += widthOfSign(sign);
  return sum * size * (bold ? 1.1 : 1);
}

function widthOfSign(sign: string): number {
  if (narrow.has(sign)) return 0.37;
  if (sign === "r" || sign === "t" || sign === '"') return 0.45;
  if (wide.has(sign)) return 0.98;
  if ((sign.codePointAt(0) ?? 0) > 0x2e7f) return 1.05; // East Asian signs and pictures
  return /[A-Z]/.test(sign) ? 0.72 : 0.63;
}

/** The text, cut off where it would be wider. */
export function fitted(text: string, size: number, bold: boolean, width: number): string {
  if (widthOf(text, size, bold) <= width) return text;
  const signs = [...text];
  while (signs.length > 1 && widthOf(`${signs.join("")}…`, size, bold) > width) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}
