/** The text editor of the playground. */
import { autocompletion, snippet, type Completion, type CompletionSource } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import type { Problem } from "./analysis.js";
import type { Offer } from "./complete.js";

export interface EditorOptions {
  readonly changed: (text: string) => void;
  readonly complete: (text: string, offset: number) => Promise<readonly Offer[]>;
  readonly explain: (text: string, offset: number) => Promise<string>;
}

export class Editor {
  private readonly view: EditorView;
  /** States of the files that are not shown, so that each keeps its own history. */
  private readonly states = new Map<string, EditorState>();

  constructor(
    parent: HTMLElement,
    private readonly options: EditorOptions,
  ) {
    this.view = new EditorView({ parent });
  }

  /** Forgets all files. */
  clear(): void {
    this.states.clear();
  }

  show(name: string, text: string, shown?: string): void {
    if (shown !== undefined) this.states.set(shown, this.view.state);
    this.view.setState(this.states.get(name) ?? this.stateOf(name, text));
  }

  underline(problems: readonly Problem[]): void {
    const { doc } = this.view.state;
    const diagnostics = problems.map((problem) => toDiagnostic(problem, doc));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  goTo({ place }: Problem): void {
    const anchor = toOffset(this.view.state.doc, place);
    this.view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }

  private stateOf(name: string, doc: string): EditorState {
    const { changed, explain } = this.options;
    return EditorState.create({
      doc,
      extensions: [
        basicSetup,
        // Escape, then Tab leaves the editor.
        keymap.of([indentWithTab]),
        yaml(),
        syntaxHighlighting(classHighlighter),
        lintGutter(),
        autocompletion({ override: [this.offers] }),
        hoverTooltip(async ({ state }, pos) => {
          const text = await explain(state.doc.toString(), pos);
          return text === "" ? null : { pos, create: () => ({ dom: createParagraph(text) }) };
        }),
        EditorView.contentAttributes.of({
          "aria-label": `Text of ${name}`,
          "aria-describedby": "playground-keys",
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) changed(state.doc.toString());
        }),
      ],
    });
  }

  private readonly offers: CompletionSource = async (context) => {
    const { state, pos, explicit } = context;
    if (!explicit && context.matchBefore(/[\w$.:-]\s?/) === null) return null;
    const offers = await this.options.complete(state.doc.toString(), pos);
    const from = offers[0]?.from ?? pos;
    const options = offers.filter((offer) => offer.from === from).map(toCompletion);
    return options.length === 0 ? null : { from, options, validFor: /^[\w$-]*$/ };
  };
}

function toCompletion({ label, detail, info, text }: Offer): Completion {
  return {
    label,
    ...(detail === undefined ? {} : { detail }),
    ...(info === "" ? {} : { info: () => createParagraph(info) }),
    // The language server writes a place to fill in as `$1` or `${1:text}`, the editor only as the latter.
    apply: snippet(text.replace(/\$(\d)/g, "${$1}").replace(/\\([$}\\])/g, "$1")),
  };
}

function toDiagnostic({ code, severity, message, place }: Problem, doc: Text): Diagnostic {
  const from = toOffset(doc, place);
  const rest = doc.lineAt(from).text.slice(from - doc.lineAt(from).from);
  const word = /^("[^"]*"|'[^']*'|[^\s:,[\]{}]+)/.exec(rest)?.[0] ?? rest.slice(0, 1);
  return { from, to: from + word.length, severity, message: `${message} [${code}]` };
}

function toOffset(doc: Text, { line, column }: Problem["place"]): number {
  const { from, to } = doc.line(Math.min(line, doc.lines));
  return Math.min(from + column - 1, to);
}

function createParagraph(text: string): HTMLElement {
  const element = document.createElement("div");
  element.className = "explanation";
  // Descriptions are short texts; of their Markdown, only code and escapes occur.
  element.textContent = text.replace(/\\([^\w\s])/g, "$1").replaceAll("`", "");
  return element;
}
