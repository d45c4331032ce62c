// What the list of pages says of a category of the developer API: how many metrics it has, and which.
import { Link, useLocation } from 'react-router';
import { useLanguage } from '@/i18n';
import { inLanguage, useMetrics } from '../metrics';
import type { Category } from '../nav';
import css from '../layout.module.css';

export function Count({ category }: { category: Category }) {
  const { data } = useMetrics();
  if (!data) return null;
  return <span className={css.count}>{data.metrics.filter((metric) => metric.category === category).length}</span>;
}

export function MetricLinks({ category }: { category: Category }) {
  const { data } = useMetrics();
  const language = useLanguage();
  const { hash, pathname } = useLocation();
  if (!data) return null;
  return (
    <ul className={css.metrics}>
      {data.metrics
        .filter((metric) => metric.category === category)
        .map((metric) => (
          <li key={metric.metric}>
            <Link to={`${pathname}#${metric.metric}`} aria-current={hash === `#${metric.metric}` ? 'location' : undefined}>
              {inLanguage(metric.title, language)}
            </Link>
          </li>
        ))}
    </ul>
  );
}
