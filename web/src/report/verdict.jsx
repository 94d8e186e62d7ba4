// verdict.jsx -- the verdict in a sentence, the properties, and how the run went.
import { Icon } from '../shared/icon.jsx';
import { Plot } from '../shared/plot.jsx';
import { bytes, count, plural, seconds, short } from '../shared/format.js';
import { useMemo } from 'preact/hooks';
import { Notes } from './report.jsx';

const names = {
  holds: ['good', 'yes', 'Holds'],
  violated: ['bad', 'no', 'Violated'],
  incomplete: ['warn', 'warn', 'Incomplete'],
  'no-violation-lossy': ['warn', 'warn', 'No violation found'],
  error: ['bad', 'warn', 'Error'],
};
const looks = (v) => names[v] || ['warn', 'unknown', String(v)];

export function VerdictBadge({ verdict }) {
  const [kind, icon, text] = looks(verdict.verdict);
  return <span class={'badge ' + kind}><Icon name={icon} size={14} /> {text}</span>;
}

const limits = {
  memory: 'the memory budget was used up',
  time: 'the time was up',
  states: 'the limit on states was reached',
  depth: 'the limit on depth was reached',
  interrupt: 'it was interrupted',
  unbounded: 'the state space has no end',
  spent: 'the walks that were wanted are done',
  channels: 'a channel grew longer than channels can be',
};

// What people want to know first.
function sentence(v) {
  const bad = v.properties.filter((p) => p.status === 'violated');
  const states = plural(v.states, 'state');
  if (v.verdict === 'error') return v.error ? `${v.error.file ? `${v.error.file}:${v.error.line}: ` : ''}${v.error.message}` : 'The run ended in an error.';
  if (v.verdict === 'violated') {
    const p = bad[0];
    const what = p.message || (p.kind === 'deadlock' ? 'a deadlock can be reached' : p.text || `${p.id} does not hold`);
    const after = p.steps == null ? '' : ` after ${plural(p.steps, 'step')}${p.shortest ? ', the shortest way there is' : ''}`;
    const more = bad.length > 1 ? ` ${plural(bad.length - 1, 'other property is', 'other properties are')} violated, too.` : '';
    return `${what[0].toUpperCase()}${what.slice(1)}${after}.${more}`;
  }
  if (v.verdict === 'holds')
    return v.complete ? `Every property holds. All ${states} that can be reached were explored.` : `Every property holds; ${states} were enough to decide it.`;
  if (v.verdict === 'no-violation-lossy') {
    const miss = v.store.omission_probability;
    return `No violation was found in ${states}, but the store may have missed states${miss ? ` (omission probability ${miss.toPrecision(2)})` : ''}: this is no proof.`;
  }
  return `${(limits[v.stop.reason] || 'The search did not come to its end').replace(/^./, (c) => c.toUpperCase())}: ${states} were explored${v.frontier ? `, ${count(v.frontier)} wait` : ''}.`;
}

function Property({ p, traces, go }) {
  const [kind, icon] = p.status === 'holds' ? ['good', 'yes'] : p.status === 'violated' ? ['bad', 'no'] : ['warn', 'unknown'];
  const runs = traces.map((t, i) => [t, i]).filter(([t]) => t.property === p.id);
  const facts = [
    p.status === 'unknown' && 'not decided in what was explored',
    p.location && `${p.location.file}:${p.location.line}`,
    p.steps != null && plural(p.steps, 'step') + (p.shortest ? ', shortest' : ''),
    p.loop != null && `loop from step ${p.loop}`,
    p.product && `${p.product.method}: ${plural(p.product.states, 'state')} of the product`,
    p.deciding_states > 1 && plural(p.deciding_states, 'such state'),
  ].filter(Boolean);
  return (
    <li class="property">
      <span class={'status ' + kind} title={p.status}><Icon name={icon} size={16} /></span>
      <div class="property-body">
        <div class="property-line"><code class="property-id">{p.id}</code> <span class={'property-status ' + kind}>{p.status}</span></div>
        {p.text && <div><code>{p.text}</code></div>}
        {p.message && p.message !== p.text && <div>{p.message}</div>}
        {facts.length > 0 && <div class="quiet">{facts.join(' · ')}</div>}
      </div>
      <div class="property-go">
        {runs.map(([t, i], k) => (
          <button class="button" key={i} onClick={() => go('trace', i, 0)}>{runs.length > 1 ? `Trace ${k + 1}` : 'Trace'} <Icon name="right" size={14} /></button>
        ))}
      </div>
    </li>
  );
}

