// The two settings that are always at hand: language and theme.
import { Languages, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { setLanguage, useLanguage } from '@/i18n';
import { toggleTheme, useTheme } from '@/lib/theme';
import { Button, IconButton } from './button';

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
      onClick={() => void setLanguage(language === 'en' ? 'zh' : 'en')}
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
