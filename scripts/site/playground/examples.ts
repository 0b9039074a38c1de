/** The examples of the repository that the playground offers. */
import { MAIN_FILE, type Files } from "./analysis.js";

const texts = import.meta.glob<string>(
  [
    "../../../examples/{quickstart,reuse,us-eu}/{workspace,workspace.*,templates}.yaml",
    "../../../examples/quickstart/messages/*.txt",
  ],
  { query: "?raw", import: "default", eager: true },
);

const titles: Readonly<Record<string, string>> = {
  quickstart: "A small company",
  reuse: "Templates, defaults and an overlay",
  "us-eu": "Two regions",
};

export interface Example {
  readonly title: string;
  readonly files: Files;
}

export const examples: readonly Example[] = [
  ...Object.entries(titles).map(([folder, title]) => ({ title, files: collectFiles(folder) })),
  { title: "An empty file", files: { [MAIN_FILE]: "version: 1\nworkspace: acme\n\n" } },
];

function collectFiles(folder: string): Files {
  const start = `../../../examples/${folder}/`;
  const own = Object.entries(texts).filter(([path]) => path.startsWith(start));
  const files = own.map(([path, text]) => [path.slice(start.length), text] as const);
  return Object.fromEntries(files.toSorted(([a], [b]) => Number(b === MAIN_FILE) - Number(a === MAIN_FILE)));
}
