/** Checks the two pages of the Pulumi Registry by the rules for a new package. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pages = { overview: read("docs/_index.md"), installation: read("docs/installation-configuration.md") };
const schema = JSON.parse(read("schema/pulumi.schema.json")) as {
  version: string;
  config: { variables: Record<string, unknown> };
  resources: Record<string, { description?: string }>;
};

describe.each(Object.entries(pages))("the page %s", (_name, text) => {
  it("has a title, a description and the layout of a package", () => {
    const facts = parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "") as Record<string, string>;
    expect(Object.keys(facts)).toEqual(["title", "meta_desc", "layout"]);
    expect(facts["layout"]).toBe("package");
    expect(facts["meta_desc"]?.length).toBeLessThanOrEqual(160);
  });
});

it("the overview has an example in every language of its chooser", () => {
  const [, chosen = ""] = /{{< chooser language "([^"]*)" >}}/.exec(pages.overview) ?? [];
  const shown = [...pages.overview.matchAll(/{{% choosable language (\w+) %}}\n\n```/g)].map(
    ([, name]) => name,
  );
  expect(shown).toEqual(chosen.split(","));
  expect(shown).toEqual(expect.arrayContaining(["typescript", "python", "go", "yaml"]));
});

describe("the page on installation", () => {
  it("names the SDK of every language", () => {
    for (const language of ["TypeScript", "Python", "Go", ".NET", "Java"])
      expect(pages.installation).toMatch(
        new RegExp(`^- .*${language.replace(".", "\\.")}.*: \\[.*\\]\\(.*\\)$`, "m"),
      );
  });

  it("installs the plugin, and configures it by a stack and by the environment", () => {
    expect(pages.installation).toMatch(/^workspacectl plugin install$/m);
    expect(pages.installation).toContain(`pulumi package add workspace-automation@${schema.version}\n`);
    expect(pages.installation).toMatch(/^pulumi config set --secret workspace-automation:token$/m);
    expect(pages.installation).toMatch(/^export WORKSPACE_AUTOMATION_TOKEN=/m);
  });

  it("describes every setting of the provider", () => {
    const rows = [...pages.installation.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(rows.toSorted()).toEqual(Object.keys(schema.config.variables).toSorted());
  });
});

it("the schema describes every resource, with an example", () => {
  for (const [token, { description = "" }] of Object.entries(schema.resources))
    expect([token, description]).toEqual([token, expect.stringMatching(/^[A-Z][\s\S]*{{% example %}}/)]);
});
