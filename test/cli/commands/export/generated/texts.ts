/** Generates texts, names and JSON as found in workspaces, with odd ones more often than in practice. */
import fc from "fast-check";

/** Texts that some version of YAML parses as something other than a text. */
const yamlWords = [
  ...["yes", "No", "on", "OFF", "y", "n", "~", "null", "Null", "true", "False", ".inf", "-.INF", ".NaN"],
  ...[
    "1e3",
    "0x10",
    "0o17",
    "017",
    "0b1",
    "1_000",
    "12:30:00",
    "190:20",
    "+1",
    "-0",
    "0",
    "1.0",
    "123",
    ".5",
  ],
  ...["2026-01-01", "2026-01-01T00:00:00Z", "=", "<<", "---", "...", "--- a", "%YAML 1.1", "%"],
  ...["*a", "&a", "!x", "!!str x", "- a", "-", "? a", "?", ": a", ":", "a: b", "a:", "a #b", "#a", "|", ">-"],
  ...["@a", "`a`", "'", "''", '"', '"a"', "{a}", "{", "[a]", "]", ",", "a, b", "\\", "\\n", "a\\"],
];

/** Texts that placeholders, paths, escapes or JavaScript could misinterpret. */
const ownWords = [
  ...["${env:HOME}", "$${env:HOME}", "$$${env:HOME}", "${file:x}", "${config:x}", "${ref:projects/web.name}"],
  ...["${param:x}", "${secret:x}", "${HOME}", "${TAG:-latest}", "$", "$$", "${", "}", "${env:", "${{ a }}"],
  ...[
    "a/b",
    "/",
    "a%2Fb",
    "a%252Fb",
    "%2F",
    "%",
    "%zz",
    "a::b",
    "::",
    "a\\b",
    "projects/web",
    "actions/Build",
  ],
  ...["constructor", "toString", "__proto__", "prototype", "hasOwnProperty", "secure!abc"],
  ...["key", "name", "external", "template", "with", "previously", "include", "version", "$after", "adopt"],
  ...["04da6b54-80e4-46f7-96ec-b56ff0331ba9x", "[secret]", "x-a", "x-", "..a", "a..", ".a"],
];

/** Unicode characters that look alike, are invisible or end lines. */
const unicode = [
  ...["\ud800", "a\udc00b", "\ud83d", "a\u0000b"],
  ...[
    "\u00e9",
    "e\u0301",
    "\u212b",
    "\u00c5",
    "\ufb01",
    "\u{1f680}",
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  ],
  ...[
    "\u05d0\u05d1",
    "\u202eabc",
    "\u2066a\u2069",
    "a\u200bb",
    "a\u00a0b",
    "\ufeffa",
    "a\ufeff",
    "\u2028",
    "a\u2029b",
  ],
  ...[
    "\u0085a",
    "a\u0085",
    "\u0007",
    "a\u001b[31mb",
    "\u007f",
    "\u0001",
    "a\u009fb",
    "\ufffe",
    "\uffff",
    "\u{10ffff}",
  ],
  ...["\u4e2d\u6587", "\u0130", "\u0131", "\u00df", "z\u0308\u0323"],
];

const lines = [
  ...[
    "a\nb",
    "a\nb\n",
    "a\n\nb\n\n\n",
    "\n",
    "\na",
    " a\n  b",
    "a \nb",
    "a\r\nb\r\n",
    "a\rb",
    "\r",
    "\t",
    "\ta",
    "a\t",
  ],
  ...[
    " a",
    "a ",
    "  a  ",
    "a\n ",
    "a\n\t",
    "\n\n a\n",
    "# a\n# b",
    "a: |\n  b",
    "'\n'",
    '"\n"',
    "---\na",
    "a\n...\nb",
  ],
  '#!/bin/sh\nset -e\n\nif [ "$A" = "${B:-c}" ]; then\n\techo "it\'s \\"x\\""\nfi\n',
  "cat <<EOF\n${env:HOME}\n  $${x}\nEOF",
  `${"long words and ".repeat(40)}end`,
  "x".repeat(3000),
  `${"a ".repeat(60)}\n${" b".repeat(60)}`,
];

