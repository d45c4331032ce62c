// The texts of the manuals: a page imports them as they are drawn, read from their Markdown here.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { readText } from './src/features/docs/read-text';

const asked = '.md?text';

/** Makes `import('….md?text')` a module whose default export is the page's `DocText`. */
export const docTexts: Plugin = {
  name: 'docs-texts',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith(asked)) return null;
    const file = id.slice(0, -'?text'.length);
    this.addWatchFile(file);
    const text = readText(await readFile(file, 'utf8'));
    return { code: `export default ${JSON.stringify(text)}`, moduleType: 'js', map: null };
  },
};
