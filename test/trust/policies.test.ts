/** Tests which file may be a policy: one that the checkout of the workspace file cannot change. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isOfCheckout, refusePolicyOfCheckout } from "../../trust/policies.js";

const base = realpathSync(mkdtempSync(join(tmpdir(), "policies-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function file(path: string, text = ""): string {
  const whole = join(base, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

const outside = file("outside/policy.yaml");
file("checkout/.git/HEAD");
const inside = file("checkout/policies/policy.yaml");
const folder = dirname(file("checkout/teams/web/workspace.yaml"));

describe("a policy", () => {
  it("outside of the checkout is accepted, and one inside is not, wherever the workspace file lies", () => {
    expect(isOfCheckout(outside, folder)).toBe(false);
    expect(isOfCheckout(inside, folder)).toBe(true);
    expect(() => refusePolicyOfCheckout(outside, folder)).not.toThrow();
    expect(() => refusePolicyOfCheckout(inside, folder)).toThrow(/name a file outside, such as a clone/);
  });

  it("is of the checkout if a link of the checkout decides what it is", () => {
    const link = join(base, "checkout/link.yaml");
    symlinkSync(outside, link);
    expect(isOfCheckout(link, folder)).toBe(true);
    const linked = join(base, "checkout/folder");
    symlinkSync(dirname(outside), linked);
    expect(isOfCheckout(join(linked, "policy.yaml"), folder)).toBe(true);
    const twice = join(base, "outside/twice.yaml");
    symlinkSync(link, twice);
    expect(isOfCheckout(twice, folder)).toBe(true);
    const back = join(base, "outside/back.yaml");
    symlinkSync(inside, back);
    expect(isOfCheckout(back, folder)).toBe(true);
  });

  it("in a loop of links ends", () => {
    const loop = join(base, "outside/loop.yaml");
    symlinkSync(loop, loop);
    expect(isOfCheckout(loop, folder)).toBe(false);
  });

  it("in a clone of its own inside the checkout is accepted, and in a submodule it is not", () => {
    file("checkout/trusted/.git/HEAD");
    expect(isOfCheckout(file("checkout/trusted/policy.yaml"), folder)).toBe(false);
    file("checkout/module/.git", "gitdir: ../.git/modules/module\n");
    expect(isOfCheckout(file("checkout/module/policy.yaml"), folder)).toBe(true);
  });

  it("beside a submodule with the workspace file is of the same checkout", () => {
    const module = dirname(file("checkout/workspaces/.git", "gitdir: ../.git/modules/workspaces\n"));
    expect(isOfCheckout(inside, module)).toBe(true);
  });

  it("around a clone with the workspace file is accepted", () => {
    file("checkout/pull-request/.git/HEAD");
    expect(isOfCheckout(inside, join(base, "checkout/pull-request"))).toBe(false);
  });

  it("beside a workspace file without version control counts as of the same checkout", () => {
    expect(isOfCheckout(file("plain/policy.yaml"), dirname(file("plain/workspace.yaml")))).toBe(true);
  });
});
