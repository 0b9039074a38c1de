/** When a run keeps a journal, and where it says that it keeps none. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import {
  noteCheckpoint,
  openStepJournal,
  type CheckpointOption,
} from "../../../../cli/engine/checkpoint/mode.js";
import { StepJournal } from "../../../../cli/engine/checkpoint/step-journal.js";
import type { OpenStack } from "../../../../cli/engine/stack/open.js";
import { temporaryFolder, testIo } from "../../support.js";

let root: string;
let stateFile: string;
let settings: string;
beforeEach(() => {
  root = temporaryFolder();
  stateFile = join(root, ".pulumi/stacks/app/dev.json");
  settings = join(root, "Pulumi.dev.yaml");
  mkdirSync(dirname(stateFile), { recursive: true });
  writeFileSync(join(root, ".pulumi/meta.yaml"), "version: 1\n");
  writeFileSync(stateFile, "{}");
  writeFileSync(settings, "encryptionsalt: v1:salt\n");
});

function opened({ backendUrl = pathToFileURL(root).href, why = "", isNew = false } = {}): OpenStack {
  const project = { root, checkout: root, name: "app", own: false, settings: {} };
  const open = {
    stack: { withoutJournal: why || undefined },
    location: { backendUrl, project: "app", stack: "dev" },
    project,
    name: "dev",
    cli: { env: {} },
    ...(isNew ? { create: () => Promise.reject(new Error("not called")) } : {}),
  };
  return open as unknown as OpenStack;
}

/** What is said beside the plan, and then when it is applied; and whether there is a journal. */
function chosen(planned: OpenStack, options: CheckpointOption = {}, open = planned) {
  const [plan, run] = [testIo(), testIo()];
  noteCheckpoint(planned, options, plan.io);
  expect(existsSync(join(root, ".pulumi/workspacectl"))).toBe(false);
  const journal = openStepJournal(open, options, run.io, planned) instanceof StepJournal;
  return { journal, plan: plan.written().stderr, run: run.written().stderr };
}

const because = (reason: string) => `Pulumi writes the whole state after every object, because ${reason}.\n`;
const PLAIN = because("the state is not an uncompressed file in a folder");

describe("the state is written", () => {
  it("once, with a journal, where it is a plain file that is encrypted with a passphrase", () => {
    expect(chosen(opened())).toEqual({ journal: true, plan: "", run: "" });
  });

  it("after every object where that is asked for, without a word", () => {
    expect(chosen(opened(), { checkpoint: "every" })).toEqual({ journal: false, plan: "", run: "" });
  });

  it("as Pulumi's service does, without a word: it keeps a journal of its own", () => {
    const backendUrl = "https://api.pulumi.com";
    expect(chosen(opened({ backendUrl }))).toEqual({ journal: false, plan: "", run: "" });
  });

  it.each([
    ["the state is not an uncompressed file in a folder", { backendUrl: "s3://states" }],
    [
      "a program may manage objects of other providers",
      { why: "a program may manage objects of other providers" },
    ],
  ])("after every object because %s, which the plan says", (reason, what) => {
    expect(chosen(opened(what))).toEqual({ journal: false, plan: because(reason), run: "" });
  });

  it.each([
    ["a compressed state", () => writeFileSync(`${stateFile}.gz`, ""), PLAIN],
    [
      "another encryption",
      () => writeFileSync(settings, "secretsprovider: awskms://key\n"),
      because("the secrets of the state are not encrypted with a passphrase"),
    ],
  ])("after every object for %s, which the plan says", (_what, prepare, said) => {
    prepare();
    expect(chosen(opened())).toEqual({ journal: false, plan: said, run: "" });
  });

  it("of a new stack as soon as it exists: its plan only says what is known before", () => {
    rmSync(stateFile);
    expect(chosen(opened({ isNew: true }), {}, opened())).toEqual({ journal: false, plan: "", run: PLAIN });
    const backendUrl = "s3://states";
    expect(chosen(opened({ isNew: true, backendUrl }), {}, opened({ backendUrl }))).toEqual({
      ...{ journal: false, plan: PLAIN },
      run: "",
    });
  });

  it("after every object where no journal can be written, which is found out when one is needed", () => {
    const planned = opened();
    const { io, written } = testIo();
    writeFileSync(join(root, ".pulumi/workspacectl"), "");
    expect(openStepJournal(planned, {}, io, planned)).toBeUndefined();
    expect(written().stderr).toContain("a journal cannot be written beside the state (");
  });
});