function Tile({ name, value, more }) {
  return <div class="tile"><div class="tile-value">{value}</div><div class="tile-name">{name}</div>{more && <div class="quiet tile-more">{more}</div>}</div>;
}

// Parts of a whole as one bar: [{name, value, text}].
function Bar({ title, parts, of, ofText }) {
  const all = parts.filter((p) => p.value > 0).sort((a, b) => b.value - a.value);
  const sum = Math.max(of || 0, all.reduce((n, p) => n + p.value, 0));
  if (!all.length || !sum) return null;
  return (
    <figure class="bar-figure">
      <figcaption>{title}{ofText && <span class="quiet"> {ofText}</span>}</figcaption>
      <div class="bar">{all.map((p, i) => <span key={p.name} class={'bar-part fill' + (i % 8)} style={{ width: `${(100 * p.value) / sum}%` }} title={`${p.name}: ${p.text}`} />)}</div>
      <div class="bar-legend">{all.slice(0, 8).map((p, i) => <span key={p.name}><i class={'dot fill' + (i % 8)} /> {p.name} <b>{p.text}</b></span>)}</div>
    </figure>
  );
}

function Curves({ verdict }) {
  const t = verdict.timeline;
  const curves = useMemo(() => {
    if (!t || t.seconds.length < 2) return null;
    const same = (i, k) => !t.search || t.search[i] === t.search[k];
    const span = (t.seconds[t.seconds.length - 1] - t.seconds[0]) / 12; // a rate over less is noise
    const rate = t.states.map((n, i) => {
      let k = i;
      while (k > 0 && same(i, k - 1) && (k === i || t.seconds[i] - t.seconds[k] < span)) k--;
      const dt = t.seconds[i] - t.seconds[k];
      return dt > 0 ? Math.max(0, (n - t.states[k]) / dt) : null;
    });
    const grows = t.transitions.map((n, i) => (n > 0 ? (100 * t.states[i]) / n : null));
    return {
      memory: [{ label: 'held', values: t.memory_bytes, colour: 'hue3' }],
      rate: [{ label: 'states per second', values: rate, colour: 'hue0' }],
      frontier: [{ label: 'waiting', values: t.frontier, colour: 'hue2' }],
      states: [{ label: 'states', values: t.states, colour: 'hue4' }],
      depth: [{ label: 'depth', values: t.depth, colour: 'hue1' }],
      grows: [{ label: 'fresh', values: grows, colour: 'hue5', text: (n) => n.toFixed(1) + ' %' }],
    };
  }, [t]);
  if (!curves)
    return <p class="quiet curves-none">{t ? 'The search was over before there was anything to draw over time.' : 'This verdict has no timeline: it was written by an older version.'}</p>;
  const searches = t.search ? t.search[t.search.length - 1] + 1 : 1;
  const budget = verdict.memory.budget_bytes;
  const most = Math.max(...t.memory_bytes);
  return (
    <div class="curves">
      <div class="panel"><Plot title={`Memory: at most ${((100 * most) / budget).toFixed(most * 10 > budget ? 0 : 2)} % of ${bytes(budget)}`} x={t.seconds} series={curves.memory} text={bytes} bytes line={{ value: budget, near: most * 3 > budget }} /></div>
      <div class="panel"><Plot title="States per second" x={t.seconds} series={curves.rate} text={short} /></div>
      <div class="panel"><Plot title="Frontier: states that wait" x={t.seconds} series={curves.frontier} text={short} /></div>
      <div class="panel"><Plot title="States" x={t.seconds} series={curves.states} text={short} /></div>
      <div class="panel"><Plot title="Depth" x={t.seconds} series={curves.depth} text={short} /></div>
      <div class="panel"><Plot title="Fresh states per transition so far" x={t.seconds} series={curves.grows} text={(n) => short(n) + ' %'} /></div>
      {searches > 1 && <p class="quiet curves-wide">The run had {count(searches)} searches, one after the other: each begins again with no states.</p>}
    </div>
  );
}

