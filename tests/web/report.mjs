// report.mjs -- reports, opened from file://, driven by keys and clicks; screenshots go to build/shots.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, finish, ok, open, root, run, same, shot, work } from './lib.mjs';

const b = await browser();
const file = (name) => 'file://' + join(work, name);
const calm = (t, what) => same(t.trouble.join('; '), '', `${what}: nothing on the console, no request leaves the page`);

// ---- a violation with a chart ------------------------------------------------------------------
copyFileSync(join(root, 'examples/exchange.pml'), join(work, 'exchange.pml'));
same(run('check', 'exchange.pml', '--report', 'exchange.html', '-q').code, 1, 'check --report');
{
  const t = await open(b, file('exchange.html'));
  const { page } = t;
  await page.waitForSelector('.hero');
  same(await page.locator('.hero h1').textContent(), 'Violated', 'the verdict is what is seen first');
  ok((await page.locator('.hero p').first().textContent()).includes('after 6 steps'), 'in a sentence');
  same(await page.locator('.property').count(), 3, 'all properties');
  ok((await page.title()).startsWith('exchange.pml'), 'the title is the model');
  await shot(page, 'report-verdict-light');
  await page.getByRole('button', { name: 'Walk through it' }).click();
  await page.waitForSelector('#step-0.now');
  same(await page.locator('.step').count(), 7, 'seven moments');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.waitForSelector('#step-3.now');
  ok(true, 'j goes on');
  await page.keyboard.press('k');
  await page.waitForSelector('#step-2.now');
  ok(true, 'k goes back');
  same(await page.locator('.source .line.now code').textContent(), '  k = n;', 'the source line beside it');
  same(await page.locator('.state-table .value').count(), 1, 'only what changed');
  ok((await page.locator('.state-table .value').textContent()).includes('worker[1].k'), 'and what');
  await page.keyboard.press('s');
  ok((await page.locator('.state-table .value').count()) >= 5, 'the full state on demand');
  await page.keyboard.press('s');
  same(await page.locator('.lifeline-name').allTextContents().then((l) => l.join(' ')), 'master[0] worker[1]', 'lifelines');
  ok((await page.locator('.chart .message').count()) >= 2, 'messages');
  const step = await page.locator('#step-3').boundingBox();
  const label = await page.locator('.chart .label', { hasText: 'ack(3)' }).boundingBox();
  ok(label.y > step.y - 4 && label.y < step.y + 2 * step.height, 'the chart is in step with the list');
  await shot(page, 'report-trace-light');
  await page.keyboard.press('/');
  await page.keyboard.type('assert');
  await page.waitForSelector('#step-6.now');
  ok((await page.locator('.search-count').textContent()).includes('1 / 1'), 'search finds and goes there');
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.waitForSelector('#step-0.now');
  await page.keyboard.press('G');
  await page.waitForSelector('#step-6.now');
  ok((await page.locator('.badge.bad').allTextContents()).join().includes('assertion failed'), 'the fault is marked');
  await page.keyboard.press('c');
  await page.waitForSelector('.step.bare');
  await page.keyboard.press('c');
  same(await page.locator('.chart').count(), 0, 'c turns from list and chart to the chart, and to the list');
  await page.keyboard.press('?');
  await page.waitForSelector('.key-help');
  await shot(page, 'report-keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await page.waitForSelector('.coverage-page');
  await shot(page, 'report-coverage-light');
  calm(t, 'a violation');
  await t.context.close();
}

// ---- dark and light ----------------------------------------------------------------------------
{
  const t = await open(b, file('exchange.html') + '#trace/0/5', { dark: true });
  const { page } = t;
  await page.waitForSelector('#step-5.now');
  ok(true, 'an address leads to a step');
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await shot(page, 'report-trace-dark');
  await page.keyboard.press('t');
  const light = await paper();
  const sum = (c) => c.match(/\d+/g).slice(0, 3).reduce((n, x) => n + +x, 0);
  ok(sum(dark) < 200 && sum(light) > 600, 'dark as the system has it, light by a key', `${dark} ${light}`);
  calm(t, 'dark');
  await t.context.close();
}

// ---- a phone -------------------------------------------------------------------------------------
for (const [hash, name] of [['', 'verdict'], ['#trace/0/3', 'trace'], ['#coverage', 'coverage']]) {
  const t = await open(b, file('exchange.html') + hash, { width: 390, height: 844 });
  const { page } = t;
  await page.waitForSelector('main');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  ok(wide <= 390, `${name} fits on a phone`, wide);
  await shot(page, `report-phone-${name}`);
  if (name === 'trace') {
    await page.getByRole('button', { name: 'Source', exact: true }).click();
    ok(await page.locator('.source').isVisible(), 'panes of a phone: source');
    await page.getByRole('button', { name: 'State', exact: true }).click();
    ok(await page.locator('.state-pane').isVisible(), 'and state');
  }
  calm(t, `a phone, ${name}`);
  await t.context.close();
}

// ---- a lasso, never executed statements -----------------------------------------------------------
writeFileSync(join(work, 'lasso.pml'), `byte x;
active proctype P() {
  x = 1;
  do
  :: x == 1 -> x = 2
  :: x == 2 -> x = 1
  :: x == 9 ->
     printf("nobody <b>comes</b> here </script>\\n")
  od
}
ltl ends { <> (x == 3) }
`);
same(run('check', 'lasso.pml', '--report', 'lasso.html', '-q').code, 1, 'a lasso');
{
  const t = await open(b, file('lasso.html') + '#trace/0/0');
  const { page } = t;
  await page.waitForSelector('.step');
  ok((await page.locator('.loop-badge').allTextContents()).join('|').includes('loop begins here'), 'the loop is marked');
  await page.keyboard.press('l');
  ok((await page.locator('.step.now .loop-badge').count()) >= 1, 'l goes there');
  await shot(page, 'report-lasso');
  await page.keyboard.press('3');
  await page.waitForSelector('.coverage-page');
  const never = await page.locator('.line.mark-never').allTextContents();
  ok(never.some((l) => l.includes('nobody')), 'what was never executed is marked in the source', never.join('|'));
  ok((await page.locator('.coverage-page .source').textContent()).includes('</script>'), 'text of the model is text');
  await page.getByRole('button', { name: 'Never executed' }).click();
  ok((await page.locator('.profile-row.never').count()) >= 1, 'and listed');
  await shot(page, 'report-coverage-never');
  calm(t, 'a lasso');
  await t.context.close();
}

// ---- branches of evidence -------------------------------------------------------------------------
copyFileSync(join(root, 'examples/philosophers.net'), join(work, 'philosophers.net'));
same(run('check', 'philosophers.net', '--no-deadlock', '--ctl', '!(EF eats1 == 1 && EF eats2 == 1)', '--report', 'ctl.html', '-q').code, 1, 'a branching property');
{
  const t = await open(b, file('ctl.html') + '#trace/0/0');
  const { page } = t;
  await page.waitForSelector('.step');
  const pick = page.getByRole('combobox', { name: 'Run' });
  const runs = await pick.locator('option').count();
  ok(runs > 1, 'its runs can be chosen', runs);
  await pick.selectOption({ index: runs - 1 });
  await page.keyboard.press('G');
  await page.keyboard.press('2');
  ok((await page.locator('.step.now').count()) === 1, 'and walked through');
  await shot(page, 'report-branches');
  calm(t, 'branches');
  await t.context.close();
}

// ---- curves ---------------------------------------------------------------------------------------
writeFileSync(join(work, 'big.pml'), 'byte a, b, c;\nactive proctype A() { do :: a++ od }\nactive proctype B() { do :: b++ od }\nactive proctype C() { do :: c < 9 -> c++ :: c == 9 -> c = 0 od }\n');
same(run('check', 'big.pml', '--report', 'big.html', '-q', '--memory', '64M').code, 0, 'a run that takes a while');
{
  const t = await open(b, file('big.html'), { height: 1500 });
  const { page } = t;
  await page.waitForSelector('.plot canvas');
  ok((await page.locator('.plot canvas').count()) >= 4, 'curves over time');
  await page.hover('.plot .u-over');
  await shot(page, 'report-curves-light');
  await page.keyboard.press('t');
  await shot(page, 'report-curves-dark');
  calm(t, 'curves');
  await t.context.close();
}

// ---- a hundred thousand steps ----------------------------------------------------------------------
same(run('simulate', 'big.pml', '--random', '100000', '--seed', '7', '-o', 'long.json').code, 0, 'a long run');
same(run('report', 'long.json', '-o', 'long.html').code, 0, 'its report');
{
  const t = await open(b, file('long.html'));
  const { page } = t;
  await page.waitForSelector('.step');
  ok((await page.locator('.step').count()) < 100, 'only rows that can be seen are there');
  await page.keyboard.press('G');
  await page.waitForSelector('#step-100000.now');
  ok(true, 'the last of 100,000 steps');
  let began = Date.now();
  for (let i = 0; i < 30; i++) await page.keyboard.press('k');
  await page.waitForSelector('#step-99970.now');
  const each = (Date.now() - began) / 30;
  ok(each < 250, 'steps follow the keys', `${each} ms each`);
  await page.keyboard.press('/');
  await page.keyboard.type('c = 0');
  await page.waitForFunction(() => /\d \/ [\d,]{5,}/.test(document.querySelector('.search-count')?.textContent || ''));
  ok(true, 'search counts what it finds');
  await page.keyboard.press('Escape');
  await page.locator('.steps').evaluate((el) => { el.scrollTop = el.scrollHeight / 2; });
  await page.waitForFunction(() => [...document.querySelectorAll('.step-number')].some((n) => +n.textContent > 40000 && +n.textContent < 60000));
  ok(true, 'scrolling shows the middle');
  await shot(page, 'report-long');
  calm(t, '100,000 steps');
  await t.context.close();
}

// ---- damaged data ------------------------------------------------------------------------------------
const page = readFileSync(join(work, 'lasso.html'), 'utf8');
for (const [name, from, to, want] of [
  ['foreign.html', '"schema":"thimble.report/1"', '"schema":"thimble.report/9"', 'does not know'],
  ['damaged.html', '"schema":"thimble.report/1"', '"schema":', 'damaged'],
]) {
  writeFileSync(join(work, name), page.replace(from, to));
  const t = await open(b, file(name));
  ok((await t.page.locator('main.foreign').textContent()).includes(want), `${name} says what is wrong with it`);
  calm(t, name);
  await t.context.close();
}

await b.close();
finish();
