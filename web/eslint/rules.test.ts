import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { translatedText } from './translated-text.js';
import { packageViolation, violation } from './zones.js';

describe('import zones', () => {
  it.each([
    ['features/home/page.tsx', 'features/home/stats'],
    ['features/home/page.tsx', 'ui/button'],
    ['features/queries/page.tsx', 'query-kinds/registry'],
    ['app/root.tsx', 'features/home/page'],
    ['ui/cut.tsx', 'api/chain'],
    ['api/error.ts', 'i18n'],
    ['lib/guard.ts', 'lib/paths'],
  ])('%s may import %s', (from, to) => expect(violation(from, to)).toBeUndefined());

  it.each([
    ['features/home/page.tsx', 'features/queries/api'],
    ['features/home/page.tsx', 'app/routes'],
    ['ui/button.tsx', 'features/home/page'],
    ['ui/button.tsx', 'viz/registry'],
    ['lib/format.ts', 'i18n'],
    ['api/request.ts', 'live/socket'],
    ['viz/bar/index.ts', 'query-kinds/registry'],
  ])('%s may not import %s', (from, to) => expect(violation(from, to)).toMatch(/never imports/));

  it('wraps the large packages', () => {
    expect(packageViolation('features/queries/result.tsx', 'ag-grid-community')).toMatch(/Only ui\/grid/);
    expect(packageViolation('viz/bar/index.ts', 'echarts/core')).toMatch(/Only ui\/chart/);
    expect(packageViolation('viz/bar3d/index.ts', 'echarts-gl/charts')).toMatch(/Only ui\/chart/);
    expect(packageViolation('ui/chart-3d.ts', 'echarts-gl/charts')).toBeUndefined();
    expect(packageViolation('ui/grid.tsx', 'ag-grid-community')).toBeUndefined();
    expect(packageViolation('ui/editor/editor.tsx', '@codemirror/view')).toBeUndefined();
  });
});

describe('translated text', () => {
  const findings = (code: string) =>
    new Linter().verify(code, {
      plugins: { quarry: { rules: { 'translated-text': translatedText } } },
      languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } },
      rules: { 'quarry/translated-text': 'error' },
    });

  it.each(['<p>Hello</p>', '<p>{"Hello"}</p>', '<p>{`Hello ${name}`}</p>', '<img alt="A picture" />', '<p>{busy ? "Wait" : ""}</p>', '<p title={busy && "Wait"} />', '<p>登录</p>'])(
    'reports %s',
    (code) => expect(findings(code)).toHaveLength(1),
  );
  it.each(['<p>{t("home.title")}</p>', '<p className="large">·</p>', '<p>SQL</p>', '<a href="/home" />', '<p>{count} / {total}</p>', '<b>#{n}</b>'])('accepts %s', (code) => expect(findings(code)).toEqual([]));
});
