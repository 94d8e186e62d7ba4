// panels.jsx -- what stands beside the view: next steps, the run so far, the state.
import { useMemo, useState } from 'preact/hooks';
import { VirtualList } from '../shared/virtual.jsx';
import { StateTable } from '../shared/state.jsx';
import { Who } from '../shared/steps.jsx';
import { Icon } from '../shared/icon.jsx';
import { count, plural } from '../shared/format.js';
import { nameOf } from './text.jsx';

const base = (file) => (file || '').split('/').pop();

// ---- next steps ----

function sends(step) {
  const said = [];
  for (const p of step.parts || []) {
    const c = p.send || p.receive || p.peek;
    if (!c) continue;
    const message = c.message.join(', ');
    if (p.send) said.push(`sends ${message} on ${c.channel}${c.to ? ` to ${nameOf(c.to)}` : ''}${c.lost ? ', which loses it' : ''}`);
    else if (!c.from) said.push(`${p.peek ? 'reads' : 'receives'} ${message} on ${c.channel}`);
  }
  return said.join('; ');
}

function NextStep({ x, step, i, faults }) {
  const fault = faults.filter((f) => f.k === step.k);
  const more = sends(step);
  return (
    <button class={'next-step' + (fault.length ? ' bad' : '')} onClick={() => x.take(step.k)} data-k={step.k}>
      <kbd class={i < 10 ? '' : 'none'}>{i < 9 ? i + 1 : i === 9 ? 0 : ''}</kbd>
      <span class="next-body">
        <span class="next-line"><Who name={nameOf(step)} /><code>{step.label}</code></span>
        {(more || step.parts?.length > 1 || fault.length > 0) && (
          <span class="next-line small">
            {more && <span class="quiet">{more}</span>}
            {step.parts?.length > 1 && !more && <span class="quiet">{plural(step.parts.length, 'statement')}</span>}
            {fault.map((f, n) => <span key={n} class="badge bad">{f.message}</span>)}
          </span>
        )}
      </span>
      {step.line && step.process ? <span class="quiet next-place">{base(step.file)}:{step.line}</span> : null}
    </button>
  );
}

export function NextSteps({ x }) {
  const s = x.state;
  const faults = s?.faults || [];
  const lonely = faults.filter((f) => f.k == null);
  return (
    <section class="panel next" aria-label="Next steps">
      <h2>Next {s ? <span class="badge">{count(s.steps_in_all)}</span> : null}</h2>
      <div class="next-list">
        {lonely.map((f, i) => <p key={i} class="stuck bad"><Icon name="warn" size={16} /> {f.message}{f.line ? ` (${base(f.file)}:${f.line})` : ''}</p>)}
        {s?.deadlock && <p class="stuck bad"><Icon name="warn" size={16} /> Deadlock: nothing can happen.</p>}
        {s?.end && <p class="stuck good"><Icon name="yes" size={16} /> The end: nothing is left to do.</p>}
        {s?.broken && <p class="stuck bad"><Icon name="warn" size={16} /> {s.broken}</p>}
        {(s?.steps || []).map((step, i) => <NextStep key={step.k} x={x} step={step} i={i} faults={faults} />)}
        {s && s.steps.length < s.steps_in_all && <button class="button small more" onClick={x.more}>{count(s.steps_in_all - s.steps.length)} more</button>}
      </div>
    </section>
  );
}

// ---- the run ----

export function History({ x }) {
  const row = (i) => {
    const step = i ? x.run[i - 1] : null;
    return (
      <button class={'past' + (i === x.at ? ' now' : '') + (i > x.at ? ' ahead' : '') + (x.loop >= 0 && i > x.loop ? ' in-loop' : '')} onClick={() => x.go(i)}>
        <span class="past-number">{i}</span>
        {step ? <><Who name={nameOf(step)} /><code title={step.label}>{step.label}</code></> : <i>initial state</i>}
        {x.loop === i && <span class="badge loop-badge"><Icon name="loop" size={13} /> loop</span>}
        <span class="past-state quiet">{step ? step.to : 0}</span>
      </button>
    );
  };
  return (
    <section class="panel history" aria-label="Run">
      <h2>Run <span class="badge">{count(x.at)}{x.at < x.run.length ? ` of ${count(x.run.length)}` : ''}</span></h2>
      {x.about && <p class={'about ' + (x.about.good ? 'good' : 'bad')}>{x.about.text}</p>}
      <VirtualList class="history-list" count={x.run.length + 1} height={30} row={row} at={x.at} />
    </section>
  );
}

// ---- the state ----

const clip = (text) => (text.length > 18 ? text.slice(0, 17) + '…' : text);

// Rows for the table; what a step took away is told as well.
export function rowsOf(state, was) {
  if (!state) return [];
  const old = new Map((was?.values || []).map((v) => [v.label, v.text]));
  const rows = state.values.map((v) => {
    const before = old.get(v.label);
    old.delete(v.label);
    const changed = was && before !== v.text;
    return { key: v.var, label: v.label, text: v.text, was: changed ? clip(before ?? (state.stands ? 'none' : v.tokens != null ? 'empty' : '0')) : null };
  });
  if (was && was.values_in_all === was.values.length) for (const v of was.values) if (old.has(v.label)) rows.push({ key: v.var, label: v.label, text: state.stands ? 'none' : v.value != null ? '0' : 'empty', was: clip(v.text) });
  return rows.sort((a, b) => a.key - b.key);
}

export function State({ x, filterRef }) {
  const [filter, setFilter] = useState('');
  const rows = useMemo(() => rowsOf(x.state, x.at ? x.was : null), [x.state, x.was, x.at]);
  const changed = rows.filter((r) => r.was != null);
  const sorted = useMemo(() => (rows.length > 40 && changed.length ? [...changed, ...rows.filter((r) => r.was == null)] : rows), [rows]);
  return (
    <section class="panel state" aria-label="State">
      <h2>
        State <span class="badge">{x.id}</span>
        {changed.length > 0 && <span class="badge now-badge">{plural(changed.length, 'change')}</span>}
        <input ref={filterRef} class="filter" type="search" placeholder="filter" aria-label="filter values" value={filter} onInput={(e) => setFilter(e.target.value)} onKeyDown={(e) => e.key === 'Escape' && e.target.blur()} />
      </h2>
      <StateTable rows={sorted} all filter={filter} />
      {x.state && x.state.values_in_all > x.state.values.length && <p class="quiet state-count">only the first {count(x.state.values.length)} are shown</p>}
    </section>
  );
}
