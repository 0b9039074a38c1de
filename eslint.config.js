import js from "@eslint/js";
import globals from "globals";
import tseslint from "typescript-eslint";

const textsOfJson = {
  selector:
    "BinaryExpression[operator=/^[!=]==$/] > CallExpression.left[callee.object.name='JSON'][callee.property.name='stringify']",
  message: "Texts of JSON differ with the order of keys: compare by sameJson, or isDeepStrictEqual.",
};
const ownWriting = {
  selector:
    "CallExpression > MemberExpression.callee[property.name='write']:matches([object.name=/^std(out|err)$/], [object.property.name=/^std(out|err)$/])",
  message:
    "Names may hold what steers a terminal or a CI runner: print, note, printText or warn of cli/terminal/io.ts.",
};

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
      "sdk/nodejs/{functions,resources}.ts",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
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
    files: [
      "cli/**/*.ts",
      "client/**/*.ts",
      "provider/**/*.ts",
      "diff/**/*.ts",
      "trust/**/*.ts",
      "schema/**/*.ts",
      "workspace-file/**/*.ts",
      "sdk/**/*.ts",
      "emulator/**/*.ts",
    ],
    ignores: ["cli/terminal/io.ts"],
    rules: { "no-restricted-syntax": ["error", textsOfJson, ownWriting] },
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
