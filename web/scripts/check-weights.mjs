// Measures what the first pages load, compressed: fails when the JavaScript is above its limit, and prints the size of the styles. Run
// after `npm run build`.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const dist = path.resolve(import.meta.dirname, '../dist');
const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8'));
const entry = 'index.html';
const english = 'src/i18n/en/index.ts';
const charts = 'src/i18n/en/charts.ts';

/** The files a page needs: its route's modules with all they import at once. */
const pages = [
  { name: 'start', limit: 200, modules: [entry, english, 'src/features/start/page.tsx'] },
  { name: 'login', limit: 200, modules: [entry, english, 'src/features/session/layout.tsx', 'src/features/session/login.tsx'] },
  { name: 'register', limit: 200, modules: [entry, english, 'src/features/session/layout.tsx', 'src/features/session/register.tsx'] },
  { name: 'docs', limit: 200, modules: [entry, english, 'src/i18n/en/docs.ts', 'src/features/docs/layout.tsx', 'src/features/docs/page.tsx', '../data/docs/en/platform/course/sql-course.md?text'] },
  { name: 'shell', limit: 380, modules: [entry, english, 'src/app/shell/shell.tsx', 'src/features/home/page.tsx'] },
  { name: 'query', modules: [entry, english, 'src/app/shell/shell.tsx', 'src/app/antd-pages.tsx', charts, 'src/features/queries/page.tsx'] },
  { name: 'gallery', modules: [entry, english, 'src/app/shell/shell.tsx', 'src/app/antd-pages.tsx', charts, 'src/features/gallery/page.tsx'] },
  { name: 'discover', limit: 380, modules: [entry, english, 'src/i18n/en/community.ts', 'src/app/shell/shell.tsx', 'src/app/antd-pages.tsx', 'src/features/community/discover/page.tsx'] },
  { name: 'dashboard', modules: [entry, english, 'src/app/shell/shell.tsx', 'src/app/antd-pages.tsx', charts, 'src/i18n/en/dashboards.ts', 'src/features/dashboards/view/page.tsx'] },
  { name: 'dashboard editor', modules: [entry, english, 'src/app/shell/shell.tsx', 'src/app/antd-pages.tsx', charts, 'src/i18n/en/dashboards.ts', 'src/features/dashboards/edit/page.tsx'] },
  { name: 'ranking', modules: [entry, english, 'src/i18n/en/ranking.ts', 'src/app/shell/shell.tsx', 'src/app/antd-pages.tsx', 'src/features/ranking/page.tsx'] },
  { name: 'paper', modules: [entry, english, 'src/i18n/en/papers.ts', 'src/app/shell/shell.tsx', 'src/features/papers/preview.tsx', 'src/features/papers/viewer/pdf.ts'] },
  { name: 'model', modules: [entry, english, 'src/i18n/en/models.ts', 'src/app/shell/shell.tsx', 'src/features/models/page.tsx', 'src/features/models/stage/space.ts'] },
  { name: 'jobs', modules: [entry, english, 'src/app/shell/shell.tsx', 'src/app/antd-pages.tsx', 'src/features/jobs/page.tsx'] },
];

function collect(module, files) {
  const chunk = manifest[module];
  if (!chunk) throw new Error(`the build has no ${module}`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const css of chunk.css ?? []) files.add(css);
  for (const next of chunk.imports ?? []) collect(next, files);
}

/** The bytes that the server sends for a file. */
const sent = (file) => (statSync(path.join(dist, `${file}.gz`), { throwIfNoEntry: false }) ?? statSync(path.join(dist, file))).size;

let heavy = false;
for (const { name, limit, modules } of pages) {
  const files = new Set();
  for (const module of modules) collect(module, files);
  const weigh = (end) => [...files].filter((file) => file.endsWith(end)).reduce((sum, file) => sum + sent(file), 0) / 1000;
  const size = weigh('.js');
  const over = limit !== undefined && size > limit;
  heavy ||= over;
  console.log(`${name}: ${size.toFixed(0)} kB${limit === undefined ? '' : ` of ${limit}`}${over ? ', too heavy' : ''}, styles ${weigh('.css').toFixed(0)} kB`);
}
if (heavy) process.exit(1);
