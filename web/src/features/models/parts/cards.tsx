// The models as cards, under the overview.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { modelPath, models } from '../registry';
import css from './cards.module.css';

export function Cards() {
  const { t } = useTranslation();
  return (
    <section className={css.cards} aria-label={t('models.all')}>
      <h2>{t('models.all')}</h2>
      <ul>
        {models
          .filter(({ id }) => id !== 'overview')
          .map((model) => (
            <li key={model.id}>
              <Card to={modelPath(model)} title={t(`models.model.${model.id}.title`)} text={t(`models.model.${model.id}.text`)} />
            </li>
          ))}
      </ul>
    </section>
  );
}

export function Card({ to, title, text }: { to: string; title: string; text: string }) {
  return (
    <Link to={to} className={css.card}>
      <strong>{title}</strong>
      <span>{text}</span>
    </Link>
  );
}
