// A line without axes: the shape of a series beside its number.
import css from './home.module.css';

export function Spark({ points }: { points: number[] }) {
  const low = Math.min(...points);
  const high = Math.max(...points);
  const step = 100 / Math.max(1, points.length - 1);
  const y = (point: number) => (high === low ? 16 : 30 - (28 * (point - low)) / (high - low));
  const line = points.map((point, index) => `${(index * step).toFixed(2)},${y(point).toFixed(2)}`).join(' ');
  return (
    <svg className={css.spark} viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden>
      <polygon points={`0,32 ${line} 100,32`} fill="var(--accs)" />
      <polyline points={line} fill="none" stroke="var(--c1)" strokeWidth="1.4" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
