// The tools for tracing by hand.
import { useTranslation } from 'react-i18next';
import { usePage } from '@/lib/page';
import { Card } from './parts/cards';
import { modelPath, models } from './registry';
import css from './models.module.css';
import cards from './parts/cards.module.css';

export function TestPage() {
  const { t } = useTranslation();
  usePage(t('models.testTitle'));
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div>
          <h1 tabIndex={-1}>{t('models.testTitle')}</h1>
          <p>{t('models.testText')}</p>
        </div>
      </header>
      <section className={cards.cards} aria-label={t('models.testTitle')}>
        <ul>
          {models
            .filter(({ path }) => path.startsWith('test/'))
            .map((model) => (
              <li key={model.id}>
                <Card to={modelPath(model)} title={t(`models.model.${model.id}.title`)} text={t(`models.model.${model.id}.text`)} />
              </li>
            ))}
        </ul>
      </section>
    </div>
  );
}
