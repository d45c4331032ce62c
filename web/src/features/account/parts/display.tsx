// How the pages look to this person in this browser.
import { Segmented, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLanguage, type Language } from '@/i18n';
import { setPatterns, usePatterns } from '@/lib/patterns';
import { setOneKey, useOneKey } from '@/lib/shortcuts';
import { toggleTheme, useTheme, type Theme } from '@/lib/theme';
import { Card } from '@/ui/parts';
import { changeLanguage } from '@/ui/settings';
import css from '../account.module.css';

export function Display() {
  const { t } = useTranslation();
  const language = useLanguage();
  const theme = useTheme();
  const patterns = usePatterns();
  const oneKey = useOneKey();
  return (
    <Card title={t('account.display.title')}>
      <div className={css.setting}>
        <span>{t('account.display.language')}</span>
        <Segmented<Language>
          aria-label={t('account.display.language')}
          value={language}
          options={[
            { value: 'en', label: t('account.display.english') },
            { value: 'zh', label: t('account.display.chinese') },
          ]}
          onChange={changeLanguage}
        />
      </div>
      <div className={css.setting}>
        <span>{t('account.display.theme')}</span>
        <Segmented<Theme>
          aria-label={t('account.display.theme')}
          value={theme}
          options={[
            { value: 'light', label: t('account.display.light') },
            { value: 'dark', label: t('account.display.dark') },
          ]}
          onChange={toggleTheme}
        />
      </div>
      <div className={css.setting}>
        <span id="patterns">{t('account.display.patterns')}</span>
        <Switch aria-labelledby="patterns" checked={patterns} onChange={setPatterns} />
      </div>
      <div className={css.setting}>
        <span id="one-key">{t('shell.oneKey')}</span>
        <Switch aria-labelledby="one-key" checked={oneKey} onChange={setOneKey} />
      </div>
    </Card>
  );
}
