// Build and development server. In development the API (websocket included) is a `quarry serve` on its default port.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { withoutMadeCode } from './build-claygl';
import { docTexts } from './build-docs';
import { gzipped } from './build-gzip';

const api = process.env['QUARRY_API'] ?? 'http://127.0.0.1:8080';

export default defineConfig(({ command }) => ({
  plugins: [react(), docTexts, withoutMadeCode, gzipped],
  resolve: {
    alias: [
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      // By its own map the router's development build, with warnings for programmers, is what everybody gets.
      ...(command === 'build' ? [{ find: /^react-router$/, replacement: fileURLToPath(new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url)) }] : []),
    ],
  },
  // The manuals' texts lie outside of this folder.
  server: { proxy: { '/api': { target: api, ws: true }, '/healthz': api }, fs: { allow: ['.', '../data/docs'] } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    manifest: true,
    // The largest chunks are the grid and the charts, each loaded only by the pages that show them.
    chunkSizeWarningLimit: 1300,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs is one file, and so are the icons, the parts of Ant Design and the small modules that many pages
          // share: left alone, a page comes in more than a hundred requests of half a kilobyte.
          groups: [
            { name: 'base', tags: ['$initial'], test: (id) => !/(main.tsx|index.html)$/.test(id), priority: 3 },
            { name: 'icons', test: /lucide-react/, minShareCount: 2, priority: 2 },
            { name: 'antd', test: /node_modules.(antd|@rc-component|@ant-design)./, minShareCount: 8, priority: 1 },
            { name: 'common', test: (id) => /web.src.(api|lib|live|ui)/.test(id) && !/ui.(antd|chart|editor|grid|markdown|pages)/.test(id), minShareCount: 20 },
          ],
        },
      },
    },
  },
  test: {
    // Tests that need a page say so at their top.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'eslint/**/*.test.ts'],
    setupFiles: ['./patience.ts'],
    restoreMocks: true,
    // On a busy machine a page takes its time; a test that hangs still ends.
    testTimeout: 60_000,
  },
}));
