/**
 * Forms in which texts contain secrets: key blocks, addresses, commands, headers, assignments. Each expression takes time in
 * proportion to the text.
 */

export interface SecretForm {
  /** What lint calls it. */
  readonly rule: string;
  /** The group `secret` is the part to hide. The group `name`, where there is one, says whether it is secret. */
  readonly pattern: RegExp;
  /** The form alone shows that it is a secret, wherever the text is. */
  readonly certain?: true;
  /** The name of the value, where the form has none. It decides whether a plain word can be the value. */
  readonly name?: string;
}

/** A value in a command: in quotes, or up to the next blank. */
const QUOTED = String.raw`\\*(?<quote>["'])(?!\s)(?<secret>(?:(?!\\*\k<quote>)[^\r\n]){1,4096})`;
const WORD = String.raw`(?<secret>(?:\$\([^)\n]*\)?|[^\s"'\\;|&<>()])+)`;
const within = (start: string, value: string) => new RegExp(start + value, "dg");
/** Both forms of a value after `start`. */
const valueForms = (rule: string, start: string, name = "password"): SecretForm[] => [
  { rule, name, pattern: within(start, QUOTED) },
  { rule, name, pattern: within(start, WORD) },
];

/** Options between a command and its password, in the same command. */
const OPTIONS = String.raw`\b[^\n;&|]{0,300}?\s`;
const NAME = String.raw`(?<name>[A-Za-z_][\w-]{1,63})`;

/** A character that a text of any form contains. */
export const SOME_FORM = /[\s:=$]/;

export const secretForms: readonly SecretForm[] = [
  {
    rule: "private key",
    certain: true,
    pattern:
      /(?<secret>-----BEGIN\s?[A-Z0-9 ]{0,40}PRIVATE KEY[^-]{0,20}-----(?:\s|\\n)+(?=(?:[A-Za-z-]+:|[A-Za-z0-9+/=]{3}))(?:(?!-----END)[^]){0,20000}(?:-----END[^\n-]*-----)?)/dg,
  },
  { rule: "private key", certain: true, pattern: /(?<secret>PuTTY-User-Key-File-\d:[^]{0,20000})/dg },
  {
    rule: "password in an address",
    certain: true,
    name: "password",
    pattern: /:\/\/(?<user>[^/@\s:"'`]{0,200}):(?<secret>[^/@\s"'`]{1,500})@(?=[\w.$%{[-])/dg,
  },
  {
    rule: "token in an address",
    certain: true,
    pattern: /:\/\/(?<secret>(?=[A-Za-z_-]{0,60}\d)(?=\w{0,60}[A-Za-z])[\w-]{20,200})@[\w.-]+/dg,
  },
  {
    rule: "webhook",
    certain: true,
    pattern: /:\/\/hooks\.[\w.-]{1,100}\/(?:services|workflows|triggers)\/(?<secret>\w+\/\w+\/\w+)/dg,
  },
  {
    rule: "password of curl",
    name: "password",
    pattern: within(
      String.raw`\bcurl${OPTIONS}(?:-[a-z]*u|--user|--proxy-user)[\s=]?\s*["']?(?<user>[^\s"':]*):`,
      String.raw`(?<secret>[^\s"']+)`,
    ),
  },
  ...valueForms(
    "password of a command",
    String.raw`\b(?:docker|podman|buildah|skopeo|helm|nerdctl|az|oc|cf|tkn|crane)\s[^\n;&|]{0,40}?login${OPTIONS}(?:-p|--password)[\s=]\s*`,
  ),
  ...valueForms("password of a command", String.raw`\bsshpass\s+-p\s*`),
  ...valueForms(
    "password of a command",
    String.raw`\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)${OPTIONS}-p(?=["'\w$%!#@^+])`,
  ),
  ...valueForms(
    "password of a command",
    String.raw`\b(?:redis-cli${OPTIONS}-a|sqlcmd${OPTIONS}-P|ldapsearch${OPTIONS}-w|ldapmodify${OPTIONS}-w|mongo(?:sh|dump|restore)?${OPTIONS}-p)\s+`,
  ),
  ...valueForms("password of a command", String.raw`-pass(?:in|out)?\s+pass:`),
  {
    rule: "password of a command",
    name: "password",
    pattern: within(
      String.raw`\b(?:lftp|smbclient)${OPTIONS}(?:-u|-U)\s*["']?[^\s"',%]+[,%]`,
      String.raw`(?<secret>[^\s"']+)`,
    ),
  },
  {
    rule: "token of npm",
    name: "token",
    pattern: within(String.raw`(?<![A-Za-z0-9])_(?:authToken|auth|password)(?:\s*=\s*|\s+)["']?`, WORD),
  },
  {
    rule: "password in .netrc",
    name: "password",
    pattern: within(String.raw`\bmachine\s+\S+\s+login\s+\S+\s+password\s+`, WORD),
  },
  {
    rule: "password in SQL",
    name: "password",
    pattern: /\b(?:PASSWORD|IDENTIFIED\s+BY)\s+\\?'(?<secret>[^'\n\\]{1,500})/dgi,
  },
  {
    rule: "authorization",
    name: "authorization",
    pattern:
      /\b(?:proxy-)?authorization["'\\]*\s*[:=]\s*["'\\]*(?:(?:bearer|basic|token|digest|apikey|key)\s+)?(?!(?:bearer|basic|token|digest)\b)(?<secret>[^\s"'\\]{6,})/dgi,
  },
  // A header of a command, a line of a file in a here-document, and members of JSON in a text.
  {
    rule: "header",
    pattern: within(String.raw`(?:^|\s)(?:-H|--header|--add-header)[\s=]*["']?${NAME}:\s*`, WORD),
  },
  {
    rule: "value",
    pattern: new RegExp(
      String.raw`^[ \t-]*${NAME}:[ \t]+["']?(?<secret>[^\s"'#{}[\]&*|>][^\s"'{}[\]&*|>]*)["']?[ \t]*$`,
      "dgm",
    ),
  },
  { rule: "value", pattern: within(String.raw`\\*["']${NAME}\\*["']\s*(?::|=>)\s*`, QUOTED) },
  // Assignments, options and the defaults of variables.
  { rule: "value", pattern: within(String.raw`(?<![\w$-])-{0,2}${NAME}[:?+]?=`, QUOTED) },
  { rule: "value", pattern: within(String.raw`(?<![\w$-])-{0,2}${NAME}\s+[:?+]?=\s*`, QUOTED) },
  {
    rule: "value",
    pattern: within(
      String.raw`(?<![\w$-])-{0,2}${NAME}[:?+]?=(?!=)`,
      String.raw`(?<secret>(?:\$\([^)\n]*\)?|[^\s"'\\;,&|<>()])+)`,
    ),
  },
  { rule: "value", pattern: within(String.raw`(?<!\S)--${NAME}\s+`, QUOTED) },
  { rule: "value", pattern: within(String.raw`(?<!\S)--${NAME}\s+(?!-)`, WORD) },
  {
    rule: "value",
    pattern: within(
      String.raw`\b(?:ENV|setx|aws\s+configure\s+set|config\s+set|secret\s+set)\s+${NAME}\s+`,
      WORD,
    ),
  },
  { rule: "value", pattern: new RegExp(String.raw`\$\{${NAME}:?[-=](?<secret>[^}"'$\s]+)\}`, "dg") },
];
