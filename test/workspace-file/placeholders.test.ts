/** Tests placeholders in workspace files. */
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Interpolated } from "../../workspace-file/index.js";
import { type LoadOptions, renderComposed } from "../../workspace-file/load/load.js";
import { argsOf, Files, namesOf } from "./document-files.js";

let files: Files;
beforeEach(() => {
  files = new Files();
});

describe("placeholders", () => {
  const variable = (text: string) =>
    files.write({ "workspace.yaml": `variables:\n  A: ${JSON.stringify(text)}\n` });
  const value = (text: string, options: LoadOptions = {}) => {
    variable(text);
    return argsOf(files.read("workspace.yaml", options), "variables/A")["value"];
  };

  it("insert an environment variable or a default", () => {
    expect(value("${env:NAME}", { env: { WORKSPACE_VAR_NAME: "x" } })).toBe("x");
    expect(value("${env:NAME:-y}", { env: { WORKSPACE_VAR_NAME: "" } })).toBe("y");
    expect(value("a ${env:NAME:-} b")).toBe("a  b");
    variable("${env:NAME}");
    expect(files.wrong()).toEqual([
      expect.stringContaining("workspace.yaml:3: WORKSPACE_VAR_NAME is not set"),
    ]);
    expect(files.wrong("workspace.yaml", { env: { WORKSPACE_VAR_NAME: "" } })[0]).toContain(
      "WORKSPACE_VAR_NAME is empty",
    );
  });

  it("do not conflict with those of a shell, and a $ before one makes it literal", () => {
    for (const text of [
      "${HOME}",
      "${TAG:-latest}",
      "${tag:-latest}",
      "${v:0:3}",
      "${v:?no}",
      "${#list}",
      "${a%%.*}",
    ])
      expect(value(text)).toBe(text);
    expect(value("$${env:NAME} and $${x}")).toBe("${env:NAME} and $${x}");
    expect(value("$$${env:NAME} and $$${x")).toBe("$${env:NAME} and $$${x");
  });

  it.each(["env:-x", "env:=x", "file:-x", "config:+x", "ref:-main", "env:?not set", "ref:0:7"])(
    "cannot have the form of a shell: %s",
    (inner) => {
      variable(`\${${inner}}`);
      const [problem] = files.wrong("workspace.yaml", { mock: true });
      expect(problem).toContain(`write $\${${inner}}`);
    },
  );

  it("that were escaped so are the shell's", () => {
    expect(value("$${env:-x}")).toBe("${env:-x}");
  });

  it("that are misspelled are reported with the closest kind", () => {
    variable("${evn:HOME}");
    expect(files.wrong()[0]).toContain('"${evn:HOME}" is not a placeholder. Did you mean "env"?');
    variable("${param:x}");
    expect(files.wrong()[0]).toContain(
      "${param:...} can be used only in a template (below templates): write the value itself here",
    );
  });

  it("become numbers or booleans where the argument requires these", () => {
    files.write({
      "workspace.yaml": 'members: { a@example.com: { admin: "${env:ADMIN}" } }\n',
    });
    expect(
      argsOf(files.read("workspace.yaml", { env: { WORKSPACE_VAR_ADMIN: "true" } }), "members/a@example.com")[
        "admin"
      ],
    ).toBe(true);
    expect(files.wrong("workspace.yaml", { env: { WORKSPACE_VAR_ADMIN: "yes" } })[0]).toContain(
      "must be true or false",
    );
  });

  it("insert the stack's configuration, and its secrets remain secret", () => {
    variable("${config:token}");
    const declared = files.read("workspace.yaml", { config: () => ({ value: "s3cret", secret: true }) });
    expect(declared.declarations[0]?.secrets).toEqual(["value"]);
    expect(renderComposed(declared)).toMatchObject({ variables: { A: "${config:token}" } });
    expect(files.wrong()[0]).toContain(
      'configuration token is not set: set it with "workspacectl config set token VALUE"',
    );
  });

  it("insert outputs of other objects, which are declared first", () => {
    files.write({
      "workspace.yaml":
        'variables: { URL: "git ${ref:project/web.httpRepository}" }\nprojects: { web: {} }\n',
    });
    const declared = files.read();
    expect(namesOf(declared)).toEqual(["projects/web", "variables/URL"]);
    expect(argsOf(declared, "variables/URL")["value"]).toEqual(
      new Interpolated(["git ", expect.objectContaining({ name: "projects/web", output: "httpRepository" })]),
    );
  });

  it("with unknown or circular references are refused", () => {
    files.write({
      "workspace.yaml": `variables:
  A: "\${ref:projects/wbe.httpRepository}"
  B: "\${ref:projects/web.httpRepo}"
  C: "\${ref:variables/D.variableId}"
  D: "\${ref:variables/C.variableId}"
projects: { web: {} }
`,
    });
    expect(files.wrong()).toEqual([
      expect.stringContaining(
        'workspace.yaml:3: ${ref:projects/wbe.httpRepository}: nothing of that name is declared. Did you mean "projects/web"?',
      ),
      expect.stringContaining(
        'workspace.yaml:4: ${ref:projects/web.httpRepo}: the project projects/web has no output "httpRepo". Did you mean "httpRepository"?',
      ),
      expect.stringContaining(
        "workspace.yaml:5: these objects refer to one another in a circle: variables/C -> variables/D -> variables/C",
      ),
    ]);
  });

  it("have mock values when only the format is checked", () => {
    files.write({
      "workspace.yaml":
        'members: { a@example.com: { admin: "${env:ADMIN}" } }\nvariables: { A: { value: "${config:x}", encrypted: true } }\n',
    });
    expect(files.wrong("workspace.yaml", { mock: true })).toEqual([]);
    expect(files.wrong("workspace.yaml", { mock: "config" })[0]).toContain("WORKSPACE_VAR_ADMIN is not set");
  });
});

