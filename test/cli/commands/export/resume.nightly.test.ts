/** Tests that an export that the rate limit or the user interrupted resumes where it stopped. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, vi } from "vitest";
import { Clock, type Emulator, type EmulatorOptions, type Seed } from "../../../../emulator/index.js";
import { emulated } from "../../service-support.js";
import { temporaryFolder } from "../../support.js";

const HOUR = 3_600_000;
const LIMIT = 400;

const seed: Seed = {
  users: [{ email: "owner@example.com" }],
  workspaces: [
    {
      domain: "acme",
      variables: [{ key: "REGION", value: "us-east" }],
      projects: ["api", "web"].map((name) => ({
        name,
        pipelines: Array.from({ length: 25 }, (_, number) => ({
          name: `pipeline-${number}`,
          trigger_mode: "MANUAL",
          ref_name: "main",
          ref_type: "BRANCH",
          actions: [
            { name: "Ping", type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "example.com" },
          ],
        })),
      })),
    },
  ],
};

/** A user whose commands are separate processes, since a process remembers the remaining requests. */
class User {
  readonly folder = temporaryFolder();
  readonly answers = join(this.folder, "answers");

  constructor(
    readonly emulator: Emulator,
    private readonly clock: Clock,
  ) {}

  static async begins(settings: EmulatorOptions = {}): Promise<User> {
    const clock = new Clock();
    return new User(await emulated({ seed, rateLimit: LIMIT, clock, ...settings }), clock);
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  async exports(file: string, ...options: string[]) {
    const { exitCode, stderr } = await this.starts(file, ...options);
    const paths = this.emulator.journal.requests.map(({ path, query }) => `${path}?${query}`);
    return { code: exitCode, stderr, paths };
  }

  starts(file: string, ...options: string[]) {
    const { baseUrl, token } = this.emulator;
    this.emulator.journal.clear();
    const argv = ["--import", "tsx", "cli/bin.ts", "export", "-o", this.file(file), ...options];
    return execa(process.execPath, argv, {
      reject: false,
      env: {
        WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
        WORKSPACE_AUTOMATION_TOKEN: token,
        WORKSPACE_AUTOMATION_DOMAIN: "acme",
        WORKSPACE_AUTOMATION_ANSWERS: this.answers,
      },
    });
  }

  /** Uses up requests until only the given number remains. */
  async hasLeft(requests: number): Promise<void> {
    const { baseUrl, token } = this.emulator;
    const headers = { authorization: `Bearer ${token}` };
    for (;;) {
      const answer = await fetch(`${baseUrl}/user`, { headers });
      if (Number(answer.headers.get("x-rate-limit-remaining")) <= requests) return;
    }
  }

  async nextHour(): Promise<void> {
    await this.clock.advance(HOUR + 1000);
  }
}

describe("an interrupted export", () => {
  it("resumes after the rate limit with its stored responses, and has the same result", async () => {
    const user = await User.begins();
    await user.hasLeft(60);
    const first = await user.exports("one.yaml");
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(/rate limit is reached until \S+ Run it again after \S+, or add --wait\./);
    expect(first.stderr).toMatch(
      /What was read is stored for 24 hours \(\d+ responses\): the same export resumes there/,
    );
    expect(readdirSync(user.folder)).not.toContain("one.yaml");
    const [journal = ""] = readdirSync(user.answers);
    const [kept = ""] = readdirSync(join(user.answers, journal));
    expect(statSync(join(user.answers, journal)).mode & 0o777).toBe(0o700);
    expect(statSync(join(user.answers, journal, kept)).mode & 0o777).toBe(0o600);

    await user.nextHour();
    const second = await user.exports("one.yaml");
    expect(second.code).toBe(0);
    expect(second.stderr).toMatch(/Resumed an interrupted export .*: at least \d+ requests saved/);
    expect(second.paths.filter((path) => first.paths.includes(path) && !path.startsWith("/user"))).toEqual(
      [],
    );

    await user.nextHour();
    const whole = await user.exports("other.yaml");
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.stderr).not.toContain("Resumed");
    expect(whole.paths.length).toBe(first.paths.length + second.paths.length - 1);
    expect(readFileSync(user.file("one.yaml"))).toEqual(readFileSync(user.file("other.yaml")));
    expect(readdirSync(user.answers)).toEqual([]);
  });

  it("resumes after Ctrl-C or a kill, and starts again with --fresh", async () => {
    const user = await User.begins({ latencyMs: 40, rateLimit: 5000 });
    const interrupted = user.starts("one.yaml");
    await vi.waitUntil(() => user.emulator.journal.requests.length > 40, { timeout: 20_000 });
    interrupted.kill("SIGINT");
    const { exitCode, stderr } = await interrupted;
    expect(exitCode).toBe(130);
    expect(stderr).toContain("The export was interrupted; nothing was written.");
    expect(stderr).toContain("the same export resumes there");

    const killed = user.starts("one.yaml");
    await vi.waitUntil(() => user.emulator.journal.requests.length > 20, { timeout: 20_000 });
    killed.kill("SIGKILL");
    await killed;

    const rest = await user.exports("one.yaml");
    expect(rest.code).toBe(0);
    expect(rest.stderr).toContain("Resumed an interrupted export");
    const whole = await user.exports("other.yaml", "--fresh");
    expect(rest.paths.length).toBeLessThan(whole.paths.length - 40);
    expect(readFileSync(user.file("one.yaml"))).toEqual(readFileSync(user.file("other.yaml")));
  });
});
