/** Programs in other languages that ask packages of their registries, in pinned versions. A test asks them with JSON. */
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa, execaSync } from "execa";
import { temporaryFolder } from "./cli/support.js";

interface Language {
  /** What has to be on PATH. */
  readonly tools: readonly string[];
  /** Installs the packages and builds the program. */
  readonly prepare: readonly (readonly [command: string, ...args: string[]])[];
  /** Starts the program. @param folder in which it was prepared */
  readonly run: (folder: string) => readonly [command: string, ...args: string[]];
}

/** By the name of the folder that holds a program. */
const languages: Readonly<Record<string, Language>> = {
  npm: {
    tools: ["npm"],
    prepare: [["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"]],
    run: () => ["node", "--no-warnings", "ask.mjs"],
  },
  pypi: {
    tools: ["python3"],
    prepare: [
      ["python3", "-m", "venv", "packages"],
      ["packages/bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt"],
    ],
    run: () => ["packages/bin/python", "ask.py"],
  },
  go: { tools: ["go"], prepare: [["go", "build", "-o", "ask", "."]], run: () => ["./ask"] },
  cargo: {
    tools: ["cargo"],
    prepare: [["cargo", "build", "--quiet", "--locked"]],
    run: () => ["target/debug/ask"],
  },
  maven: {
    tools: ["mvn", "javac"],
    prepare: [
      ["mvn", "-q", "-B", "dependency:build-classpath", "-Dmdep.outputFile=classpath"],
      ["javac", "-cp", "@classpath", "Ask.java"],
    ],
    run: (folder) => ["java", "-cp", `${readClasspath(folder)}:.`, "Ask"],
  },
};

const readClasspath = (folder: string) => readFileSync(join(folder, "classpath"), "utf8").trim();

/** The programs of a fixture: a folder for each language. */
export class ForeignPrograms {
  private readonly fixture: string;
  private readonly folders: readonly string[];

  constructor(name: string) {
    this.fixture = resolve("test/fixtures", name);
    this.folders = readdirSync(this.fixture);
  }

  /** Returns what is missing here. */
  missing(): string | undefined {
    const tools = this.folders.flatMap((folder) => languages[folder]?.tools ?? []);
    const lacking = tools.filter(
      (tool) => execaSync(tool, ["--version"], { reject: false }).code === "ENOENT",
    );
    return lacking.length > 0 ? `${lacking.join(", ")} is not on PATH` : undefined;
  }

  /** Returns the texts that pin the packages. */
  pins(): string {
    return ["npm/package.json", "pypi/requirements.txt", "go/go.mod", "cargo/Cargo.toml", "maven/pom.xml"]
      .map((file) => join(this.fixture, file))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
  }

  /** Returns the packages that a page names with the versions that are pinned here. */
  listPins(page: string): string[] {
    const pins = this.pins();
    return [...readFileSync(page, "utf8").matchAll(/`([\w./-]+) (\d+(?:\.\d+)+)`/g)]
      .filter(([, name = "", version = ""]) =>
        new RegExp(`${name}"?\\D{1,60}${version}(?![\\d.])`).test(pins),
      )
      .map(([, name = "", version = ""]) => `${name} ${version}`);
  }

  /** Installs all in a new folder. @returns a function that asks each program, and merges their answers */
  async prepare(): Promise<(question: unknown) => Promise<Record<string, readonly unknown[]>>> {
    const root = temporaryFolder();
    cpSync(this.fixture, root, { recursive: true });
    const programs = this.folders.map((name) => ({
      folder: join(root, name),
      language: languages[name] as Language,
    }));
    for (const { folder, language } of programs)
      for (const [command, ...args] of language.prepare) {
        const filled = args.map((arg) => (arg === "@classpath" ? readClasspath(folder) : arg));
        await execa(command, filled, { cwd: folder });
      }
    return async (question) => {
      const answers = await Promise.all(
        programs.map(async ({ folder, language }) => {
          const [command, ...args] = language.run(folder);
          const { stdout } = await execa(command, args, { cwd: folder, input: JSON.stringify(question) });
          return JSON.parse(stdout) as Record<string, readonly unknown[]>;
        }),
      );
      return Object.assign({}, ...answers) as Record<string, readonly unknown[]>;
    };
  }
}