describe("secret placeholders", () => {
  const pipeline = (destination: string) => `projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: ${JSON.stringify(destination)} }
`;
  const NAME = "projects/web/pipelines/deploy/actions/Ping";
  const read = (text: string, options: LoadOptions = {}) => {
    files.write({ "workspace.yaml": pipeline(text), "host.txt": "from-file" });
    return files.read("workspace.yaml", options);
  };

  it.each([
    ["${secret:env:HOST}", "from-env"],
    ["a.${secret:env:HOST}.b", "a.from-env.b"],
    ["${secret:env:NONE:-other}", "other"],
    ["${secret:file:host.txt}", "from-file"],
    ["${secret:config:host}", "from-config"],
  ])("%s is filled in, makes the argument secret and is rendered unchanged", (text, value) => {
    const config = () => ({ value: "from-config", secret: false });
    const declared = read(text, { env: { WORKSPACE_VAR_HOST: "from-env" }, config });
    expect(argsOf(declared, NAME)["destination"]).toBe(value);
    expect(declared.declarations.find(({ name }) => name === NAME)?.secrets).toEqual(["destination"]);
    expect(JSON.stringify(renderComposed(declared))).toContain(JSON.stringify(text));
    expect(JSON.stringify(renderComposed(declared))).not.toContain("from-");
  });

  it("are reported with the expected format when they are invalid", () => {
    files.write({ "workspace.yaml": pipeline("${secret:HOST}") });
    expect(files.wrong()[0]).toContain(
      "this placeholder needs the source of the secret: write ${secret:env:NAME}",
    );
    files.write({ "workspace.yaml": pipeline("${secret:env:HOST}") });
    expect(files.wrong("workspace.yaml", { env: {} })[0]).toContain("HOST is not set");
  });
});

