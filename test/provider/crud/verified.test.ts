/** Tests when the response to a write shows something other than was requested, and what the refusal says. */
import { describe, expect, it } from "vitest";
import { verifyResponse } from "../../../provider/crud/verify.js";
import { type Fields, getDefinition } from "../../../provider/index.js";
import type { Context } from "../../../resources/definition/context.js";

interface Write {
  readonly type: string;
  readonly state: Fields;
  /** The state after the response. */
  readonly outs?: Fields;
  readonly sent?: readonly string[];
  readonly response?: Fields;
  /** The state before an update. */
  readonly olds?: Fields;
}

function refusalOf({ type, state, outs = state, sent = Object.keys(state), response = {}, olds }: Write) {
  const target = { definition: getDefinition(type), context: {} as Context, state };
  const { result, refusal } = verifyResponse(target, sent, response, { id: "acme/1", outs }, olds);
  return { outs: result.outs, message: refusal?.message };
}

describe("a write", () => {
  const state = { name: "QA", description: "Testers" };
  const outs = { ...state, description: "Others" };

  it("is confirmed by a response that shows what was sent", () => {
    expect(refusalOf({ type: "Group", state })).toEqual({ outs: state, message: undefined });
    expect(refusalOf({ type: "Group", state, outs, sent: ["name"] })).toEqual({ outs, message: undefined });
  });

  it("is refused with what was requested and what the service shows", () => {
    expect(refusalOf({ type: "Group", state, outs })).toEqual({
      outs,
      message:
        'group "QA": the service accepted the request, but its response shows another value for "description" ' +
        '(requested "Testers", got "Others"). Look at it in the service, and declare the value that it shows there, or correct it there. The next run sends the declared value again',
    });
  });

  it("names an object without a name by its type only", () => {
    const order = { pipeline: 7, actions: [1, 2] };
    const { message } = refusalOf({ type: "ActionOrder", state: order, outs: { ...order, actions: [2, 1] } });
    expect(message).toMatch(/^action order: .* for "actions"\. /);
  });

  it("names an object whose name the service changed by the declared one", () => {
    const { message } = refusalOf({ type: "Group", state, outs: { ...state, name: "Q" } });
    expect(message).toMatch(/^group "QA": .* for "name" \(requested "QA", got "Q"\)/);
    const unnamed = { email: undefined, admin: true };
    const member = {
      type: "WorkspaceMember",
      state: unnamed,
      outs: { email: "ann@example.com", admin: false },
    };
    expect(refusalOf({ ...member, sent: ["admin"] }).message).toMatch(/^member "ann@example.com": /);
  });

  it("says what became of a default, and that nothing is set", () => {
    const variable = { type: "Variable", state: { key: "A", value: "1" }, sent: ["settable"] };
    expect(refusalOf({ ...variable, outs: { ...variable.state, settable: true } }).message).toContain(
      '"settable" (requested its default, got true)',
    );
    expect(refusalOf({ type: "Group", state, outs: { name: "QA" } }).message).toContain(
      '"description" (requested "Testers", got null)',
    );
  });

  it("shows short values only", () => {
    const { description: _, ...bare } = state;
    const about = (length: number) =>
      refusalOf({ type: "Group", state: { ...bare, description: "x".repeat(length) }, outs }).message;
    expect(about(58)).toContain('"xxx');
    expect(about(59)).toMatch(/for "description"\. /);
    const long = { ...outs, description: "x".repeat(59) };
    expect(refusalOf({ type: "Group", state, outs: long }).message).toMatch(/for "description"\. /);
  });

  it("shows no secret, whether it is one or the service has made it one", () => {
    const variable = { key: "A", value: "hunter2" };
    for (const [before, after] of [
      [{ encrypted: true }, {}],
      [{}, { encrypted: true }],
    ]) {
      const { message } = refusalOf({
        type: "Variable",
        state: { ...variable, ...before },
        outs: { key: "A", value: "hunter3", ...after },
        sent: ["value"],
      });
      expect(message).toMatch(/another value for "value"\. /);
    }
  });
});

