/** The packaged plugin from programs in YAML, Python, Go, TypeScript and Java, each with the SDK that is generated for it. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, vi } from "vitest";
import { convertPrograms } from "../../scripts/convert-programs.js";
import {
  type Converted,
  CONVERTED_FILE,
  findConverted,
  listAllExamples,
} from "../../scripts/generate/package-schema/converted.js";
import type { ExamplePrograms } from "../../scripts/generate/package-schema/examples.js";
import { findOnPath } from "../../trust/programs.js";
import { languageProgram, missingGo } from "./language-hosts.js";
import {
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  repository,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

interface Language {
  /** Folder of the example, and the language's name for Pulumi. */
  readonly name: string;
  /** Programs of toolchain/ that it takes. */
  readonly programs: readonly string[];
  /** Programs that must be on PATH. */
  readonly needs: readonly string[];
  /** Runs only with `npm run stress -- languages`: a clean machine downloads and compiles more than a minute for it. */
  readonly slow?: true;
  /** Generates the SDK, installs what the program needs and compiles both. */
  readonly prepare: (program: Program) => Promise<void>;
  /** Compiles the examples of the reference pages in the prepared folder. */
  readonly compileExamples?: (program: Program) => Promise<void>;
}

interface Program {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs a program in the folder. Throws when it fails. */
  readonly run: (command: string, ...args: string[]) => Promise<string>;
}

const schema = join(repository, "schema/pulumi.schema.json");
const sdk = "sdks/workspace-automation";
const generate = ({ run }: Program, language: string) => run("generate-sdk", language, schema, sdk);

const languages: readonly Language[] = [
  {
    name: "nodejs",
    programs: ["generate-sdk"],
    needs: [],
    prepare: async (program) => {
      await generate(program, "nodejs");
      const modules = join(program.folder, "node_modules");
      for (const name of ["@pulumi", "@types", "typescript"])
        symlinkSync(join(repository, "node_modules", name), join(modules, name), "dir");
      symlinkSync(join(program.folder, sdk), join(modules, "workspace-automation-sdk"), "dir");
      const tsc = join(repository, "node_modules/typescript/bin/tsc");
      await program.run(process.execPath, tsc, "-p", sdk, "--types", "node", "--skipLibCheck");
      cpSync(join(program.folder, sdk, "package.json"), join(program.folder, sdk, "bin/package.json"));
      await program.run(process.execPath, tsc, "-p", ".");
    },
    compileExamples: async ({ folder, run }) => {
      writeExamples(
        folder,
        ({ typescript }) => typescript,
        (name) => `${name}.ts`,
      );
      const tsc = join(repository, "node_modules/typescript/bin/tsc");
      const flags = ["--types", "node", "--skipLibCheck", "--strict", "--noEmit", "--target", "es2022"];
      await run(
        "bash",
        "-c",
        `${process.execPath} ${tsc} ${flags.join(" ")} --module commonjs examples/*.ts`,
      );
    },
  },
  {
    name: "python",
    programs: ["generate-sdk", "pulumi-language-python"],
    needs: ["python3"],
    prepare: async (program) => {
      await generate(program, "python");
      await program.run("python3", "-m", "venv", "venv");
      await program.run("python", "-m", "pip", "install", "--quiet", "-r", "requirements.txt");
      await program.run("python", "-m", "compileall", "-q", sdk, "__main__.py");
    },
    // Python knows only while it runs whether a class has a property.
    compileExamples: async ({ folder, run }) => {
      writeExamples(
        folder,
        (example) => programOf(example).python,
        (name) => `${name}.py`,
      );
      writeFileSync(join(folder, "run_examples.py"), runExamples);
      expect(await run("python", "run_examples.py")).toContain(`${listAllExamples().length} programs`);
    },
  },
  {
    name: "go",
    programs: ["generate-sdk", "pulumi-language-go"],
    needs: ["go"],
    prepare: async (program) => {
      await generate(program, "go");
      await program.run("go", "mod", "tidy");
      await program.run("go", "build", "-o", "compiled", "./...");
    },
    compileExamples: async ({ folder, run }) => {
      writeExamples(
        folder,
        (example) => programOf(example).go,
        (name) => `${name}/main.go`,
      );
      await run("go", "vet", "./examples/...");
    },
  },
  {
    name: "java",
    programs: ["pulumi-language-java"],
    needs: ["java", "mvn"],
    slow: true,
    prepare: async (program) => {
      const flags = ["--language", "java", "--local", "--out", "sdks"];
      await program.run("pulumi", "package", "gen-sdk", schema, ...flags);
      cpSync(join(program.folder, "sdks/java"), join(program.folder, sdk), { recursive: true });
      await program.run("mvn", "--batch-mode", "--quiet", "compile");
    },
    compileExamples: async ({ folder, run }) => {
      const sources = join(folder, "src/main/java");
      writeExamples(
        sources,
        (example, name) =>
          programOf(example).java.replace("generated_program", `examples.${name.toLowerCase()}`),
        (name) => `${name.toLowerCase()}/App.java`,
      );
      await run("mvn", "--batch-mode", "--quiet", "compile");
    },
  },
  { name: "yaml", programs: ["pulumi-language-yaml"], needs: [], prepare: () => Promise.resolve() },
];

