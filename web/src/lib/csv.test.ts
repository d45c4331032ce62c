import { describe, expect, it } from 'vitest';
import { csvText } from './csv';

describe('csv', () => {
  it('quotes what would break a row', () => {
    expect(csvText(['a', 'b,c'], [['1', 'say "hi"'], ['two\nlines', '']])).toBe('a,"b,c"\r\n1,"say ""hi"""\r\n"two\nlines",\r\n');
  });
  it('keeps formulas from running and numbers as they are', () => {
    expect(csvText(['n'], [['=1+1'], ['@x'], ['-5'], ['-1.5e3'], ['-x']])).toBe("n\r\n'=1+1\r\n'@x\r\n-5\r\n-1.5e3\r\n'-x\r\n");
  });
});
