// play.mjs -- matches in the explorer, played to their ends by clicks and keys against a real server; screenshots go to build/shots.
import { spawn } from 'node:child_process';
import { browser, finish, ok, root, same, shot, thimble } from './lib.mjs';

const b = await browser();

async function serve(...args) {
  const p = spawn(thimble, ['explore', '--quiet', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => p.kill()); // also when a test has failed
  const address = await new Promise((found, lost) => {
    p.stdout.once('data', (d) => found(String(d).trim()));
    p.once('exit', () => lost(new Error('explore ended')));
  });
  const stop = () => new Promise((done) => { p.once('exit', (code) => done(code)); p.kill('SIGINT'); });
  return { address, stop };
}

// A page that notes what should not happen: messages, errors, requests that do not go below the address, answers that are no good.
async function visit(address, { width = 1440, height = 860, dark = false } = {}) {
  const context = await b.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  const trouble = [];
  page.on('console', (m) => trouble.push(`console ${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => trouble.push(`error: ${e.message}`));
  page.on('request', (r) => { if (!r.url().startsWith(address) && !/^(data|blob):/.test(r.url())) trouble.push(`request: ${r.url()}`); });
  page.on('response', (r) => { if (r.status() >= 400) trouble.push(`${r.status()}: ${r.url()}`); });
  await page.goto(address);
  await page.waitForSelector('.next-step, .stuck', { state: 'attached' });
  return { page, context, trouble };
}
const calm = (t, what) => same(t.trouble.join('; '), '', `${what}: nothing on the console, no request leaves the page`);

// Fills in what the match is about.
async function begin(page, kind, text, side) {
  await page.getByLabel('what the match is about').selectOption(kind);
  await page.getByLabel('formula or condition').fill(text);
  await page.locator('.play-side').nth(side === 'for' ? 0 : 1).click();
  await page.locator('.play-setup button[type=submit]').click();
}
const mine = (page) => page.waitForSelector('.turn.you, .play .found');
// A step of mine, until it is shown, or the end of the match.
const step = async (page, choice) => {
  const before = await page.locator('.plies li').count();
  await choice.click();
  await page.waitForFunction((n) => document.querySelectorAll('.plies li').length > n || document.querySelector('.play .found'), before);
  await mine(page);
};
const over = (page) => page.waitForSelector('.play .found[role=status]');

// ---- a game with turns: nim ---------------------------------------------------------------------------------------------------------
{
  const s = await serve('examples/nim.pml', '-D', 'N=8');
  const t = await visit(s.address);
  const { page } = t;
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForSelector('.play-setup');
  await shot(page, 'play-setup');
  await begin(page, 'reach', 'sticks == 0 && theirs', 'for');
  await mine(page);
  ok((await page.locator('.stake').textContent()).includes('You play the system and must reach sticks == 0 && theirs'), 'what is at stake is told');
  same(await page.locator('.play .badge').textContent(), 'thimble says no', 'and who can win');
  same(await page.locator('.move').count(), 3, 'three moves');
  await shot(page, 'play-nim');
  await page.keyboard.press('2');
  await page.waitForFunction(() => document.querySelectorAll('.ply.thimble:not(.forced)').length === 1);
  await mine(page);
  ok((await page.locator('.ply.thimble:not(.forced)').textContent()).includes('sticks>=2'), 'thimble leaves four');
  ok((await page.locator('.state').textContent()).includes('sticks'), 'the state is shown');
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.waitForSelector('.move.hinted');
  ok((await page.locator('.hint-note').textContent()).includes('You lose all the same'), 'a hint that cannot help');
  await page.locator('.move').nth(2).click();
  await over(page);
  ok((await page.locator('.play .found').textContent()).startsWith('Thimble has won'), 'played to its end: thimble has won');
  await shot(page, 'play-nim-lost');
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.waitForSelector('.move');
  same(await page.locator('.play .found').count(), 0, 'a move is taken back');
  await page.locator('.move').first().click();
  await over(page);
  ok((await page.locator('.play .found').textContent()).startsWith('Thimble has won'), 'and another one loses as well');
  // the explorer is still there
  await page.getByRole('button', { name: 'Explore', exact: true }).click();
  await page.waitForSelector('.history');
  ok((await page.locator('.past').count()) > 3, 'the run of the match is the run of the explorer');
  await page.keyboard.press('p');
  await over(page);
  ok(true, 'and the match is where it was');
  await page.getByRole('button', { name: 'End' }).click();
  await page.waitForSelector('.play-setup');
  await begin(page, 'reach', 'sticks == 0 && theirs', 'against');
  await mine(page);
  same(await page.locator('.play .badge').textContent(), 'you are right', 'from the other side');
  for (let i = 0; i < 20 && !(await page.locator('.play .found').count()); i++) {
    await page.getByRole('button', { name: 'Hint' }).click();
    await step(page, page.locator('.move.hinted'));
  }
  ok((await page.locator('.play .found').textContent()).startsWith('You have won'), 'hints win');
  await shot(page, 'play-nim-won');
  calm(t, 'nim');
  await t.context.close();
  same(await s.stop(), 0, 'the server ends');
}

// ---- a formula on a net, in the dark ------------------------------------------------------------------------------------------------
{
  const s = await serve('examples/philosophers.net');
  const t = await visit(s.address, { dark: true });
  const { page } = t;
  await page.keyboard.press('p');
  await begin(page, 'ctl', 'AG EF eats1 > 0', 'for');
  await over(page);
  ok((await page.locator('.plies').textContent()).includes('doubt that EF (eats1 > 0) is true here'), 'thimble goes to where a part is false and doubts it');
  same(await page.locator('.transition.enabled').count(), 0, 'which is the deadlock');
  const why = await page.locator('.play .found').textContent();
  ok(why.startsWith('Thimble has won') && why.includes('eats1 > 0 is false here'), 'and is right', why);
  await shot(page, 'play-formula-lost-dark');
  // mistakes
  await page.getByRole('button', { name: 'End' }).click();
  await page.waitForSelector('.play-setup');
  calm(t, 'a formula');
  t.trouble.length = 0;
  await begin(page, 'ctl', 'AG EF zork > 0', 'for');
  await page.waitForSelector('.play .found.bad');
  ok((await page.locator('.play .found.bad').textContent()).includes('zork'), 'an unknown name is told');
  await begin(page, 'ctl', 'G F true', 'for');
  await page.waitForFunction(() => document.querySelector('.play .found.bad')?.textContent.includes('no CTL'));
  ok(true, 'and what is no CTL');
  await t.context.close();
  await s.stop();
}

// ---- a game on a net: the environment's steps, on a small window ---------------------------------------------------------------------
{
  const s = await serve('examples/crossing.net');
  const t = await visit(s.address, { width: 420, height: 800 });
  const { page } = t;
  await page.keyboard.press('p');
  await begin(page, 'keep', '!(inside && up)', 'against');
  await mine(page);
  ok((await page.locator('.asked').textContent()).includes('The system waits: you choose a step of the environment'), 'the system waits');
  await shot(page, 'play-narrow');
  for (let i = 0; i < 20 && !(await page.locator('.play .found').count()); i++) {
    await step(page, page.locator('.move').first());
  }
  ok((await page.locator('.play .found').textContent()).startsWith('Thimble has won'), 'and keeps what is to be kept');
  calm(t, 'a game on a net');
  // hostile requests
  const ask = (path, how) => page.evaluate(async ([p, h]) => (await fetch('api/' + p, h)).status, [path, how]);
  const post = (body) => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  same(await ask('play/take', post('{"k":99}')), 400, 'a move that is not there');
  same(await ask('play/take', post('{"k":-1}')), 400, 'a move that is none');
  same(await ask('play/take'), 400, 'by GET');
  same(await ask('play/open', post('{"kind":"ctl"}')), 400, 'no formula');
  same(await ask('play/hint'), 400, 'a hint without a match');
  same(await ask('play/open', post('{"kind":"strategy","text":"keep up","uncontrollable":"zork"}')), 400, 'a pattern that nothing matches');
  same(await ask('play/look'), 400, 'no match is left of it');
  same(await ask('state?id=0'), 200, 'the explorer goes on');
  await t.context.close();
  await s.stop();
}
await b.close();
finish();
