/** Offers what may stand at the cursor, with the language server and the schemas that editors use. */
import { TextDocument } from "vscode-languageserver-textdocument";
import type { CompletionItem, Hover } from "vscode-languageserver-types";
import { getLanguageService } from "yaml-language-server/lib/esm/languageservice/yamlLanguageService.js";
import overlaySchema from "../../../schema/overlay.schema.json" with { type: "json" };
import workspaceSchema from "../../../schema/workspace.schema.json" with { type: "json" };

const returnNothing = () => undefined;
const service = getLanguageService({
  schemaRequestService: () => Promise.reject(new Error("the playground sends no request")),
  workspaceContext: { resolveRelativePath: (path) => path },
  telemetry: { send: returnNothing, sendError: returnNothing, sendTrack: returnNothing },
  clientCapabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
});

service.configure({
  completion: true,
  hover: true,
  validate: false,
  schemas: [
    { uri: "playground:workspace", fileMatch: ["*.yaml", "!*.*.yaml"], schema: workspaceSchema },
    { uri: "playground:overlay", fileMatch: ["*.*.yaml"], schema: overlaySchema },
  ],
});

export interface Offer extends Pick<CompletionItem, "label" | "detail" | "insertText"> {
  /** Replaced range, in characters from the beginning of the text. */
  readonly from: number;
  readonly to: number;
  /** Text, or snippet with `${1:placeholder}`. */
  readonly text: string;
  readonly info: string;
}

export async function complete(name: string, text: string, offset: number): Promise<Offer[]> {
  const document = createDocument(name, text);
  const { items } = await service.doComplete(document, document.positionAt(offset), false);
  return items.map((item) => {
    const edit = item.textEdit;
    const range = edit !== undefined && "range" in edit ? edit.range : undefined;
    return {
      label: item.label,
      ...(item.detail === undefined ? {} : { detail: item.detail }),
      from: range === undefined ? offset : document.offsetAt(range.start),
      to: range === undefined ? offset : document.offsetAt(range.end),
      text: edit?.newText ?? item.insertText ?? item.label,
      info: formatContent(item.documentation),
    };
  });
}

export async function explain(name: string, text: string, offset: number): Promise<string> {
  const document = createDocument(name, text);
  const hover = await service.doHover(document, document.positionAt(offset));
  return hover === null ? "" : formatContent(hover.contents as Exclude<Hover["contents"], unknown[]>);
}

/** Counts the texts, because the service keeps what it parsed of a version. */
let version = 0;

function createDocument(name: string, text: string): TextDocument {
  // Without the line that names a schema by its path, which does not exist here.
  return TextDocument.create(
    `file:///${name}`,
    "yaml",
    ++version,
    text.replace(/^# yaml-language-server:/, "#:                    "),
  );
}

function formatContent(content: string | { readonly value: string } | undefined): string {
  return typeof content === "string" ? content : (content?.value ?? "");
}
