/** Joins an `EditorLanguage` to CodeMirror: colours, completion and hover. */
import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { EditorLanguage, Suggestion, SuggestionKind } from './language';

/** What stands before a suggestion; phrases of the editor, which are in the language of the page. */
export const KIND_NAMES: Record<SuggestionKind, string> = { column: 'col', table: 'tbl', schema: 'sch', function: 'fn', keyword: 'key' };

function element(tag: string, className: string, text: string): HTMLElement {
  const node = document.createElement(tag);
  if (className !== '') node.className = className;
  node.textContent = text;
  return node;
}

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\([^)]*\)/;

/** A description as its author wrote it for the manuals, in Markdown: code and stress are drawn, links are their text. */
export function prose(text: string): HTMLElement {
  const node = element('div', 'description-prose', '');
  let rest = text;
  for (let found = marks.exec(rest); found; found = marks.exec(rest)) {
    const [whole, code, bold, link] = found;
    node.append(rest.slice(0, found.index), code === undefined ? (bold === undefined ? (link ?? '') : element('strong', '', bold)) : element('code', '', code));
    rest = rest.slice(found.index + whole.length);
  }
  node.append(rest);
  return node;
}

function completion(suggestion: Suggestion): Completion {
  const { label, kind, insert, caret, detail, doc, rank } = suggestion;
  const result: Completion = {
    label,
    type: kind,
    boost: rank * 12,
    apply: (view, _, from, to) => {
      // A call that already has its parentheses keeps them.
      const called = insert.endsWith('()') && view.state.sliceDoc(to, to + 1) === '(';
      const text = called ? insert.slice(0, -2) : insert;
      view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + (called ? text.length + 1 : (caret ?? text.length)) }, scrollIntoView: true, userEvent: 'input.complete' });
    },
  };
  if (detail) result.detail = detail;
  if (doc) result.info = () => prose(doc);
  return result;
}

function source(language: EditorLanguage) {
  return (context: CompletionContext): CompletionResult | null => {
    const found = language.suggest(context.state.doc.toString(), context.pos, context.explicit);
    if (!found || found.options.length === 0) return null;
    return { from: found.from, options: found.options.map(completion), validFor: /^[\p{L}\p{N}_$]*$/u };
  };
}

function description(language: EditorLanguage): Extension {
  return hoverTooltip((view, position) => {
    const found = language.describe(view.state.doc.toString(), position);
    if (!found) return null;
    return {
      pos: found.from,
      end: found.to,
      above: true,
      create: () => {
        const dom = element('div', 'description', '');
        dom.append(element('span', 'description-title', found.title));
        if (found.detail) dom.append(element('span', 'description-detail', found.detail));
        if (found.doc) dom.append(prose(found.doc));
        if (found.example) dom.append(element('code', 'description-example', found.example));
        return { dom };
      },
    };
  });
}

/** Everything of the editor that changes with the language or its catalogue, apart from its grammar. */
export function languageSupport(language: EditorLanguage): Extension {
  return [
    autocompletion({
      override: [source(language)],
      icons: false,
      maxRenderedOptions: 60,
      addToOptions: [{ render: (option, state) => element('span', 'suggestion-kind', state.phrase(KIND_NAMES[option.type as SuggestionKind])), position: 20 }],
      positionInfo: () => ({ class: 'below' }),
    }),
    description(language),
  ];
}