describe("a placeholder never inserts", () => {
  const PLANTED = "value-of-the-caller";
  const codes = (text: string, more: Record<string, string> = {}, options: LoadOptions = {}) => {
    files.write({ "workspace.yaml": `variables:\n  A: ${JSON.stringify(text)}\n`, ...more });
    return files.wrong("workspace.yaml", { env: {}, ...options });
  };

  describe("a variable that the caller has not allowed", () => {
    const where: Readonly<Record<string, (placeholder: string) => Record<string, string>>> = {
      "a text": (text) => ({ "workspace.yaml": `variables: { A: "${text}" }\n` }),
      "the middle of a text": (text) => ({ "workspace.yaml": `variables: { A: "a ${text} b" }\n` }),
      "a name": (text) => ({ "workspace.yaml": `projects: { a: { name: "${text}" } }\n` }),
      "a block of text": (text) => ({ "workspace.yaml": `variables:\n  A: |\n    x\n    ${text}\n` }),
      "an alias": (text) => ({ "workspace.yaml": `x-a: &a "${text}"\nvariables: { A: *a }\n` }),
      "defaults of a section": (text) => ({
        "workspace.yaml": `defaults: { Group: { description: "${text}" } }\ngroups: { QA: {} }\n`,
      }),
      "the body of a template": (text) => ({
        "workspace.yaml": `templates: { t: { type: Group, entry: { description: "${text}" } } }\ngroups: { QA: { template: t } }\n`,
      }),
      "the parameter of a template": (text) => ({
        "workspace.yaml": `templates: { t: { type: Group, parameters: { d: {} }, entry: { description: "\${param:d}" } } }\ngroups: { QA: { template: t, with: { d: "${text}" } } }\n`,
      }),
      "the default of a parameter": (text) => ({
        "workspace.yaml": `templates: { t: { type: Group, parameters: { d: { default: "${text}" } }, entry: { description: "\${param:d}" } } }\ngroups: { QA: { template: t } }\n`,
      }),
      "an overlay": (text) => ({
        "workspace.yaml": "variables: { A: x }\n",
        "workspace.eu.yaml": `version: 1\nvariables: { A: "${text}" }\n`,
      }),
      "an include": (text) => ({
        "workspace.yaml": "include: [more.yaml]\n",
        "more.yaml": `version: 1\nvariables: { A: "${text}" }\n`,
      }),
    };
    const placeholders = [
      "${env:PLANTED}",
      "${secret:env:PLANTED}",
      "${env: PLANTED }",
      "${env:planted}",
      "${env:PLANTED:-other}",
      "${secret:env:PLANTED:-other}",
      "${env:NONE:-${env:PLANTED}}",
      "${env:NONE:-$}{env:PLANTED}",
      "${env:NONE:-$$}{env:PLANTED}",
      "$${env:NONE:-${env:PLANTED}}",
    ];
    const env = {
      PLANTED,
      planted: PLANTED,
      " PLANTED ": PLANTED,
      WORKSPACE_AUTOMATION_ALLOW_ENV: "PLANT,OTHER*,P?ANTED,esc:*",
    };

    it.each(Object.entries(where))("in %s", (_name, make) => {
      for (const placeholder of placeholders)
        for (const mode of [{}, { mock: true }, { secretsLater: true }] as const) {
          files.write(make(placeholder));
          const options = { ...mode, env, stack: "eu" };
          let shown: string[];
          try {
            const declared = files.read("workspace.yaml", options);
            const { declarations } = declared;
            shown = [
              JSON.stringify(declarations.map(({ args }) => args)),
              JSON.stringify(renderComposed(declared)),
            ];
          } catch (error) {
            shown = [(error as Error).message];
          }
          expect(shown.join("\n"), placeholder).not.toContain(PLANTED);
        }
    });

    it("in any place that these tests know, although it does insert one that is allowed", () => {
      for (const make of Object.values(where)) {
        files.write(make("${env:PLANTED}"));
        const options = { env: { PLANTED }, allowEnv: ["PLANTED"], stack: "eu" };
        const { declarations } = files.read("workspace.yaml", options);
        expect(JSON.stringify(declarations.map(({ args }) => args))).toContain(PLANTED);
      }
    });
  });

  it.each([
    "PULUMI_CONFIG_PASSPHRASE",
    "WORKSPACE_AUTOMATION_EU_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "CI_JOB_TOKEN",
    "pulumi_access_token",
  ])("%s, although the caller allows everything", (name) => {
    const env = { [name]: PLANTED, WORKSPACE_AUTOMATION_ALLOW_ENV: `*,${name}` };
    for (const text of [`\${env:${name}}`, `\${secret:env:${name}}`])
      expect(codes(text, {}, { env })).toEqual([
        expect.stringContaining(
          `${name} itself is never used, because it may contain a credential of the run`,
        ),
      ]);
  });

  it("anything at all into the domain or the name of the connection", () => {
    for (const key of ["workspace", "connection"])
      for (const kind of [
        "env:X",
        "env:X:-x",
        "file:x.txt",
        "config:x",
        "secret:env:X",
        "ref:groups/QA.groupId",
        "param:x",
      ]) {
        files.write({ "workspace.yaml": `${key}: "a\${${kind}}"\n`, "x.txt": PLANTED });
        const options: LoadOptions = {
          env: { WORKSPACE_VAR_X: PLANTED },
          config: () => ({ value: PLANTED, secret: false }),
        };
        expect(files.wrong("workspace.yaml", options)).toEqual([
          expect.stringContaining(`"${key}" cannot contain a placeholder`),
        ]);
      }
  });

  it("a hidden file, or a file in a hidden folder", () => {
    const more = { ".git/config": "url", "deep/.ssh/id": "key", "keys/.npmrc": "token" };
    expect(codes("${file:.git/config}", more)[0]).toContain("is in the hidden folder .git");
    expect(codes("${secret:file:deep/.ssh/id}", more)[0]).toContain("is in the hidden folder .ssh");
    expect(codes("${file:keys/.npmrc}", more)[0]).toContain(
      "the file keys/.npmrc is not read, because it is a hidden file",
    );
  });

  it("but what the caller allows: the hidden folder or file itself", () => {
    files.write({
      "workspace.yaml": 'variables:\n  A: "${file:.ci/a.txt}${file:.b}"\n',
      ".ci/a.txt": "a",
      ".b": "b",
    });
    const allowPaths = [join(files.folder, ".ci"), join(files.folder, ".b")];
    expect(argsOf(files.read("workspace.yaml", { allowPaths }), "variables/A")["value"]).toBe("ab");
    expect(files.wrong("workspace.yaml", { allowPaths: [files.folder] })).toHaveLength(2);
  });
});
