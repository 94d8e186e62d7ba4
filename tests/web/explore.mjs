// explore.mjs -- the explorer, driven by keys and clicks against a real server; screenshots go to build/shots.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, finish, ok, root, run, same, shot, thimble, work } from './lib.mjs';

const b = await browser();
const servers = new Set();
process.on('exit', () => { for (const p of servers) p.kill('SIGKILL'); }); // also when something fails half-way

// A server for a model: {address, stop}.
async function serve(...args) {
  const p = spawn(thimble, ['explore', '--quiet', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  servers.add(p);
  p.once('exit', () => servers.delete(p));
  const address = await new Promise((found, lost) => {
    p.stdout.once('data', (d) => found(String(d).trim()));
    p.once('exit', () => lost(new Error('explore ended')));
  });
  const stop = () => new Promise((done) => { p.once('exit', (code) => done(code)); p.kill('SIGINT'); });
  return { address, stop };
}

// A page that notes what should not happen: messages, errors, requests that do not go below the address, answers that are no good.
async function visit(address, { width = 1440, height = 860, dark = false } = {}) {
  const context = await b.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', acceptDownloads: true });
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
const label = (page) => page.locator('.past.now').textContent();

// ---- a net with positions ----------------------------------------------------------------------------------------------------
{
  const s = await serve('examples/mutex.pnml');
  const t = await visit(s.address);
  const { page } = t;
  await page.waitForSelector('.net-view .place');
  same(await page.locator('.net-view .place').count(), 7, 'all places are drawn');
  same(await page.locator('.net-view .transition').count(), 6, 'all transitions');
  same(await page.locator('.net-view .arc').count(), 16, 'all arcs');
  same(await page.locator('.badge', { hasText: 'laid out' }).count(), 0, 'where the file has them');
  same(await page.locator('.transition.enabled').count(), 2, 'two are enabled');
  same(await page.locator('.next-step').count(), 2, 'and are next steps');
  await shot(page, 'explore-net-light');
  await page.keyboard.press('1');
  await page.waitForSelector('.flying[visibility=visible]', { state: 'attached' });
  ok(true, 'tokens move when a step is taken');
  await page.waitForTimeout(150);
  await shot(page, 'explore-net-moving');
  await page.waitForSelector('.flying', { state: 'detached' });
  same(await page.locator('[data-place=waiting1]').getAttribute('data-tokens'), '1', 'and arrive');
  same(await page.locator('.past').count(), 2, 'the run has a step');
  ok((await page.locator('.state .value.changed').allTextContents()).join().includes('waiting1'), 'changed values are marked');
  await page.keyboard.press('u');
  await page.waitForSelector('.badge:text-is("0")');
  same(await page.locator('[data-place=idle1]').getAttribute('data-tokens'), '1', 'u undoes it');
  await page.keyboard.press('U');
  await page.waitForFunction(() => document.querySelector('[data-place=waiting1]').dataset.tokens === '1');
  ok(true, 'U takes it again');
  await page.locator('[data-transition=enter1]').click();
  await page.waitForFunction(() => document.querySelector('[data-place=critical1]').dataset.tokens === '1');
  ok(true, 'a click on a transition takes it');
  await page.keyboard.press('r');
  await page.waitForFunction(() => document.querySelectorAll('.past').length === 4);
  ok(true, 'r takes a random step');

  // the graph
  await page.getByRole('tab', { name: 'State graph' }).click();
  await page.waitForSelector('.node');
  same(await page.locator('.node').count(), 8, 'the graph has all states');
  ok((await page.locator('.view-note').textContent()).includes('complete'), 'and says so');
  same(await page.locator('.edge.on-run').count(), 3, 'the run is marked in it');
  await page.locator('.node[data-state="0"]').dblclick();
  await page.waitForFunction(() => document.querySelector('.node.here')?.dataset.state === '0');
  ok(true, 'a double click goes to a state');
  await shot(page, 'explore-graph-small');
  // what the user asks
  await page.locator('.find select').selectOption('reachable');
  await page.locator('.formula').fill('critical2 == 1');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.waitForSelector('.found');
  ok((await page.locator('.found').textContent()).includes('Reached after 2 steps'), 'a wanted state is found');
  same(await page.locator('.past').count(), 3, 'and the way there is the run');
  await page.locator('.formula').fill('critical9 == 1');
  t.trouble.length = 0;
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.waitForSelector('.found.bad');
  ok((await page.locator('.found.bad').textContent()).includes('critical9'), 'a name that there is not is told');
  ok(t.trouble.every((m) => m.includes('400')), 'by an answer that says so', t.trouble.join());
  t.trouble.length = 0;

  // a reload goes on where it was
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll('.past').length === 3);
  ok(true, 'a reload goes on where it was');
  // keys
  await page.keyboard.press('?');
  await page.waitForSelector('.key-help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  same(await page.evaluate(() => document.documentElement.dataset.theme), 'dark', 't turns dark');
  await page.waitForTimeout(300);
  await shot(page, 'explore-net-dark');
  calm(t, 'a net');
  await t.context.close();
  same(await s.stop(), 0, 'the server ends well');
}

// ---- processes: text, violation, chart, runs as files ----------------------------------------------------------------------------
{
  const s = await serve('examples/exchange.pml');
  const t = await visit(s.address);
  const { page } = t;
  await page.waitForSelector('.text-view .line');
  same(await page.locator('.stand').count(), 1, 'one process stands somewhere');
  ok((await page.locator('.line.mark-stand code').textContent()).includes('run worker(3)'), 'at its line');
  await page.locator('.next-step').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.stand').length === 2);
  same(await page.locator('.line.mark-stand').count(), 2, 'two processes, two lines');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.waitForSelector('.found.bad');
  ok((await page.locator('.found').textContent()).includes('assertion failed: v==3 after 6 steps'), 'the violation is found');
  same(await page.locator('.past').count(), 7, 'its run is gone along');
  ok((await label(page)).includes('assert(v==3)'), 'to its end');
  same(await page.locator('.line.now .line-number').textContent(), '21', 'the line of the last step');
  await shot(page, 'explore-text-light');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save run' }).click()]);
  same(file.suggestedFilename(), 'exchange.run.json', 'the run as a file');
  const kept = join(work, 'exchange.run.json');
  await file.saveAs(kept);
  same(JSON.parse(readFileSync(kept, 'utf8')).schema, 'thimble.trace/1', 'which is a trace');
  same(run('simulate', join(root, 'examples/exchange.pml'), '--replay', kept).code, 0, 'that simulate goes along');
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.waitForSelector('.chart-view .lifeline-name');
  same((await page.locator('.lifeline-name').allTextContents()).join(' '), 'master[0] worker[1]', 'the run as a chart');
  await page.waitForTimeout(200);
  await shot(page, 'explore-chart-light');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('tab', { name: 'State graph' }).click();
  await page.waitForSelector('.node.end');
  await page.waitForTimeout(200);
  await shot(page, 'explore-graph-text');
  await page.getByRole('button', { name: 'Walk' }).click();
  await page.waitForSelector('.stuck');
  ok(true, 'a walk goes on until nothing can happen');
  await page.locator('.hidden-file').setInputFiles(kept);
  await page.waitForFunction(() => document.querySelectorAll('.past').length === 7);
  ok((await label(page)).includes('assert(v==3)'), 'the file is opened again');
  calm(t, 'processes');
  const wrong = join(work, 'wrong.json');
  writeFileSync(wrong, '{"schema":"thimble.trace/1"}');
  await page.locator('.hidden-file').setInputFiles(wrong);
  await page.waitForSelector('.error-line');
  ok((await page.locator('.error-line').textContent()).includes('not a thimble.trace/1 file'), 'a file that is none is refused in words');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.error-line', { state: 'detached' });
  await t.context.close();
  await s.stop();
}

// ---- coloured nets, large graphs -------------------------------------------------------------------------------------------------
{
  const s = await serve('examples/philosophers.cpnt');
  const t = await visit(s.address);
  const { page } = t;
  await page.waitForSelector('.net-view .place');
  same(await page.locator('[data-place=Fork]').getAttribute('data-tokens'), '10', 'coloured places tell how many tokens they have');
  await page.locator('[data-place=Fork] .name').hover();
  await page.waitForSelector('.hover-card');
  same(await page.locator('.hover-tokens span').count(), 10, 'and which, when one points at them');
  await page.locator('[data-transition=Take]').click();
  await page.waitForSelector('.choice');
  same(await page.locator('.choice-list button').count(), 10, 'a transition with several bindings asks which');
  await shot(page, 'explore-coloured-choice');
  await page.locator('.choice-list button').nth(2).click();
  await page.waitForFunction(() => document.querySelector('[data-place=Fork]').dataset.tokens === '8');
  ok((await label(page)).includes('s=3'), 'and takes it');
  await page.waitForSelector('.flying', { state: 'detached' });
  await shot(page, 'explore-coloured-light');
  calm(t, 'a coloured net');
  await t.context.close();
  await s.stop();
}
{
  writeFileSync(join(work, 'grid.net'), 'net grid\nplace a = 40, b, c, d\ntransition ab : a -> b\ntransition bc : b -> c\ntransition cd : c -> d\n');
  const s = await serve(join(work, 'grid.net'));
  const t = await visit(s.address);
  const { page } = t;
  await page.waitForSelector('.net-view .place');
  same(await page.locator('.badge', { hasText: 'laid out' }).count(), 1, 'a net without positions is laid out');
  await shot(page, 'explore-net-laid');
  await page.getByRole('tab', { name: 'State graph' }).click();
  await page.waitForSelector('.node');
  same(await page.locator('.node').count(), 200, 'the first 200 states');
  ok((await page.locator('.view-note .badge').textContent()) === 'partial', 'the graph is partial');
  await page.waitForTimeout(200);
  await shot(page, 'explore-graph-large');
  const before = await page.locator('.node').count();
  await page.getByRole('button', { name: 'All of it' }).click();
  await page.locator('.node.open').last().dispatchEvent('click');
  await page.waitForFunction((n) => document.querySelectorAll('.node').length > n, before);
  ok(true, 'a click unfolds a state');
  await page.waitForSelector('.view-about');
  await page.getByRole('button', { name: 'Go there' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.past').length > 5);
  ok(true, 'and one may go there');
  await page.getByRole('button', { name: '200 more' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.node').length >= 400);
  ok(true, 'more on demand');
  calm(t, 'a large graph');
  await t.context.close();
  await s.stop();
}

// ---- an explicit graph, a phone, names that look like HTML -------------------------------------------------------------------------
{
  const s = await serve('examples/graph.aut');
  const t = await visit(s.address);
  await t.page.waitForSelector('.node');
  same((await t.page.locator('[role=tab]').allTextContents()).join(), 'State graph', 'an explicit graph is shown as one');
  await t.page.waitForTimeout(200);
  await shot(t.page, 'explore-aut');
  calm(t, 'an explicit graph');
  await t.context.close();
  await s.stop();
}
{
  writeFileSync(join(work, 'evil.net'), 'net "<script>alert(1)</script>"\nplace "<img src=x onerror=alert(1)>" = 1, "</script><b>"\ntransition "&lt;\'\\"<i>" : "<img src=x onerror=alert(1)>" -> "</script><b>"\n');
  const s = await serve(join(work, 'evil.net'));
  const t = await visit(s.address, { width: 390, height: 800, dark: true });
  const { page } = t;
  await page.waitForSelector('.net-view .place');
  same(await page.locator('img, .net-view i, .net-view b').count(), 0, 'names are text');
  await shot(page, 'explore-phone-view');
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  await page.waitForSelector('.next-step', { state: 'visible' });
  ok((await page.locator('.next-step').textContent()).includes('<i>'), 'as they are');
  await page.locator('.next-step').click();
  await page.waitForSelector('.stuck.bad');
  await shot(page, 'explore-phone-steps');
  same(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'a phone need not scroll sideways');
  calm(t, 'a phone');
  await t.context.close();
  await s.stop();
}
await b.close();
finish();
