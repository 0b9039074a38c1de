/** Tests `oauth-client`. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Emulator } from "../../../emulator/index.js";
import { decideAt, emulated, freePort, type Person, personAt } from "../service-support.js";

let emulator: Emulator;
let ann: Person;
beforeEach(async () => {
  emulator = await emulated();
  ann = personAt(emulator);
});

const field = (stdout: string, name: string) => new RegExp(`^${name} +(\\S+)$`, "m").exec(stdout)?.[1] ?? "";
const register = ["oauth-client", "register", "--name", "CI"];

describe("oauth-client", () => {
  it("is registered, shown, changed and deleted, with its secrets shown once", async () => {
    const made = await ann.types([...register, "--grant", "client_credentials", "--description", "Builds"]);
    expect(made.code).toBe(0);
    expect(made.stderr).toContain("not shown again");
    const id = field(made.stdout, "client id");
    const [secret, token] = [
      field(made.stdout, "client secret"),
      field(made.stdout, "registration access token"),
    ];
    expect(secret).not.toBe("");

    const withToken = (...argv: string[]) =>
      ann.types(["oauth-client", ...argv, "--registration-token", "-"], { input: token });
    const shown = await withToken("show", id);
    expect(shown.stdout).toMatch(/^description +Builds$/m);
    expect(shown.stdout).not.toContain(secret);
    const changed = await withToken("update", id, "--name", "Nightly", "--token-expires-in", "600", "--json");
    expect(JSON.parse(changed.stdout)).toMatchObject({ client_name: "Nightly", token_expires_in: 600 });
    expect((await withToken("delete", id)).stdout).toBe(`OAuth client ${id} is deleted.\n`);
    const gone = await withToken("show", id);
    expect(gone.code).toBe(1);
    expect(gone.stderr).toMatch(/GET \/oauth2\/register\/\S+ 40[14]/);
  });

  it("is stored in the credentials file on request, which later commands and a login use", async () => {
    const port = await freePort();
    const redirect = `http://127.0.0.1:${port}/callback`;
    const made = await ann.types([...register, "--redirect-uri", redirect, "--save", "--debug"]);
    const [[id = "", kept] = []] = Object.entries(ann.kept().oauthClients);
    expect(kept).toMatchObject({ baseUrl: emulator.baseUrl, clientName: "CI", redirectUris: [redirect] });
    for (const secret of [kept?.["clientSecret"], kept?.["registrationAccessToken"]]) {
      expect(secret).toBeTypeOf("string");
      expect(made.stdout + made.stderr).not.toContain(secret);
    }
    expect(ann.modes().file).toBe("600");
    expect((await ann.types(["oauth-client", "update", id, "--name", "Tool"])).code).toBe(0);
    expect(ann.kept().oauthClients[id]).toMatchObject({ clientName: "Tool" });

    delete ann.env["WORKSPACE_AUTOMATION_TOKEN"];
    const browse = async (url: string) => void fetch(await decideAt(url, "approve"));
    const login = ["login", "--client-id", id, "--authorize-url", emulator.authorizeUrl];
    const { code, stdout } = await ann.types(login, { browse });
    expect(stdout).toContain("as Olga Owner");
    expect(code).toBe(0);
    expect((await ann.types(["oauth-client", "delete", id])).code).toBe(0);
    expect(ann.kept().oauthClients).toEqual({});
  });

  it("is not registered again if the response is lost, and tells the user what to check", async () => {
    emulator.faults.add({ kind: "reset-after", method: "POST", path: "/oauth2/register" });
    const { code, stderr } = await ann.types(register);
    expect(code).toBe(1);
    expect(stderr).toContain("Check the OAuth applications in the web application");
    const sent = emulator.journal.requests.filter(({ path }) => path === "/oauth2/register");
    expect(sent).toHaveLength(1);
  });

  it("requires the registration access token if none is stored", async () => {
    const { code, stderr } = await ann.types(["oauth-client", "show", "abc"]);
    expect(code).toBe(1);
    expect(stderr).toContain("the registration access token of the OAuth client abc is needed");
    expect((await ann.types(["oauth-client", "update", "abc"])).stderr).toContain(
      "no option says what to change",
    );
  });

  it("rejects an unknown grant", async () => {
    const { code, stderr } = await ann.types([...register, "--grant", "password"]);
    expect(code).toBe(1);
    expect(stderr).toContain("It must be one of authorization_code, refresh_token, client_credentials.");
  });
});

describe("--debug", () => {
  it("prints one line per request without secrets, at any position", async () => {
    for (const argv of [
      ["--debug", "whoami"],
      ["whoami", "--debug"],
    ]) {
      const { stderr } = await ann.types(argv);
      expect(stderr).toMatch(/^debug: GET \/user 200 \d+ms attempt=1 remaining=\d+$/m);
      expect(stderr).not.toContain(emulator.token);
    }
    expect((await ann.types(["whoami"])).stderr).toBe("");
    ann.env["WORKSPACE_AUTOMATION_DEBUG"] = "1";
    expect((await ann.types(["whoami"])).stderr).toContain("debug: GET /user");
  });
});
