// The two settings that are always at hand: language and theme.
import { Languages, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import i18next from 'i18next';
import { setLanguage, useLanguage, type Language } from '@/i18n';
import { toggleTheme, useTheme } from '@/lib/theme';
import { Button, IconButton } from './button';
import { notify } from './notices';

/** Shows the page in another language; where its texts do not come, it stays as it is and says so. */
export function changeLanguage(next: Language): void {
  setLanguage(next).catch((error: unknown) => {
    console.warn('The texts could not be loaded', error);
    notify.error(i18next.t('shell.languageFailed'));
  });
}

/** Shows the language in use and switches to the other one. */
export function LanguageButton() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Button
      kind="text"
      size="small"
      icon={<Languages size={17} strokeWidth={1.6} />}
      title={t('shell.switchLanguage')}
      onClick={() => changeLanguage(language === 'en' ? 'zh' : 'en')}
    >
      {language === 'en' ? 'EN' : '中文'}
      <span className="visually-hidden">{t('shell.switchLanguage')}</span>
    </Button>
  );
}

export function ThemeButton() {
  const { t } = useTranslation();
  const theme = useTheme();
  const icon = { size: 17, strokeWidth: 1.6 };
  return (
    <IconButton
      size="small"
      label={t(theme === 'dark' ? 'shell.lightTheme' : 'shell.darkTheme')}
      icon={theme === 'dark' ? <Sun {...icon} /> : <Moon {...icon} />}
      onClick={toggleTheme}
    />
  );
}
