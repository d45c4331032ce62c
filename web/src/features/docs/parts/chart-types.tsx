// The nineteen chart types: what each is for, from the texts of the chart gallery.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '@/lib/paths';
import { vizTypes } from '@/viz/registry';
import css from './chart-types.module.css';

export function ChartTypes() {
  const { t } = useTranslation();
  return (
    <ul className={css.types}>
      {vizTypes.map(({ id, icon: Icon }) => (
        <li key={id}>
          <Icon size={20} strokeWidth={1.6} aria-hidden />
          <Link to={`${paths.gallery}#${id}`}>{t(`viz.type.${id}`)}</Link>
          <p>{t(`gallery.use.${id}`)}</p>
        </li>
      ))}
    </ul>
  );
}
