/** Formatting of Cypher: every clause on a line of its own, its words in capitals; what stands inside stays as it was written. */
import { tokenize } from './suggest';

const CLAUSES = ['OPTIONAL MATCH', 'MATCH', 'WHERE', 'WITH', 'RETURN', 'ORDER BY', 'SKIP', 'LIMIT', 'UNWIND', 'UNION ALL', 'UNION', 'CALL', 'YIELD'];
const INSIDE = new Set(['WHERE', 'ORDER BY', 'SKIP', 'LIMIT', 'YIELD']);
const WORDS = new Set('AND OR XOR NOT IN AS IS NULL DISTINCT STARTS ENDS CONTAINS CASE WHEN THEN ELSE END ASC DESC EXISTS TRUE FALSE'.split(' '));

export function formatCypher(source: string): string {
  const tokens = tokenize(source);
  let text = '';
  let depth = 0;
  let end = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) break;
    const word = token.kind === 'word' && tokens[at - 1]?.text !== '.' && tokens[at - 1]?.text !== ':' && tokens[at - 1]?.text !== '$' ? token.text.toUpperCase() : '';
    const two = `${word} ${tokens[at + 1]?.text.toUpperCase() ?? ''}`;
    const clause = depth === 0 && word !== '' && !(word === 'WITH' && /(STARTS|ENDS)$/.test(text.trimEnd())) ? (CLAUSES.find((one) => one === two) ?? CLAUSES.find((one) => one === word)) : undefined;
    if (clause !== undefined) {
      const next = clause === two ? tokens[++at] : token;
      text = `${text.trimEnd()}${text.trim() === '' ? '' : '\n'}${INSIDE.has(clause) ? '  ' : ''}${clause} `;
      end = next?.to ?? token.to;
      continue;
    }
    const gap = source.slice(end, token.from);
    const space = text === '' || text.endsWith(' ') || text.endsWith('\n') ? '' : gap.includes('\n') && token.kind === 'comment' ? '\n' : gap === '' ? '' : ' ';
    const operator = WORDS.has(word) || (word === 'WITH' && /(STARTS|ENDS)$/.test(text.trimEnd()));
    text += space + (operator ? word : token.text);
    if (token.text.startsWith('//')) text += '\n';
    if ('([{'.includes(token.text)) depth++;
    else if (')]}'.includes(token.text)) depth = Math.max(0, depth - 1);
    end = token.to;
  }
  return `${text.trim()}\n`;
}
