// The mark: three layers of a cut, the newest in ochre.

export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <rect x="1.5" y="3.5" width="10" height="5" rx="1.2" fill="var(--ochre)" />
      <rect x="1.5" y="10" width="15" height="5" rx="1.2" fill="var(--logo-2)" />
      <rect x="1.5" y="16.5" width="21" height="5" rx="1.2" fill="var(--logo-3)" />
    </svg>
  );
}