describe("a mode that the service chose", () => {
  const push = { name: "Push", type: "PUSH", pipeline: 7 };

  it("is refused, although no request contains one", () => {
    const { message } = refusalOf({
      type: "Action",
      state: push,
      outs: { ...push, gitAuthMode: "ENV_KEY" },
      sent: ["name"],
    });
    expect(message).toContain('"gitAuthMode" (requested its default, got "ENV_KEY")');
    const keyed = { ...push, gitAuthMode: "ENV_KEY" };
    expect(refusalOf({ type: "Action", state: keyed, sent: ["name"] }).message).toBeUndefined();
    // Somebody else changed a declared one. The next run shows that.
    const other = { ...keyed, gitAuthMode: "PRIVATE_KEY" };
    expect(refusalOf({ type: "Action", state: keyed, outs: other, sent: ["name"] }).message).toBeUndefined();
  });
});

describe("a value that only a response can confirm", () => {
  const member = { project: "web", member: 1, memberId: 1, permissionSet: "Developer", permissionSetId: 5 };
  const write = { type: "ProjectMember", state: member, sent: ["member", "permissionSet"] };

  it("is unset after a creation whose response does not have it, so that the next run sets it", () => {
    for (const response of [{ id: 1 }, { id: 1, permission_set: null }]) {
      const { outs, message } = refusalOf({ ...write, response });
      expect(outs).toEqual({ project: "web", member: 1, memberId: 1 });
      expect(message).toMatch(/for "permissionSet" \(requested "Developer", got null\)\. /);
      expect(message).not.toContain("Declare what the service allows");
    }
  });

  it("needs no confirmation when it is there, was not sent, or the object existed before", () => {
    const here = { id: 1, permission_set: { id: 5 } };
    expect(refusalOf({ ...write, response: here }).message).toBeUndefined();
    expect(refusalOf({ ...write, sent: ["member"], response: { id: 1 } }).message).toBeUndefined();
    expect(refusalOf({ ...write, response: { id: 1 }, olds: member }).message).toBeUndefined();
  });
});

describe("a value of which only changed parts are sent", () => {
  const scan = (fields?: Fields) => ({ name: "Scan", type: "SCAN", pipeline: 7, fields });
  const write = { type: "Action", sent: ["fields"], olds: scan({ target: "src", depth: 1 }) };

  it("may be changed in other parts by others meanwhile", () => {
    const state = scan({ target: "lib", depth: 1 });
    const outs = scan({ target: "lib", depth: 9 });
    expect(refusalOf({ ...write, state, outs }).message).toBeUndefined();
    expect(refusalOf({ ...write, state, outs: scan({ target: "src", depth: 1 }) }).message).toContain(
      "fields",
    );
  });

  it("is no list, which is sent and compared as a whole", () => {
    const build = (...executeCommands: string[]) => ({
      name: "B",
      type: "BUILD",
      pipeline: 7,
      executeCommands,
    });
    const [olds, state, outs] = [build("a", "b"), build("a", "c"), build("x", "c")];
    expect(refusalOf({ type: "Action", sent: ["executeCommands"], olds, state, outs }).message).toContain(
      "executeCommands",
    );
  });

  it("is compared as a whole when it is new", () => {
    const [state, outs] = [scan({ target: "lib" }), scan({ target: "lib", depth: 9 })];
    expect(refusalOf({ ...write, state, outs, olds: scan() }).message).toContain("fields");
    expect(refusalOf({ ...write, state, outs: scan(), olds: scan() }).message).toContain("fields");
  });

  it("may be removed in part or as a whole", () => {
    expect(refusalOf({ ...write, state: scan({ target: "src" }) }).message).toBeUndefined();
    expect(refusalOf({ ...write, state: scan() }).message).toBeUndefined();
    const kept = scan({ target: "src", depth: 1 });
    expect(refusalOf({ ...write, state: scan({ target: "src" }), outs: kept }).message).toContain("fields");
    expect(refusalOf({ ...write, state: scan(), outs: kept }).message).toContain("fields");
  });
});
