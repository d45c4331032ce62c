// The web's figures, measured on this machine: `npm run measure`, or some of them, as in `npm run measure -- grid typing`. It
// fails on nothing, for most figures depend on the machine; the load beside them says how far to trust them.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { newPage, startBrowser, startServer } from '../browser/harness.mjs';
import { register } from '../browser/steps.mjs';
import { measureDashboard, measureHome } from './first-look.mjs';
import { measureGrid } from './grid.mjs';
import { measureLighthouse } from './lighthouse.mjs';
import { measureScene } from './scene.mjs';
import { measureTyping } from './typing.mjs';

/** Opens a page of its own that somebody is signed in on. */
const signedIn = (measure) => async (browser, server) => {
  const page = await newPage(browser, server);
  await register(page, `a${Date.now().toString(36)}`);
  await measure(page);
  await page.context().close();
};

/** Weighs the build in web/dist. */
function measureWeights() {
  spawnSync('npm', ['--silent', '--prefix', fileURLToPath(new URL('../../web', import.meta.url)), 'run', 'weights'], { stdio: 'inherit' });
}

const parts = {
  weights: measureWeights,
  home: measureHome,
  dashboard: measureDashboard,
  grid: signedIn(measureGrid),
  typing: signedIn(measureTyping),
  scene: measureScene,
  lighthouse: measureLighthouse,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in parts));
if (unknown.length > 0) throw new Error(`no part is called ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);

const [server, browser] = await Promise.all([startServer(), startBrowser()]);
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.log(`\n${name} (load of the machine ${loadavg()[0].toFixed(1)})`);
    await measure(browser, server);
  }
} finally {
  await browser.close();
  await server.stop();
}
