// How several measurements of one thing are told.
export function told(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const share = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return `median ${share(0.5).toFixed(0)} ms, p95 ${share(0.95).toFixed(0)} ms, longest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
}
