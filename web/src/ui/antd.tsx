// Ant Design in Quarry's colours, sizes and language, for the pages that use its components.
import { App, ConfigProvider, theme as antd, type ThemeConfig } from 'antd';
import enUS from 'antd/locale/en_US';
import zhCN from 'antd/locale/zh_CN';
import type { ReactNode } from 'react';
import { useLanguage } from '@/i18n';
import { useScale } from '@/lib/scale';
import { useTheme, type Theme } from '@/lib/theme';
import { popupPlace } from './top-dialog';

const colours = {
  light: { acc: '#2f4cc0', accHover: '#263fa3', acct: '#2b46b4', accs: '#e9edfa', surface: '#ffffff', canvas: '#f9faf8', bg: '#f1f3f0', line: '#e2e5e1', ctl: '#868e88', t1: '#16191a', t2: '#444b47', t3: '#5f6762', ok: '#1a7042', warn: '#835300', bad: '#b42318' },
  dark: { acc: '#4763d6', accHover: '#3d57c4', acct: '#9db0ff', accs: '#1e2747', surface: '#171a1c', canvas: '#111415', bg: '#0d0f10', line: '#272c2f', ctl: '#727b7f', t1: '#ecefed', t2: '#b6beba', t3: '#929b96', ok: '#5ccb8b', warn: '#e5b142', bad: '#ff8f85' },
} as const;

const still = matchMedia('(prefers-reduced-motion: reduce)');
const touch = matchMedia('(pointer: coarse)');

/** antd keeps its sizes in CSS variables of fixed pixels, so they are scaled here, with the floors of the design. */
export function themeConfig(theme: Theme, scale: number): ThemeConfig {
  const c = colours[theme];
  const size = (design: number, floor: number) => Math.max(Math.round(design * scale * 2) / 2, floor);
  return {
    algorithm: theme === 'dark' ? antd.darkAlgorithm : antd.defaultAlgorithm,
    cssVar: { key: 'quarry' },
    token: {
      colorPrimary: c.acc,
      colorLink: c.acct,
      colorInfo: c.acc,
      colorSuccess: c.ok,
      colorWarning: c.warn,
      colorError: c.bad,
      colorText: c.t1,
      colorTextSecondary: c.t2,
      colorTextTertiary: c.t3,
      colorTextPlaceholder: c.t3,
      colorTextDescription: c.t3,
      colorBgBase: c.surface,
      colorBgLayout: c.canvas,
      colorBgContainer: c.surface,
      colorBgElevated: c.surface,
      colorFillAlter: c.bg,
      colorBorder: c.ctl,
      colorBorderSecondary: c.line,
      controlItemBgActive: c.accs,
      borderRadius: 7,
      borderRadiusLG: 9,
      borderRadiusSM: 5,
      fontFamily: 'var(--font)',
      fontFamilyCode: 'var(--mono)',
      fontSize: size(14, 13),
      // As high as the controls of `tokens.css`, which fingers have to hit.
      controlHeight: touch.matches ? 44 : size(34, 30),
      controlHeightSM: touch.matches ? 36 : size(28, 26),
      controlHeightLG: touch.matches ? 48 : size(42, 36),
      padding: size(16, 12),
      paddingSM: size(12, 10),
      paddingXS: size(8, 6),
      wireframe: false,
      // It would wait for the end of a transition that base.css has taken away.
      motion: !still.matches,
    },
    components: {
      // By itself it gets paler below the pointer, until white can't be read on it; nor can it on the red of the dark theme.
      Button: { dangerColor: theme === 'dark' ? c.bg : c.surface, fontWeight: 500, primaryShadow: 'none', defaultShadow: 'none', colorPrimaryHover: c.accHover, colorPrimaryActive: c.accHover },
      Tabs: { itemSelectedColor: c.acct, itemHoverColor: c.acct, itemActiveColor: c.acct, inkBarColor: c.acc, horizontalItemGutter: size(20, 14) },
      Segmented: { itemSelectedBg: c.surface, trackBg: c.bg },
      Pagination: { itemActiveColor: c.acct, itemActiveColorHover: c.acct },
      Table: { headerBg: c.bg, headerColor: c.t2 },
    },
  };
}

export function AntdProvider({ children }: { children: ReactNode }) {
  const theme = useTheme();
  const scale = useScale();
  const language = useLanguage();
  return (
    <ConfigProvider theme={themeConfig(theme, scale)} locale={language === 'zh' ? zhCN : enUS} button={{ autoInsertSpace: false }} getPopupContainer={popupPlace}>
      <App component={false}>{children}</App>
    </ConfigProvider>
  );
}
