/** Types of draft-07.mjs. */
export declare function draft07Of(text: string): string;
export declare const inDraft07: readonly (readonly [from: string, to: string])[];
