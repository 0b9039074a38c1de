/** States of earlier releases, in which references to secrets are templates. They are read once and rewritten; by both engines. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { setUp, workspacectl } from "./support.js";

vi.setConfig({ testTimeout: 600_000 });

const file = (engine: string) => `version: 1
workspace: acme
engine: ${engine}
groups:
  QA: { description: "for \${secret:env:TEAM}" }
variables:
  TOKEN: { value: "\${secret:env:VALUE}", encrypted: true }
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refName: main
        actions:
          - name: Hook
            type: HTTP
            triggerTime: ON_EVERY_EXECUTION
            notificationUrl: https://hooks.example.com/
            headers: [{ name: X-Plain, value: "$\${literal}" }, { name: Authorization, value: "Bearer \${secret:file:key.txt}" }]
`;

interface Reference {
  readonly at: readonly (string | number)[];
  readonly origin: string;
  readonly name: string;
}
type Props = Record<string, unknown>;
interface State {
  readonly deployment: { readonly resources: { readonly inputs?: Props; readonly outputs?: Props }[] };
}

/** Writes the arguments with references as earlier releases did: as templates. Only their names were listed. */
function earlier(props: Props | undefined): void {
  const references = props?.["__secretReferences"] as Record<string, readonly Reference[]> | undefined;
  if (props === undefined || references === undefined) return;
  for (const [name, all] of Object.entries(references)) {
    const secret = props[name] as { plaintext: string };
    let text = secret.plaintext.replaceAll("${", "$$${");
    for (const { origin, name: from } of all)
      text = text.replace("[secret]", () => `\${secret:${origin}:${from}}`);
    props[name] = { ...secret, plaintext: text };
  }
  props["__secretReferences"] = Object.keys(references);
}

describe.each(["dynamic", "plugin"])("a state of an earlier release, by the engine %s,", (engine) => {
  it("is rewritten without a difference and without a request that writes", async () => {
    const setup = await setUp(file(engine));
    writeFileSync(join(setup.folder, "key.txt"), "planted-secret-file");
    const secrets = {
      WORKSPACE_VAR_TEAM: "planted-secret-team",
      WORKSPACE_VAR_VALUE: "planted-secret-value",
    };
    const run = async (...argv: string[]) => {
      const ended = await workspacectl(argv, setup.folder, { ...setup.env, ...secrets });
      expect({ code: ended.code, output: ended.code === 0 ? "" : ended.stdout + ended.stderr }).toEqual({
        code: 0,
        output: "",
      });
      return ended.stdout + ended.stderr;
    };
    const exported = async () =>
      JSON.parse(await run("pulumi", "--", "stack", "export", "--show-secrets", "--stack", "dev")) as State;
    const referring = (state: State) =>
      state.deployment.resources.flatMap(({ inputs, outputs }) => [inputs, outputs]);
    await run("pulumi", "--", "stack", "init", "dev");
    await run("up", "--yes");

    const state = await exported();
    const written = JSON.stringify(state);
    referring(state).forEach(earlier);
    expect(JSON.stringify(state)).toContain("Bearer ${secret:file:key.txt}");
    expect(JSON.stringify(state)).toContain('"__secretReferences":["headers"]');
    const path = join(setup.folder, "earlier.json");
    writeFileSync(path, JSON.stringify(state));
    await run("pulumi", "--", "stack", "import", "--stack", "dev", "--file", path);

    setup.emulator.journal.clear();
    const previewed = await run("preview");
    expect(previewed).toContain("No changes");
    expect(previewed).not.toContain("cannot be compared");
    expect(await run("drift")).toContain("No drift: ");
    await run("up", "--yes");
    await run("refresh");
    expect(setup.emulator.journal.writes()).toEqual([]);

    const now = await exported();
    expect(JSON.stringify(now)).not.toMatch(/\$\{secret:|planted-secret-/);
    const references = (one: State) => referring(one).map((props) => props?.["__secretReferences"]);
    expect(references(now)).toEqual(references(JSON.parse(written) as State));
    expect(await run("preview")).toContain("No changes");
  });
});
