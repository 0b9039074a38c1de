/** Tests automation/connection/connection.ts. */
import { describe, expect, it } from "vitest";
import {
  chooseConnection,
  type ConnectionRequest,
  listConnectionVariables,
} from "../../../automation/connection/connection.js";
import { readHead } from "../../../automation/connection/file-facts.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();
const env = {
  WORKSPACE_AUTOMATION_CREDENTIALS: "/nowhere",
  WORKSPACE_AUTOMATION_EU_BASE_URL: "https://eu.example.com/api/",
  WORKSPACE_AUTOMATION_EU_TOKEN: "eu-token",
  WORKSPACE_AUTOMATION_DOMAIN: "acme",
};

function wish(
  more: Partial<ConnectionRequest> & { connection?: string; workspace?: string } = {},
): ConnectionRequest {
  const { connection, workspace, ...rest } = more;
  const file = {
    file: "workspace.yaml",
    connection,
    workspace,
    engine: undefined,
    guards: () => ({}),
    owns: () => undefined,
    types: new Set<string>(),
  };
  return { flag: undefined, file, config: {}, env, ...rest };
}

describe("the connection of a run", () => {
  it("is the one named by the flag, the file or the stack configuration", () => {
    const expected = {
      name: "eu",
      baseUrl: "https://eu.example.com/api",
      token: "eu-token",
      workspace: "acme",
    };
    expect(chooseConnection(wish({ flag: "eu" }))).toMatchObject(expected);
    expect(chooseConnection(wish({ connection: "eu" }))).toMatchObject(expected);
    expect(chooseConnection(wish({ config: { connection: "eu" } }))).toMatchObject(expected);
  });

  it("is rejected when two sources contradict each other", () => {
    expect(() => chooseConnection(wish({ flag: "us", connection: "eu" }))).toThrow(
      '--connection selects connection "us", but workspace.yaml (connection:) selects "eu"',
    );
    expect(() => chooseConnection(wish({ connection: "eu", config: { connection: "us" } }))).toThrow(
      'the stack\'s configuration (workspace-automation:connection) selects "us"',
    );
  });

  it("is that of the stack's configuration only for a program", () => {
    const config = { baseUrl: "https://theirs.example.com/api", token: "theirs" };
    expect(chooseConnection(wish({ flag: "eu", config, isProgram: true }))).toMatchObject(config);
    expect(() => chooseConnection(wish({ flag: "eu", config }))).toThrow(
      "names https://theirs.example.com/api, but the environment names https://eu.example.com/api: nothing was sent",
    );
  });

  it("prefers the workspace of the file over that of the environment, and requires one", () => {
    expect(chooseConnection(wish({ flag: "eu", workspace: "other" })).workspace).toBe("other");
    const { WORKSPACE_AUTOMATION_DOMAIN: _, ...rest } = env;
    expect(() => chooseConnection(wish({ flag: "eu", env: rest }))).toThrow("no workspace was specified");
  });

  it("is passed to the provider process in environment variables", () => {
    expect(listConnectionVariables(chooseConnection(wish({ flag: "eu" })))).toEqual({
      WORKSPACE_AUTOMATION_BASE_URL: "https://eu.example.com/api",
      WORKSPACE_AUTOMATION_TOKEN: "eu-token",
      WORKSPACE_AUTOMATION_DOMAIN: "acme",
      WORKSPACE_AUTOMATION_CONNECTION: "eu",
    });
  });
});

describe("the head of a file", () => {
  it("can be read even if the rest of the file is invalid", () => {
    const file = fileIn(folder, "workspace.yaml", "version: 1\nworkspace: acme\nconnection: eu\ngroups: 7\n");
    expect(readHead(file)).toMatchObject({ workspace: "acme", connection: "eu" });
  });

  it("requires an existing file", () => {
    expect(() => readHead("/nowhere.yaml")).toThrow("pass the workspace file with -f FILE");
  });
});

describe("a named connection", () => {
  const unnamed = {
    WORKSPACE_AUTOMATION_CREDENTIALS: "/nowhere",
    WORKSPACE_AUTOMATION_BASE_URL: "https://us.example.com/api",
    WORKSPACE_AUTOMATION_TOKEN: "us-token",
    WORKSPACE_AUTOMATION_DOMAIN: "acme",
  };

  it("never falls back to another account when its own variables are missing", () => {
    expect(() => chooseConnection(wish({ flag: "eu", env: unnamed }))).toThrow(
      "WORKSPACE_AUTOMATION_EU_BASE_URL",
    );
  });

  it("can use the unnamed variables when the environment says that they belong to it", () => {
    const env = { ...unnamed, WORKSPACE_AUTOMATION_CONNECTION: "us" };
    expect(chooseConnection(wish({ flag: "us", env })).token).toBe("us-token");
  });
});
