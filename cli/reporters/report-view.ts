/**
 * A report in the words of its command, for all forms that people and other tools read. Two sides are shown beside each other:
 * what they are called, which classes of findings there are and what each says comes from the command.
 */
import type { place } from "./published.js";
import type { z } from "zod";

export type ReportPlace = z.infer<typeof place>;

/** How a class of findings looks: what is gone, another, new, to come, or not known. */
export type Tone = "gone" | "other" | "new" | "later" | "unknown";

export interface ClassView {
  readonly name: string;
  readonly description: string;
  readonly tone: Tone;
  /** Shown in columns, one for each side, where there is room. */
  readonly columns: boolean;
  /** Long lists of it are folded away. */
  readonly folded: boolean;
}

/** What a side says. */
export interface Cell {
  /** What the side is called. */
  readonly title: string;
  readonly value: unknown;
  /** The side does not know it. */
  readonly unknown?: boolean;
  /** Web address of the object on this side. */
  readonly link?: string | undefined;
  readonly tone?: "before" | "after";
}

export interface FindingView {
  readonly id: string;
  readonly class: string;
  readonly type: string;
  readonly name: string;
  /** The property; empty when the whole object is concerned. */
  readonly path: string;
  /** Values are fingerprints. */
  readonly secret: boolean;
  /** Names of objects whose numbers are values. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** What it says, in one sentence; the object is named elsewhere. */
  readonly sentence: (longest?: number) => string;
  /** Said in place of the two values. */
  readonly remark?: string;
  /** The two values. */
  readonly columns: readonly [Cell, Cell];
  /** All that there is to show, where there is room. */
  readonly sides: readonly Cell[];
  readonly note?: string | undefined;
  /** What `up` will do about it, such as "create". */
  readonly will?: string | undefined;
  readonly link?: string | undefined;
  readonly place?: ReportPlace | undefined;
}

/** A text; in parts, where some are names. */
export type Words = readonly (string | { readonly is: string; readonly strong?: boolean })[];

export interface ReportView {
  /** The command, in rules and ids: `drift`. */
  readonly kind: string;
  /** `Drift of acme` */
  readonly title: string;
  /** What is told apart by tools that keep several reports: `drift/acme/us/`. */
  readonly id: string;
  /** `drift of acme, stack us` */
  readonly subject: string;
  /** `workspace acme, stack us` */
  readonly scene: string;
  /** What was looked at, in one line. */
  readonly about: Words;
  /** The same as names and values. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The file that findings without a place of their own belong to. */
  readonly file?: string | undefined;
  readonly compareVerdict: string;
  /** Is all well, was something found, or is it only that not all could be read? */
  readonly result: "clean" | "found" | "incomplete";
  /** `3 objects as declared` */
  readonly same: string;
  /** The same, as short as can be. */
  readonly unchanged: number;
  /** What is said when there is no finding. */
  readonly nothing: string;
  readonly classes: readonly ClassView[];
  readonly counts: Readonly<Record<string, number>>;
  readonly failOn: readonly string[];
  readonly findings: readonly FindingView[];
  readonly ignored: readonly {
    readonly finding: FindingView;
    readonly reason: string;
    readonly expires?: string | undefined;
  }[];
  /** What could not be read, and why. */
  readonly incomplete: readonly { readonly what: string; readonly type: string; readonly reason: string }[];
  /** Further words for people. */
  readonly remarks?: readonly string[];
  readonly warnings: readonly { readonly message: string; readonly place?: ReportPlace | undefined }[];
  readonly complete: boolean;
  readonly exitCode: number;
  readonly generatedAt: string;
  readonly seconds: number;
  readonly fingerprint: string;
  readonly changedSinceLast?: boolean | undefined;
  readonly tool: { readonly version: string };
}
