// What a browser or program calls itself, in words that its owner knows.

/** The first one found wins: most browsers name others too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/MicroMessenger\//, 'WeChat'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

const named = (agent: string, names: typeof browsers): string | null => names.find(([pattern]) => pattern.test(agent))?.[1] ?? null;

/** Browser and system where they are known; else what stands before the first space or slash. */
export function nameOf(agent: string): { browser: string; system: string | null } | null {
  const browser = named(agent, browsers);
  if (browser !== null) return { browser, system: named(agent, systems) };
  const program = agent.trim().split(/[\s/(]/)[0] ?? '';
  return program === '' ? null : { browser: program, system: null };
}
