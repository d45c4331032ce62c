/** Grammars by dialect: what colours the text and knows its brackets. JavaScript's is large and loads where it is written. */
import { SQLDialect } from '@codemirror/lang-sql';
import { LanguageSupport } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { inTime } from '@/lib/loading';
import { cypher } from './cypher';
import type { EditorLanguage } from './language';

export async function grammarOf(language: EditorLanguage): Promise<Extension> {
  const { dialect } = language;
  if (dialect === 'javascript') return (await inTime(() => import('@codemirror/lang-javascript'))).javascript();
  if (dialect === 'cypher') return cypher(language.keywords, language.functions);
  const hive = dialect === 'hive';
  const grammar = SQLDialect.define({
    keywords: language.keywords.join(' '),
    builtin: language.functions.join(' '),
    types: language.types.join(' '),
    identifierQuotes: hive ? '`' : '"`',
    doubleQuotedStrings: hive,
    backslashEscapes: hive,
    operatorChars: '*+-%<>!=&|^/~',
  });
  return new LanguageSupport(grammar.language);
}