/** Runs the programs against a service that creates everything. */
const runExamples = `
import asyncio, pathlib, runpy
import pulumi

class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return [args.name, args.inputs]
    def call(self, args):
        return {}

programs = sorted(pathlib.Path("examples").glob("*.py"))
for program in programs:
    pulumi.runtime.set_mocks(Mocks())
    runpy.run_path(str(program))
print(len(programs), "programs")
`;

function programOf(example: ExamplePrograms): Converted {
  const converted = findConverted(example);
  if (converted === undefined)
    throw new Error(`${example.id} is not converted: npm run generate -- --programs`);
  return converted;
}

/** Writes the examples of all types below `examples/`. */
function writeExamples(
  folder: string,
  textOf: (example: ExamplePrograms, name: string) => string,
  pathOf: (name: string) => string,
): void {
  for (const example of listAllExamples()) {
    const name = example.id.replace(/\W/g, "_");
    const path = join(folder, "examples", pathOf(name));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textOf(example, name));
  }
}

const noGo = await missingGo();

function missing({ needs, slow }: Language): string | undefined {
  if (slow && process.env["LANGUAGES"] !== "all")
    return "it takes long; `npm run stress -- languages` includes it";
  const absent = needs.filter((name) => findOnPath(name, process.env) === undefined);
  return noGo ?? (absent.length > 0 ? `there is no ${absent.join(" and no ")} on PATH` : undefined);
}

it("the programs on the reference pages are what Pulumi's generators make of their examples", async ({
  skip,
}) => {
  if (noGo !== undefined) skip(noGo);
  expect(await convertPrograms()).toBe(readFileSync(join(repository, CONVERTED_FILE), "utf8"));
});

describe.each(languages)("a program in $name", (language) => {
  let prepared: Promise<Program> | undefined;
  const prepare = () => (prepared ??= preparedProgram(language));

  it.runIf(language.compileExamples)("of every reference page compiles", async ({ skip }) => {
    const reason = missing(language);
    if (reason !== undefined) skip(reason);
    await language.compileExamples?.(await prepare());
  });

  it("is applied, refreshed without a change, and destroyed", async ({ skip }) => {
    const reason = missing(language);
    if (reason !== undefined) skip(reason);
    const { folder, env, run } = await prepare();
    const emulator = await emulatorForTests({ strictBodies: true });
    Object.assign(env, connected(emulator), { WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace });

    await run("pulumi", "stack", "init", "test");
    await run("pulumi", "config", "set", "--secret", "token", "token-in-clear");
    expect(await run("pulumi", "up", "--yes", "--skip-preview")).toContain("11 created");
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects/web/pipelines" });
    const [deploy] = (body as { pipelines: { id: number; name: string }[] }).pipelines;
    expect(deploy).toMatchObject({ name: "deploy" });
    const path = `/workspaces/acme/projects/web/pipelines/${deploy?.id}/actions`;
    const { actions } = (await emulator.edit({ method: "GET", path })).body as {
      actions: { name: string }[];
    };
    expect(actions.map(({ name }) => name)).toEqual(["Test", "Ping", "Notify"]);

    emulator.journal.clear();
    await run("pulumi", "refresh", "--yes", "--expect-no-changes");
    await run("pulumi", "preview", "--expect-no-changes");
    expect(await drift(folder, env)).toMatchObject({ code: 0 });
    const groups = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
    expect(emulator.journal.writes()).toEqual([]);
    const [testers] = (groups.body as { groups: { id: number }[] }).groups;
    const description = { method: "PATCH", path: `/workspaces/acme/groups/${testers?.id}` } as const;
    await emulator.edit({ ...description, body: { description: "Hobby club" } });
    const found = await drift(folder, env);
    expect(found).toMatchObject({ code: 7 });
    expect(found.stdout).toMatch(/~ groups\/QA +description +"Testers" → "Hobby club"/);
    await emulator.edit({ ...description, body: { description: "Testers" } });
    expect(stateOf(folder)).not.toContain("token-in-clear");
    if (language.name === "yaml") await importIsDeclared(emulator, { folder, env, run });
    const refused = await pulumi(["destroy", "--yes", "--skip-preview"], folder, env);
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain('project "web" is protected, so it is not deleted');
    const projects = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects" });
    expect(JSON.stringify(projects.body)).toContain('"web"');
    Object.assign(env, { WORKSPACE_AUTOMATION_DELETE_PROJECTS: "web" });
    expect(await run("pulumi", "destroy", "--yes", "--skip-preview")).toMatch(/\d deleted/);
  });
});

