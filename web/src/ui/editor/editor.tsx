/** The code editor: CodeMirror with a language from outside, problems underlined where they are, and keys to run and format. */
import { acceptCompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { forEachDiagnostic, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { drawSelection, dropCursor, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditorLanguage } from './language';
import { grammarOf } from './grammar';
import { KIND_NAMES, languageSupport } from './support';
import { looks } from './theme';
import './editor.css';

/** A place in the text that is wrong, as offsets from its start. */
export interface EditorProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

export interface EditorCursor {
  readonly line: number;
  readonly column: number;
  /** Characters selected. */
  readonly selected: number;
}

export interface EditorHandle {
  text(): string;
  /** The selected text and where it starts; the whole text when nothing is selected. */
  selection(): { text: string; from: number };
  /** Puts the text at the cursor, with spaces where it would stick to its neighbours. */
  insert(text: string): void;
  /** Replaces everything, as one step that undo takes back. */
  replaceAll(text: string): void;
  replace(from: number, to: number, text: string): void;
  /** Where the first problem is now, after all changes since it was shown. */
  problem(): { from: number; to: number } | null;
  goTo(from: number, to?: number): void;
  focus(): void;
}

export interface EditorProps {
  /** Text at the start; later texts come through the handle. */
  initial: string;
  language: EditorLanguage;
  label: string;
  readOnly?: boolean;
  problems: readonly EditorProblem[];
  ref?: Ref<EditorHandle>;
  /** Hears of a change when the writer pauses for a moment. */
  onChange: (text: string) => void;
  onCursor: (cursor: EditorCursor) => void;
  onRun: () => void;
  onFormat: () => void;
}

function handleOf(view: EditorView): EditorHandle {
  return {
    text: () => view.state.doc.toString(),
    selection: () => {
      const { from, to, empty } = view.state.selection.main;
      return empty ? { text: view.state.doc.toString(), from: 0 } : { text: view.state.sliceDoc(from, to), from };
    },
    insert: (text) => {
      const { from, to } = view.state.selection.main;
      const before = view.state.sliceDoc(Math.max(0, from - 1), from);
      const after = view.state.sliceDoc(to, to + 1);
      const padded = (/[\w"]/.test(before) ? ' ' : '') + text + (/[\w"]/.test(after) ? ' ' : '');
      view.dispatch({ changes: { from, to, insert: padded }, selection: { anchor: from + padded.length }, scrollIntoView: true, userEvent: 'input' });
      view.focus();
    },
    replaceAll: (text) => {
      const anchor = Math.min(view.state.selection.main.head, text.length);
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor }, userEvent: 'input' });
    },
    replace: (from, to, text) => {
      view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, scrollIntoView: true, userEvent: 'input' });
      view.focus();
    },
    problem: () => {
      let found: { from: number; to: number } | null = null;
      forEachDiagnostic(view.state, (_, from, to) => {
        found ??= { from, to };
      });
      return found;
    },
    goTo: (from, to = from) => {
      const most = view.state.doc.length;
      view.dispatch({ selection: { anchor: Math.min(from, most), head: Math.min(to, most) }, effects: EditorView.scrollIntoView(Math.min(from, most), { y: 'center' }) });
      view.focus();
    },
    focus: () => view.focus(),
  };
}

const tellAfterMs = 120;

function cursorOf(state: EditorState): EditorCursor {
  const { head, from, to } = state.selection.main;
  const line = state.doc.lineAt(head);
  return { line: line.number, column: head - line.from + 1, selected: to - from };
}