/** Secrets that scanners recognize by their form. */
const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
const secrets = [
  token,
  `set -e\n\ncurl -H "Authorization: Bearer ${token}" https://example.com\n`,
  `git clone https://deploy:${token}@git.example.com/web.git`,
  "https://user:pa55word@hooks.example.com/x?token=abc",
  `-----BEGIN RSA PRIVATE ${"KEY"}-----\n${"MIIEabcd".repeat(8)}\n-----END RSA PRIVATE ${"KEY"}-----\n`,
  `a: b\nAWS_ACCESS_KEY_ID=AKIA${"IOSFODNN7QXAMPLE"}\n`,
];

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/);
const odd = fc.oneof(
  fc.constantFrom(...yamlWords),
  fc.constantFrom(...ownWords),
  fc.constantFrom(...unicode),
  fc.constantFrom(...lines),
  fc.constantFrom(...secrets),
  fc.string({ minLength: 1, maxLength: 20, unit: "binary" }),
  fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }),
  fc
    .array(fc.constantFrom(...yamlWords, ...ownWords, ...lines), { minLength: 2, maxLength: 3 })
    .map((all) => all.join("")),
);

/** A text that is not blank, as the service requires for a text. */
export const someText = fc
  .oneof({ weight: 2, arbitrary: word }, { weight: 3, arbitrary: odd })
  .filter((text) => text.trim() !== "");

/** A text that may be blank. */
export const anyText = fc.oneof(
  { weight: 9, arbitrary: fc.oneof(word, odd) },
  { weight: 1, arbitrary: fc.constantFrom("", " ") },
);

/** Names that differ only slightly, so that collisions occur. */
const alike = [
  ...[
    "deploy",
    "Deploy",
    "DEPLOY",
    "deploy ",
    " deploy",
    "de\u200bploy",
    "\u00e9",
    "e\u0301",
    "a/b",
    "a%2Fb",
  ],
  ...[
    "a%252Fb",
    "a%2fb",
    "a b",
    "a  b",
    "a\u00a0b",
    "1",
    "1.0",
    "01",
    "true",
    "API_KEY",
    "api-key",
    "apiKey",
  ],
];

/** A name that is not blank and rarely long. */
export const someName = fc
  .oneof(
    { weight: 4, arbitrary: word },
    { weight: 2, arbitrary: fc.constantFrom(...alike) },
    { weight: 3, arbitrary: someText },
  )
  // Addresses, which contain names, cannot contain half a surrogate pair.
  .filter((text) => text.length < 400 && !secrets.includes(text) && !/\p{Surrogate}|\0/u.test(text));

const jsonKey = fc.oneof(
  word,
  fc.constantFrom(
    "name",
    "key",
    "value",
    "id",
    "type",
    "camelCase",
    "snake_case",
    "0",
    "123",
    "1.0",
    "encrypted",
  ),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "<<",
    "yes",
    "null",
    "~",
    "a.b",
    "a b",
    "${env:HOME}",
    "",
    "*",
    "?",
  ),
  fc.constantFrom(
    "$ref",
    "a/b",
    "a%2Fb",
    "\u00e9",
    "e\u0301",
    "a\nb",
    "#",
    "- a",
    "password",
    "token",
    "api_key",
  ),
);

const scalar = fc.oneof(
  { weight: 4, arbitrary: anyText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      0,
      1,
      -1,
      1.5,
      1e21,
      1e-7,
      9007199254740991,
      -0.5,
      false,
      true,
      null,
      "",
    ),
  },
);

/** JSON for a field without a documented structure. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: "small", maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(jsonKey, tie("node"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).node;

export const jsonObject = fc.dictionary(jsonKey, anyJson, { maxKeys: 4, noNullPrototype: true });
export const jsonFieldName = jsonKey;

/** Odd texts, except for those that are odd only in YAML. */
export const oddTexts: readonly string[] = [...new Set([...ownWords, ...unicode, ...lines])];