async function preparedProgram(language: Language): Promise<Program> {
  const folders: string[] = [];
  for (const program of language.programs) folders.push(await languageProgram(program));
  const program = example(language.name, folders);
  await language.prepare(program);
  return program;
}

/** Reports the drift of a program, which needs nothing of its language. */
const drift = (folder: string, env: NodeJS.ProcessEnv) =>
  workspacectl(["drift", "--program", ".", "--stack", "test"], folder, env);

type Emulator = Awaited<ReturnType<typeof emulatorForTests>>;

/** Imports a group, adds the generated code to the program, and expects that this changes nothing. */
async function importIsDeclared(emulator: Emulator, { folder, run }: Program): Promise<void> {
  const { body } = await emulator.edit({
    method: "POST",
    path: "/workspaces/acme/groups",
    body: { name: "Release", description: "Made by hand" },
  });
  const id = `acme/${(body as { id: number }).id}`;
  const type = "workspace-automation:index:Group";
  await run("pulumi", "import", type, "release", id, "--yes", "--protect=false", "--out", "generated.yaml");
  const [, declaration = ""] = readFileSync(join(folder, "generated.yaml"), "utf8").split(/^resources:\n/m);
  const file = join(folder, "Pulumi.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("\nresources:\n", `\nresources:\n${declaration}`));
  await run("pulumi", "preview", "--expect-no-changes");
}

/** Copies an example as a user has it who installed the library next to it. */
function example(name: string, programs: readonly string[]): Program {
  const root = temporaryFolder();
  const folder = join(root, "program");
  cpSync(join(repository, "examples/languages", name), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  const installed = join(folder, "node_modules/pulumi-workspace-automation");
  symlinkSync(join(repository, "packages/library"), installed, "dir");
  const path = [join(folder, "venv/bin"), ...programs, process.env["PATH"] ?? ""].join(delimiter);
  // The flags of the toolchain's builds, so that Go takes packages from its cache that are compiled already.
  const go = { GOFLAGS: "-mod=mod -trimpath -buildvcs=false", CGO_ENABLED: "0", GOWORK: "off" };
  const env = isolated(root, { ...stateIn(root), ...go, PATH: path });
  const run = async (command: string, ...args: string[]) => {
    const { exitCode, stdout, stderr } =
      command === "pulumi"
        ? await pulumi(args, folder, env).then(({ code, ...texts }) => ({ exitCode: code, ...texts }))
        : await execa(command, args, { cwd: folder, env, extendEnv: false, reject: false, stdin: "ignore" });
    const ended = { command: [command, ...args].join(" "), exitCode };
    expect({ ...ended, output: exitCode === 0 ? "" : stdout + stderr }).toEqual({
      ...ended,
      exitCode: 0,
      output: "",
    });
    return stdout;
  };
  return { folder, env, run };
}

function stateOf(folder: string): string {
  const stacks = join(folder, "../state/.pulumi/stacks");
  const files = readdirSync(stacks, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".json"),
  );
  return files.map((file) => readFileSync(join(stacks, file), "utf8")).join("\n");
}
