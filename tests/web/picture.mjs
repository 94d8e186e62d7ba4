// picture.mjs -- pictures in the explorer: clicks take steps, the drawing follows the state, hostile drawings run nothing; screenshots go to build/shots.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, finish, ok, root, same, shot, thimble, work } from './lib.mjs';

const b = await browser();

// The explorer on a model with a picture; what it says on standard error is kept.
async function explore(model, picture) {
  const child = spawn(thimble, ['explore', model, '--picture', picture], { cwd: work });
  const said = { err: '' };
  child.stderr.on('data', (d) => (said.err += d));
  process.on('exit', () => child.kill('SIGINT'));
  const address = await new Promise((done, fail) => {
    let out = '';
    child.stdout.on('data', (d) => {
      out += d;
      if (out.includes('\n')) done(out.split('\n')[0]);
    });
    child.on('exit', () => fail(new Error('the explorer has ended: ' + said.err)));
  });
  const context = await b.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(30000);
  const trouble = [];
  page.on('console', (m) => trouble.push(`console ${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => trouble.push(`error: ${e.message}`));
  page.on('dialog', (d) => {
    trouble.push('dialog: ' + d.message());
    d.dismiss();
  });
  page.on('request', (r) => {
    if (!r.url().startsWith(address) && !r.url().startsWith('data:')) trouble.push(`request: ${r.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector('.picture-host svg');
  return { page, trouble, said, end: () => context.close().then(() => child.kill('SIGINT')) };
}
// The texts that are seen, as soon as they are the wanted ones; what they are after ten seconds otherwise.
async function soon(page, wanted) {
  let now = await shown(page);
  for (const end = Date.now() + 10000; now !== wanted && Date.now() < end; now = await shown(page)) await page.waitForTimeout(20);
  return now;
}
const shown = (page) => page.locator('.picture-host text').evaluateAll((all) => all.filter((t) => !t.closest('.thimble-gone')).map((t) => t.textContent).join(' '));

// ---- philosophers -----------------------------------------------------------------------------------------------------
{
  const t = await explore(join(root, 'examples/philosophers.net'), join(root, 'examples/philosophers.svg'));
  const { page } = t;
  const same_soon = async (wanted, what) => same(await soon(page, wanted), wanted, what);
  await same_soon('Anna thinks Bert thinks Cleo thinks 3 forks free', 'the initial state');
  await shot(page, 'picture-start');
  const buttons = page.locator('.picture-host .thimble-click');
  same(await page.locator('.picture-host .thimble-ready').count(), 3, 'three parts can be clicked');
  await buttons.nth(0).click();
  await same_soon('Anna waits Bert thinks Cleo thinks 2 forks free', 'a click takes a step');
  ok((await page.locator('.picture-host .thimble-move').first().getAttribute('style')).includes('translate('), 'a fork moves');
  await page.waitForTimeout(500);
  same(await buttons.nth(0).locator('circle').evaluate((c) => getComputedStyle(c).fill), 'rgb(245, 196, 81)', 'colours change');
  await buttons.nth(1).focus();
  await page.keyboard.press('Enter');
  await same_soon('Anna waits Bert waits Cleo thinks 1 forks free', 'so does Enter');
  await buttons.nth(2).click();
  await same_soon('Anna waits Bert waits Cleo waits nobody can move', 'a deadlock is seen');
  same(await page.locator('.picture-host .thimble-ready').count(), 0, 'nothing can be clicked there');
  await page.waitForTimeout(600);
  await shot(page, 'picture-deadlock');
  await buttons.nth(2).dispatchEvent('click');
  await page.keyboard.press('u');
  await same_soon('Anna waits Bert waits Cleo thinks 1 forks free', 'a click on what cannot happen does nothing; undo goes back');
  same(t.trouble.join('; '), '', 'nothing on the console, no request leaves the page');
  await t.end();
}

// ---- hostile drawings, wrong names ------------------------------------------------------------------------------------------
{
  writeFileSync(join(work, 'two.net'), 'net two\nplace a = 1, b\nplace "<b>x</b>" = 1\ntransition go : a -> b\ntransition other : a -> b\ntransition back : b -> a\n');
  writeFileSync(join(work, 'bad.svg'), `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 200 100" onload="alert(1)">
<script>alert(2)</script><image href="http://192.0.2.1/x.png" onerror="alert(3)"/><style>@import url(http://192.0.2.1/x.css); body { display: none }</style>
<style>body, .top-bar { display: none } text { font: 12px monospace }</style>
<foreignObject width="9" height="9"><div xmlns="http://www.w3.org/1999/xhtml" onclick="alert(4)">x</div></foreignObject>
<rect width="200" height="100" fill="#eee"/><rect id="click" x="10" y="10" width="50" height="30" fill="#8bf" data-thimble-click="go, other"/>
<text x="10" y="70" data-thimble-text="a is {a}, {&quot;&lt;b&gt;x&lt;/b&gt;&quot;}, {nowhere}"/><g data-thimble-count="a + b"><circle cx="100" cy="20" r="5"/><circle cx="120" cy="20" r="5"/></g>
<text x="10" y="90" data-thimble-on="go">went</text></svg>`);
  const t = await explore('two.net', 'bad.svg');
  const { page } = t;
  await page.waitForFunction(() => document.querySelector('.picture-host').shadowRoot.textContent.includes('a is'));
  same(await shown(page), 'a is 1, 1, ?', 'values, and a question mark for what nobody knows');
  ok(await page.locator('.top-bar').isVisible(), 'its style sheet is its own');
  same(await page.locator('.picture-host').evaluate((h) => h.shadowRoot.querySelectorAll('script, foreignObject, image[href], [onload], [onerror]').length), 0, 'nothing that runs or loads is there');
  ok(/bad.svg:2: warning: <script> is left out/.test(t.said.err), 'what was left out is told on standard error');
  ok(/1 of 3 transitions have no part in the picture/.test(t.said.err), 'and which transitions have no part', t.said.err);
  await page.locator('.picture-problems summary').click();
  ok((await page.locator('.picture-problems').textContent()).includes('nowhere'), 'and under the picture');
  ok((await page.locator('.picture-problems').textContent()).includes('without a part: back'), 'with their names');
  await shot(page, 'picture-problems');
  same(await page.locator('.picture-host circle:not(.thimble-gone)').count(), 1, 'parts are counted');
  await page.locator('.picture-host #click').click();
  same(await page.locator('.picture-choice button').allTextContents().then((l) => l.join(' ')), 'go other Cancel', 'several steps are offered');
  await page.locator('.picture-choice button').first().click();
  await page.waitForFunction(() => document.querySelector('.picture-host').shadowRoot.textContent.includes('a is 0'));
  same(await shown(page), 'a is 0, 1, ? went', 'an event is seen when it has happened');
  same(t.trouble.join('; '), '', 'nothing ran, nothing was loaded');
  await t.end();
}
await b.close();
finish();
