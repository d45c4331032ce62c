// Before each file of tests: what comes a moment later is waited for longer than the second that is usual, which a busy machine takes.
export {};

if ('document' in globalThis) {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: 20_000 });
}
