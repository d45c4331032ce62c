// Build and development server. In development the API (websocket included) is a `quarry serve` on its default port.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { withoutMadeCode } from './build-claygl';

const api = process.env['QUARRY_API'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react(), withoutMadeCode],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The manuals' texts lie outside of this folder.
  server: { proxy: { '/api': { target: api, ws: true }, '/healthz': api }, fs: { allow: ['.', '../data/docs'] } },
  preview: { proxy: { '/api': { target: api, ws: true }, '/healthz': api } },
  build: {
    target: 'es2022',
    manifest: true,
    // The largest chunks are the grid and the charts, each loaded only by the pages that show them.
    chunkSizeWarningLimit: 1300,
  },
  test: {
    // Tests that need a page say so at their top.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'eslint/**/*.test.ts'],
    restoreMocks: true,
    // On a busy machine a page takes its time; a test that hangs still ends.
    testTimeout: 60_000,
  },
});