const basics: Extension = [
  lineNumbers(),
  history(),
  drawSelection(),
  dropCursor(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  indentUnit.of('  '),
  EditorState.tabSize.of(2),
  keymap.of([...closeBracketsKeymap, { key: 'Tab', run: acceptCompletion }, ...completionKeymap, ...searchKeymap, { key: 'Mod-/', run: toggleComment }, ...historyKeymap, ...defaultKeymap, indentWithTab]),
  looks,
];

export function Editor({ initial, language, label, readOnly = false, problems, ref, onChange, onCursor, onRun, onFormat }: EditorProps) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const support = useRef(new Compartment());
  const grammar = useRef(new Compartment());
  const access = useRef(new Compartment());
  const words = useRef(new Compartment());
  const changed = useEffectEvent(onChange);
  const moved = useEffectEvent(onCursor);
  const run = useEffectEvent(onRun);
  const format = useEffectEvent(onFormat);
  const first = useEffectEvent(() => initial);

  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const own: Extension = [
      Prec.highest(
        keymap.of([
          {
            key: 'Mod-Enter',
            run: (editor) => {
              // Words on offer, or about to be, would stand over the text that runs.
              closeCompletion(editor);
              run();
              return true;
            },
          },
          { key: 'Mod-Shift-f', run: () => (format(), true) },
        ]),
      ),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) later();
        if (update.docChanged || update.selectionSet) moved(cursorOf(update.state));
      }),
    ];
    // Taking a long text out of the editor costs more than a key may: it waits for the next pause.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      timer = undefined;
      changed(made.state.doc.toString());
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(tell, tellAfterMs);
    };
    const made = new EditorView({ parent, state: EditorState.create({ doc: first(), extensions: [own, support.current.of([]), grammar.current.of([]), access.current.of([]), words.current.of([]), basics] }) });
    view.current = made;
    moved(cursorOf(made.state));
    const tellNow = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      tell();
    };
    addEventListener('pagehide', tellNow);
    return () => {
      removeEventListener('pagehide', tellNow);
      view.current = null;
      tellNow();
      made.destroy();
    };
  }, []);

  useEffect(() => {
    let current = true;
    view.current?.dispatch({ effects: support.current.reconfigure(languageSupport(language)) });
    grammarOf(language).then(
      (extension) => current && view.current?.dispatch({ effects: grammar.current.reconfigure(extension) }),
      (error: unknown) => console.warn('The text stays without colours', error),
    );
    return () => {
      current = false;
    };
  }, [language]);

  useEffect(() => {
    const extensions = [EditorState.readOnly.of(readOnly), EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': String(readOnly), spellcheck: 'false', tabindex: '0' })];
    view.current?.dispatch({ effects: access.current.reconfigure(extensions) });
  }, [label, readOnly]);

  useEffect(() => {
    const phrases = {
      Find: t('queries.editor.find'),
      Replace: t('queries.editor.replace'),
      next: t('queries.editor.next'),
      previous: t('queries.editor.previous'),
      all: t('queries.editor.all'),
      'match case': t('queries.editor.matchCase'),
      regexp: t('queries.editor.regexp'),
      'by word': t('queries.editor.byWord'),
      replace: t('queries.editor.replaceOne'),
      'replace all': t('queries.editor.replaceAll'),
      close: t('common.close'),
      Completions: t('queries.editor.completions'),
      [KIND_NAMES.column]: t('queries.editor.kind.column'),
      [KIND_NAMES.table]: t('queries.editor.kind.table'),
      [KIND_NAMES.schema]: t('queries.editor.kind.schema'),
      [KIND_NAMES.function]: t('queries.editor.kind.function'),
      [KIND_NAMES.keyword]: t('queries.editor.kind.keyword'),
    };
    view.current?.dispatch({ effects: words.current.reconfigure(EditorState.phrases.of(phrases)) });
  }, [t]);

  useEffect(() => {
    const made = view.current;
    if (!made) return;
    const most = made.state.doc.length;
    const shown = problems.map((problem) => ({ from: Math.min(problem.from, most), to: Math.min(Math.max(problem.to, problem.from), most), severity: 'error' as const, message: problem.message }));
    made.dispatch(setDiagnostics(made.state, shown));
  }, [problems]);

  useImperativeHandle(ref, () => {
    const here = () => {
      if (!view.current) throw new Error('the editor is not on the page');
      return handleOf(view.current);
    };
    return {
      text: () => here().text(),
      selection: () => here().selection(),
      insert: (text) => here().insert(text),
      replaceAll: (text) => here().replaceAll(text),
      replace: (from, to, text) => here().replace(from, to, text),
      problem: () => here().problem(),
      goTo: (from, to) => here().goTo(from, to),
      focus: () => here().focus(),
    };
  }, []);

  return <div ref={host} className="code-editor" />;
}
