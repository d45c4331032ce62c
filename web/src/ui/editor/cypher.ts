/** Colours of Cypher: clauses, labels and types, variables, texts, numbers, comments and calls. */
import { LanguageSupport, StreamLanguage } from '@codemirror/language';

interface State {
  /** Inside a comment that goes over lines. */
  comment: boolean;
  /** A colon stood before: what follows is a label or a type. */
  named: boolean;
}

export function cypher(keywords: readonly string[], functions: readonly string[]): LanguageSupport {
  const words = new Set(keywords.map((word) => word.toLowerCase()));
  const calls = new Set(functions.map((name) => name.toLowerCase()));
  const language = StreamLanguage.define<State>({
    name: 'cypher',
    startState: () => ({ comment: false, named: false }),
    token(stream, state) {
      if (state.comment || stream.match('/*')) {
        state.comment = !stream.match(/.*?\*\//);
        if (state.comment) stream.skipToEnd();
        return 'comment';
      }
      if (stream.eatSpace()) return null;
      const named = state.named;
      state.named = false;
      if (stream.match(/\/\/.*/)) return 'comment';
      if (stream.match(/'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?/)) return 'string';
      if (stream.match(/\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number';
      if (stream.match(/\$[\p{L}_][\p{L}\p{N}_]*/u)) return 'variableName.special';
      const word = stream.match(/`[^`]*`?|[\p{L}_][\p{L}\p{N}_]*/u);
      if (word && word !== true) {
        const lower = word[0].toLowerCase();
        if (named) return 'typeName';
        if (stream.match(/\s*\(/, false) && calls.has(lower)) return 'variableName.function';
        return words.has(lower) ? 'keyword' : 'variableName';
      }
      const sign = stream.next();
      state.named = sign === ':' || (sign === '|' && named);
      return null;
    },
    languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: { brackets: ['(', '[', '{', "'", '"', '`'] } },
  });
  return new LanguageSupport(language);
}
