/** A role's permissions with one more or one less. */
export function withPermission(held: readonly string[], permission: string, holds: boolean): string[] {
  const others = held.filter((one) => one !== permission);
  return holds ? [...others, permission] : others;
}
