// Lint settings: TypeScript with types, hooks, accessibility, and the house's own rules (import zones, translated text, file length).
import js from '@eslint/js';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';
import { translatedText } from './eslint/translated-text.js';
import { zones } from './eslint/zones.js';

const quarry = { rules: { zones, 'translated-text': translatedText } };

/** What browsers have on https and localhost alone; Quarry is also reached over plain http. */
const secureOnly = [
  { object: 'crypto', property: 'randomUUID', message: 'It is missing over plain http: use randomHex of lib/random.' },
  { object: 'crypto', property: 'subtle', message: 'It is missing over plain http.' },
  { object: 'navigator', property: 'clipboard', message: 'It is missing over plain http: use useCopy of ui/copy.' },
  { object: 'navigator', property: 'locks', message: 'It is missing over plain http.' },
  { object: 'navigator', property: 'storage', message: 'It is missing over plain http.' },
  { object: 'navigator', property: 'serviceWorker', message: 'It is missing over plain http.' },
];

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/api/schema.ts'] },
  js.configs.recommended,
  {
    files: ['src/**/*.{ts,tsx}'],
    extends: [...ts.configs.strictTypeChecked, hooks.configs.flat['recommended-latest'], a11y.flatConfigs.recommended],
    plugins: { quarry },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'quarry/zones': 'error',
      'quarry/translated-text': 'error',
      'max-lines': ['error', { max: 400 }],
      'no-console': ['error', { allow: ['warn', 'error'] }],
      eqeqeq: 'error',
      'no-restricted-imports': ['error', { paths: [{ name: 'react', importNames: ['lazy', 'Suspense'], message: 'What can fail to load fails alone and can be tried again: use lazyPart and Part of ui/part.' }] }],
      'no-restricted-properties': ['error', ...secureOnly],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  { files: ['src/ui/part.tsx'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['src/**/*.test.{ts,tsx}'], rules: { 'quarry/translated-text': 'off' } },
  { files: ['public/*.js'], languageOptions: { sourceType: 'script', globals: { document: 'readonly', localStorage: 'readonly', matchMedia: 'readonly' } } },
  {
    files: ['eslint/**/*.js', 'scripts/**/*.mjs', '*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
    rules: { 'max-lines': ['error', { max: 400 }] },
  },
);
