// The order of what is in a project.

/** The list with one entry moved by `by` places; a move past an end stays at the end. */
export function moved<T>(list: readonly T[], at: number, by: number): T[] {
  const rest = list.filter((_, index) => index !== at);
  const to = Math.max(0, Math.min(rest.length, at + by));
  return [...rest.slice(0, to), ...list.slice(at, at + 1), ...rest.slice(to)];
}
