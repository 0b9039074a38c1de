import js from "@eslint/js";
import imports from "eslint-plugin-simple-import-sort";
import globals from "globals";
import tseslint from "typescript-eslint";
import { rooms } from "./scripts/rooms.cjs";

const textsOfJson = {
  selector:
    "BinaryExpression[operator=/^[!=]==$/] > CallExpression.left[callee.object.name='JSON'][callee.property.name='stringify']",
  message: "Texts of JSON differ with the order of keys: compare by isSameJson, or isDeepStrictEqual.",
};
const ownWriting = {
  selector:
    "CallExpression > MemberExpression.callee[property.name='write']:matches([object.name=/^std(out|err)$/], [object.property.name=/^std(out|err)$/])",
  message:
    "Names may hold what steers a terminal or a CI runner: print and printText of reports/io.ts, note or warn of automation/port.ts.",
};

/** What reads and writes files, and so follows links of a checkout. */
const filesOfCheckouts = ["node:fs", "node:fs/promises", "write-file-atomic"].map((name) => ({
  name,
  importNames: [
    ...[
      "readFile",
      "readFileSync",
      "createReadStream",
      "readdir",
      "readdirSync",
      "open",
      "openSync",
      "opendir",
      "opendirSync",
    ],
    ...[
      "writeFile",
      "writeFileSync",
      "appendFile",
      "appendFileSync",
      "createWriteStream",
      "mkdir",
      "mkdirSync",
      "rename",
    ],
    ...[
      "renameSync",
      "copyFile",
      "copyFileSync",
      "cp",
      "cpSync",
      "chmod",
      "chmodSync",
      "truncate",
      "truncateSync",
      "default",
    ],
  ],
  message:
    "A checkout may contain links that lead out of it: use trust/checkout-files.ts and trust/output-files.ts.",
}));
/** Modules that start other programs. */
const STARTING = [
  "(node:)?(child_process|cluster|worker_threads|inspector|repl)(/.*)?",
  "(execa|open|cross-spawn|tinyexec|zx|nano-spawn|simple-git|shelljs|node-pty|foreground-child|@npmcli/promise-spawn|spawn-please)(/.*)?",
]
  .map((one) => `^${one}$`)
  .join("|");
const PROGRAMS = "Programs are started by trust/start-program.ts and trust/git.ts only.";
/** What starts other programs: one file knows with which folder, environment and switches. */
const programs = { patterns: [{ regex: STARTING, allowTypeImports: true, message: PROGRAMS }] };
const required =
  "CallExpression:matches([callee.name='require'], [callee.callee.name='createRequire'], [callee.callee.property.name='createRequire'])";
/** The same modules where no import statement names them. */
const programsLoaded = [
  `ImportExpression > Literal[value=/${STARTING.replaceAll("/", "\\/")}/]`,
  "ImportExpression > .source:not(Literal)",
  // Only descriptions of packages are read in this way, and what runs a module that an option names.
  `${required} > Literal.arguments:not([value=/^jiti$|package\\.json$/])`,
  `${required} > TemplateLiteral.arguments:not(:has(TemplateElement[value.raw=/package\\.json$/]))`,
  `${required} > .arguments:not(Literal):not(TemplateLiteral)`,
  "MemberExpression > Identifier.property[name=/^(getBuiltinModule|binding|_linkedBinding|dlopen|mainModule)$/]",
  "CallExpression[callee.name='eval'], NewExpression[callee.name='Function'], CallExpression[callee.name='Function']",
].map((selector) => ({ selector, message: PROGRAMS }));
/** Modules whose files are our own: in private folders, in the cache, in a package, in /proc, or in a state, which has no links. */
const ownFiles = [
  "cli/commands/{plugin,schema}/*.ts",
  "cli/operations/{preview,up}.ts",
  "cli/commands/emulator/demo.ts",
  "automation/{host,stack}/*.ts",
  "toolchain/*.ts",
  "automation/temporary-folders.ts",
  // Standard input, and the names in folders that were checked.
  "workspace-file/load/{files,matching-files}.ts",
];

export default tseslint.config(
  {
    ignores: [
      "packages/",
      "dist/",
      "node_modules/",
      "coverage/",
      "scripts/site/.vitepress/{.temp,cache,dist}/",
      "examples/",
      "schema/workspace-document.ts",
      "automation/report-types.ts",
      "sdk/nodejs/{functions,resources}.ts",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { imports },
    rules: {
      // In one group: what is only loaded, then Node.js, packages, and our modules.
      "imports/imports": ["error", { groups: [["^\\u0000", "^node:", "^@?\\w", "^", "^\\."]] }],
      "no-duplicate-imports": ["error", { allowSeparateTypeImports: true }],
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "no-restricted-syntax": ["error", textsOfJson],
    },
  },
  {
    files: Object.keys(rooms).map((room) => `${room}/**/*.ts`),
    ignores: ["trust/start-program.ts", "trust/system-program.ts"],
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", programs],
      "no-restricted-syntax": ["error", textsOfJson, ownWriting, ...programsLoaded],
    },
  },
  {
    files: ["cli/terminal/io.ts"],
    rules: { "no-restricted-syntax": ["error", textsOfJson, ...programsLoaded] },
  },
  {
    files: ["automation", "cli", "reports", "sdk/nodejs", "toolchain", "workspace-file"].map(
      (room) => `${room}/**/*.ts`,
    ),
    ignores: ownFiles,
    rules: { "no-restricted-imports": ["error", { paths: filesOfCheckouts }] },
  },
  {
    files: ["**/*.{js,mjs,cjs}"],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: globals.node,
    },
    rules: {
      ...tseslint.configs.disableTypeChecked.rules,
      "no-console": "off",
      "@typescript-eslint/no-require-imports": "off",
    },
  },
);
