// lib.mjs -- what the scripts of this folder share: TAP, and a real Chromium that may not reach any network.
//
// Where node_modules, playwright-core or Chromium are missing a script says so and skips.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = process.cwd();
export const thimble = process.env.THIMBLE || join(root, 'build/thimble');
export const shots = join(process.env.BUILD || join(root, 'build'), 'shots');
export const work = mkdtempSync(join(tmpdir(), 'thimble-web-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

let count = 0, bad = 0;
export function ok(yes, what, more = '') {
  count++;
  if (!yes) bad++;
  console.log(`${yes ? 'ok' : 'not ok'} ${count} - ${what}`);
  if (!yes && more !== '') console.log(`#   ${String(more).slice(0, 600)}`);
}
export const same = (got, want, what) => ok(got === want, what, `got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
export function finish() {
  console.log(`1..${count}`);
  process.exit(bad ? 1 : 0);
}
export function skipAll(why) {
  console.log(`1..0 # SKIP ${why}`);
  process.exit(0);
}

// Runs thimble in the work folder; the exit code.
export function run(...args) {
  const r = spawnSync(thimble, args, { cwd: work, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { code: r.status, out: r.stdout, err: r.stderr };
}

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function browser() {
  const require = createRequire(join(root, 'web/'));
  let chromium;
  try {
    ({ chromium } = require('playwright-core'));
  } catch {
    skipAll('playwright-core is not in web/node_modules (tools/setup --test)');
  }
  const path = process.env.CHROMIUM || places.find(existsSync);
  if (!path) skipAll('there is no Chromium (tools/setup --test)');
  mkdirSync(shots, { recursive: true });
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'] });
}

// A page that notes everything that should not happen: messages on the console, errors, requests beside `url` itself.
export async function open(b, url, { width = 1280, height = 800, dark = false } = {}) {
  const context = await b.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  const trouble = [];
  page.on('console', (m) => trouble.push(`console ${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => trouble.push(`error: ${e.message}`));
  page.on('request', (r) => {
    if (r.url().split('#')[0] !== url.split('#')[0] && !r.url().startsWith('data:')) trouble.push(`request: ${r.url()}`);
  });
  await page.goto(url, { timeout: 120000 });
  return { page, context, trouble };
}

export const shot = (page, name) => page.screenshot({ path: join(shots, name + '.png') });
export { execFileSync };
