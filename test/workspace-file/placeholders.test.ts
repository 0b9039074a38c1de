/** Tests placeholders in workspace files. */
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Interpolated } from "../../workspace-file/index.js";
import { rendered, type LoadOptions } from "../../workspace-file/load/index.js";
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
    expect(value("${env:NAME}", { env: { NAME: "x" } })).toBe("x");
    expect(value("${env:NAME:-y}", { env: { NAME: "" } })).toBe("y");
    expect(value("a ${env:NAME:-} b")).toBe("a  b");
    variable("${env:NAME}");
    expect(files.wrong()).toEqual([
      expect.stringContaining("workspace.yaml:3: the environment variable NAME is not set"),
    ]);
    expect(files.wrong("workspace.yaml", { env: { NAME: "" } })[0]).toContain("NAME is empty");
  });

  it("do not conflict with those of a shell, and $${ stands for ${", () => {
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
    expect(value("$${env:NAME} and $${x}")).toBe("${env:NAME} and ${x}");
    expect(value("$${env:NAME} and $${x")).toBe("${env:NAME} and ${x");
  });

  it("that are misspelled are reported with the closest kind", () => {
    variable("${evn:HOME}");
    expect(files.wrong()[0]).toContain('"${evn:HOME}" is not a placeholder. Did you mean "env"?');
    variable("${param:x}");
    expect(files.wrong()[0]).toContain("parameters are available in the body of a template only");
  });

  it("become numbers or booleans where the argument requires these", () => {
    files.write({
      "workspace.yaml": 'members: { a@example.com: { admin: "${env:ADMIN}" } }\n',
    });
    expect(
      argsOf(files.read("workspace.yaml", { env: { ADMIN: "true" } }), "members/a@example.com")["admin"],
    ).toBe(true);
    expect(files.wrong("workspace.yaml", { env: { ADMIN: "yes" } })[0]).toContain("must be true or false");
  });

  it("insert the stack's configuration, and its secrets remain secret", () => {
    variable("${config:token}");
    const declared = files.read("workspace.yaml", { config: () => ({ value: "s3cret", secret: true }) });
    expect(declared.declarations[0]?.secrets).toEqual(["value"]);
    expect(rendered(declared)).toMatchObject({ variables: { A: "${config:token}" } });
    expect(files.wrong()[0]).toContain(
      'the configuration token is not set: "workspacectl config set token VALUE"',
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
        'workspace.yaml:4: ${ref:projects/web.httpRepo}: a project has no output "httpRepo"',
      ),
      expect.stringContaining(
        "workspace.yaml:5: these refer to one another: variables/C -> variables/D -> variables/C",
      ),
    ]);
  });

  it("have mock values when only the format is checked", () => {
    files.write({
      "workspace.yaml":
        'members: { a@example.com: { admin: "${env:ADMIN}" } }\nvariables: { A: { value: "${config:x}", encrypted: true } }\n',
    });
    expect(files.wrong("workspace.yaml", { mock: true })).toEqual([]);
    expect(files.wrong("workspace.yaml", { mock: "config" })[0]).toContain(
      "the environment variable ADMIN is not set",
    );
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
    const declared = read(text, { env: { HOST: "from-env" }, config });
    expect(argsOf(declared, NAME)["destination"]).toBe(value);
    expect(declared.declarations.find(({ name }) => name === NAME)?.secrets).toEqual(["destination"]);
    expect(JSON.stringify(rendered(declared))).toContain(JSON.stringify(text));
    expect(JSON.stringify(rendered(declared))).not.toContain("from-");
  });

  it("are reported with the expected format when they are invalid", () => {
    files.write({ "workspace.yaml": pipeline("${secret:HOST}") });
    expect(files.wrong()[0]).toContain("say where the secret comes from: ${secret:env:NAME}");
    files.write({ "workspace.yaml": pipeline("${secret:env:HOST}") });
    expect(files.wrong("workspace.yaml", { env: {} })[0]).toContain("HOST is not set");
  });
});

describe("a placeholder never inserts", () => {
  const codes = (text: string, more: Record<string, string> = {}, options: LoadOptions = {}) => {
    files.write({ "workspace.yaml": `variables:\n  A: ${JSON.stringify(text)}\n`, ...more });
    return files.wrong("workspace.yaml", { env: process.env, ...options });
  };

  it.each([
    "PULUMI_CONFIG_PASSPHRASE",
    "PULUMI_CONFIG_PASSPHRASE_FILE",
    "PULUMI_ACCESS_TOKEN",
    "WORKSPACE_AUTOMATION_TOKEN",
    "WORKSPACE_AUTOMATION_EU_TOKEN",
    "WORKSPACE_AUTOMATION_CLIENT_SECRET",
    "AWS_SECRET_ACCESS_KEY",
    "AZURE_STORAGE_KEY",
    "GOOGLE_CREDENTIALS",
    "pulumi_access_token",
  ])("the credential %s, whether or not it is set or mocked", (name) => {
    for (const text of [`\${env:${name}}`, `\${secret:env:${name}}`, `x\${env:${name}:-y}`])
      for (const options of [{ env: { [name]: "x" } }, { env: {} }, { mock: true }])
        expect(codes(text, {}, options)).toEqual([
          expect.stringContaining(`${name} is a credential of the run itself`),
        ]);
  });

  it("a hidden file, or a file in a hidden folder", () => {
    const more = { ".git/config": "url", "deep/.ssh/id": "key", "keys/.npmrc": "token" };
    expect(codes("${file:.git/config}", more)[0]).toContain("is in the hidden folder .git");
    expect(codes("${secret:file:deep/.ssh/id}", more)[0]).toContain("is in the hidden folder .ssh");
    expect(codes("${file:keys/.npmrc}", more)[0]).toContain("the file keys/.npmrc is hidden");
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
