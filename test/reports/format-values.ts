/** Generates values of which the differences are hard to see. */
import fc from "fast-check";

/** Texts that show nothing, or the same as another. */
const tricky = fc.constantFrom(
  ...[
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u00a0",
    "\u3000",
    "\u200b",
    "\u200c",
    "\u200d",
    "\u202e",
  ],
  ...["\u0000", "\u0001", "\u001b[31m", "\u0085", "\u2028", "\ufe0f", "\ufffd", "\ufffe", "\ue000", "\ud800"],
  ...[
    "é",
    "e\u0301",
    "Å",
    "\u212b",
    "ﬁ",
    "fi",
    "а",
    "a",
    "ｅ",
    "e",
    "…",
    "\\u200b",
    "'",
    '"',
    "- ",
    "+ ",
    "@@",
  ],
  ...[
    "```",
    "<!--",
    "|",
    "##[error]",
    "::error::",
    "(none)",
    "null",
    "~",
    "# x",
    "&amp;",
    "<b>",
    "[secret]",
    "(known later)",
  ],
);

export const text = fc
  .array(
    fc.oneof(
      tricky,
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.constantFrom("curl -fsS ", "set -e\n"),
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(""));

/** A long text: of one line, or of many. */
const long = fc
  .tuple(
    fc.integer({ min: 1, max: 400 }),
    fc.constantFrom("word ", "npm test\n", "x", "\t- a: b\r\n"),
    text,
    text,
  )
  .map(([times, part, middle, end]) => `${part.repeat(times)}${middle}${part.repeat(times)}${end}`);

const scalar = fc.oneof(text, long, fc.integer({ max: 9 }), fc.boolean(), fc.constant(""));

/** A value of an argument. */
export const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, scalar, tie("list"), tie("map")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  map: fc.dictionary(fc.constantFrom("name", "value", "a b", "é", "-"), tie("value"), { maxKeys: 3 }),
})).value;

/** Two values of which the second is often almost the first. */
export const pair = fc.oneof(
  fc.tuple(value, value),
  fc.tuple(long, fc.nat(), tricky).map(([whole, at, part]): [unknown, unknown] => {
    const place = at % (whole.length + 1);
    return [whole, `${whole.slice(0, place)}${part}${whole.slice(place + (at % 2))}`];
  }),
  fc
    .tuple(value, fc.array(value, { maxLength: 3 }), fc.nat({ max: 3 }))
    .map(([one, list, at]): [unknown, unknown] => [list, list.toSpliced(at, at % 2, one)]),
);