export function VerdictView({ data, go }) {
  const v = data.verdict;
  const [kind, icon, name] = looks(v.verdict);
  const first = data.traces.findIndex((t) => v.properties.some((p) => p.id === t.property && p.status === 'violated'));
  const rate = v.time.search_s > 0.0005 ? v.states / v.time.search_s : null;
  const held = v.memory.held || {};
  const rest = v.time.total_s - v.time.load_s - v.time.analysis_s - v.time.search_s;
  return (
    <main class="page">
      <section class={'hero panel ' + kind}>
        <span class="hero-icon"><Icon name={icon} size={30} /></span>
        <div class="hero-text">
          <h1>{name}</h1>
          <p>{sentence(v)}</p>
          {v.error?.hint && <p class="quiet">{v.error.hint}</p>}
          {v.stop.advice && <p class="quiet">{v.stop.advice}</p>}
        </div>
        {first >= 0 && <button class="button main" onClick={() => go('trace', first, 0)}>Walk through it <Icon name="right" size={16} /></button>}
      </section>
      <Notes notes={data.notes} />
      <section class="panel properties" aria-label="Properties">
        <h2>Properties</h2>
        {v.properties.length ? <ul>{v.properties.map((p) => <Property key={p.id} p={p} traces={data.traces} go={go} />)}</ul> : <p class="quiet none">No property was judged.</p>}
      </section>
      <section class="tiles" aria-label="Figures">
        <Tile name="states" value={count(v.states)} more={v.states_before_reduction ? `${count(v.states_before_reduction)} before reduction` : v.model.state_bits ? `${count(v.model.state_bits)} bits each` : null} />
        <Tile name="transitions" value={count(v.transitions)} more={v.states > 0 ? `${(v.transitions / v.states).toFixed(2)} per state` : null} />
        <Tile name="depth" value={count(v.depth)} more={v.deadlocks ? plural(v.deadlocks, 'deadlock') : null} />
        <Tile name="memory at its peak" value={bytes(v.memory.peak_bytes)} more={`of ${bytes(v.memory.budget_bytes)}`} />
        <Tile name="per state" value={v.states > 0 ? bytes(v.memory.bytes_per_state) : '–'} more={`store ${v.store.used.join(' → ') || v.store.requested}`} />
        <Tile name="time" value={seconds(v.time.total_s)} more={rate ? `${short(rate)} states per second` : null} />
      </section>
      <Curves verdict={v} />
      <section class="panel means" aria-label="Means">
        <h2>How it was done</h2>
        <dl>
          <div><dt>model</dt><dd><code>{v.model.file}</code> {v.model.language}{Array.isArray(v.model.options) && v.model.options.map((o) => <div key={o}>with <code>{o}</code></div>)}</dd></div>
          <div><dt>search</dt><dd>{v.search}{v.search_ways ? ` (${v.search_ways})` : ''}</dd></div>
          <div><dt>store</dt><dd>{v.store.used.join(' → ') || v.store.requested}{v.lossy ? ' (lossy)' : ''}</dd></div>
          <div><dt>engine</dt><dd>{v.engine}</dd></div>
          <div><dt>reductions</dt><dd>{v.reductions.length ? v.reductions.join(', ') : 'none'}{v.reduction_texts && Object.entries(v.reduction_texts).map(([n, text]) => <div class="quiet" key={n}>{n}: {text}</div>)}</dd></div>
          <div><dt>ended by</dt><dd>{v.stop.reason}</dd></div>
          <div><dt>Thimble</dt><dd>{v.version}</dd></div>
        </dl>
        <Bar title="Memory at the end" ofText={`of ${bytes(v.memory.budget_bytes)}`} parts={Object.entries(held).map(([n, b]) => ({ name: n, value: b, text: bytes(b) }))} />
        <Bar title="Time" parts={[['load', v.time.load_s], ['analysis', v.time.analysis_s], ['search', v.time.search_s], ['rest', rest]].map(([n, s]) => ({ name: n, value: s, text: seconds(s) }))} />
      </section>
    </main>
  );
}
