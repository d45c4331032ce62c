// Compresses what the build wrote, once and at the highest level: the server embeds the compressed files and sends them as they are.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Files of this many bytes and more are compressed, if that makes them smaller by a tenth. */
const LEAST = 1024;

let output = '';

/** Replaces `assets/x.js` by `assets/x.js.gz`, as `api/src/http/assets.rs` expects it. */
export const gzipped: Plugin = {
  name: 'gzip',
  apply: 'build',
  configResolved(config) {
    output = path.join(config.root, config.build.outDir, config.build.assetsDir);
  },
  async closeBundle() {
    const entries = await readdir(output, { withFileTypes: true, recursive: true });
    await Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => compress(path.join(entry.parentPath, entry.name))));
  },
};

async function compress(file: string) {
  const content = await readFile(file);
  if (content.length < LEAST) return;
  const small = await promisify(gzip)(content, { level: 9 });
  if (small.length > content.length * 0.9) return;
  await writeFile(`${file}.gz`, small);
  await rm(file);
}
