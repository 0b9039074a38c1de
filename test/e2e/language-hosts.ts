/** Builds the language hosts of Pulumi, the SDK generator, an S3 server and a gRPC client from Go modules, once per machine. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { buildProgram, findGoOnPath, type Recipe } from "../../scripts/toolchain/gobuild.js";
import { makeEntry, readEntry } from "../../toolchain/cache.js";
import { createProgressPrinter } from "../../toolchain/index.js";
import { listCacheFolders, platformKey } from "../../toolchain/locations.js";

const repository = resolve(import.meta.dirname, "../..");

const sdk = "github.com/pulumi/pulumi/sdk/v3";
const patience = "this takes some seconds";
const recipes: readonly Recipe[] = [
  {
    module: "generate-sdk",
    goPackage: "pulumi-workspace-automation/scripts/toolchain/generate-sdk",
    version: "3.259.0",
    output: "generate-sdk",
    what: "the SDK generator",
    patience,
  },
  {
    module: "../../test/s3-server",
    goPackage: "pulumi-workspace-automation/test/s3-server",
    version: "1.2.0",
    output: "s3-server",
    what: "the S3 server of the tests",
    patience,
  },
  {
    module: "../../test/grpc-client",
    goPackage: "pulumi-workspace-automation/test/grpc-client",
    version: "1.83.1",
    output: "grpc-client",
    what: "the gRPC client of the tests",
    patience,
  },
  {
    module: "../convert-programs",
    goPackage: "pulumi-workspace-automation/scripts/convert-programs",
    version: "3.259.0",
    output: "convert-programs",
    what: "the converter of programs",
    patience,
  },
  host("language-go-python", `${sdk}/go/pulumi-language-go`, "3.66.0", "Go"),
  host("language-go-python", `${sdk}/python/cmd/pulumi-language-python`, "3.66.0", "Python"),
  host("language-java", "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java", "3.259.0", "Java"),
  host("language-yaml", "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml", "3.230.0", "YAML"),
];

function host(module: string, goPackage: string, version: string, language: string): Recipe {
  const output = goPackage.slice(goPackage.lastIndexOf("/") + 1);
  return { module, goPackage, version, output, what: `the language host of ${language}`, patience };
}

/** Returns why the programs cannot be built here. */
export async function missingGo(): Promise<string | undefined> {
  return (await findGoOnPath({ env: process.env, checkouts: [] }))
    ? undefined
    : "there is no Go on PATH (https://go.dev/dl/)";
}

/** Returns the folder of a program, which is built unless it was before. */
export async function languageProgram(output: string): Promise<string> {
  const recipe = recipes.find((known) => known.output === output);
  if (recipe === undefined) throw new Error(`There is no recipe for ${output}.`);
  const version = fingerprint(recipe);
  const folder = join(listCacheFolders().base, `${output}-${version}-${platformKey}`);
  const { env } = process;
  const fill = async (root: string) => {
    await buildProgram(recipe, root, {
      env,
      checkouts: [],
      onProgress: createProgressPrinter(process.stderr),
    });
    if (output === "pulumi-language-python") await addPythonShim(join(root, "bin"));
    return { version, checkedAgainst: "go.sum" };
  };
  if ((await readEntry(folder, [output], env)) === undefined) await makeEntry(folder, "build", fill, env);
  return join(folder, "bin");
}

/** Copies the script that the Python host starts from its place next to it. */
async function addPythonShim(bin: string): Promise<void> {
  const cwd = join(repository, "scripts/toolchain/language-go-python");
  const { stdout: root } = await execa("go", ["list", "-m", "-f", "{{.Dir}}", sdk], { cwd });
  const target = join(bin, "pulumi-language-python-exec");
  await copyFile(join(root, "python/cmd/pulumi-language-python-exec"), target);
  await chmod(target, 0o755);
}

/** Changes with the versions of the modules, and with the generator. */
function fingerprint({ module, output }: Recipe): string {
  const hash = createHash("sha256").update(output);
  const folder = join(repository, "scripts/toolchain", module);
  for (const file of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, file)));
  return hash.digest("hex").slice(0, 12);
}
