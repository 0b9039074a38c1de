/** Types of third-party.mjs. */
interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}
export declare const bundleFiles: readonly string[];
export declare function writeThirdParty(
  folder: string,
  metafile: Metafile,
  of: { readonly name: string; readonly version: string },
): void;
export declare function requireThirdParty(folder: string): void;
