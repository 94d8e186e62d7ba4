// trace.jsx -- a run, step by step: list and chart, source, state.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Steps, Who } from '../shared/steps.jsx';
import { StateTable } from '../shared/state.jsx';
import { SourceView, declarations } from '../shared/source.jsx';
import { SearchBox, find, next } from '../shared/search.jsx';
import { useKeys } from '../shared/keys.jsx';
import { Icon } from '../shared/icon.jsx';
import { openRun, runsOf } from '../shared/run.js';
import { count, plural } from '../shared/format.js';

const base = (file) => (file || '').split('/').pop();

// The source in which a place lies: by its full name, or by what the folders do not say.
export const sourceOf = (sources, file) => sources.find((s) => s.file === file) || sources.find((s) => base(s.file) === base(file)) || null;

// Where step `at` stands: what the trace says, or the declaration of a net's transition.
function placesOf(run, at, language, sources) {
  const places = run.places(at);
  if (places.length || at < 1 || language !== 'net' || !sources.length) return places;
  const line = declarations(sources[0]).get(run.trace.path[at - 1].transition);
  return line ? [{ file: sources[0].file, line, column: 1 }] : [];
}

function Detail({ run, at }) {
  const parts = run.parts(at);
  const faults = run.faults(at);
  const prints = run.prints(at);
  if (at === 0) return <p class="quiet">The initial state. Press <kbd>j</kbd> to take the first step.</p>;
  return (
    <>
      {parts.length ? (
        <ol class="deeds">
          {parts.map((p, i) => (
            <li key={i}>
              <Who name={p.process ? `${p.process}[${p.pid}]` : null} /> <code>{p.statement || run.title(at)}</code>
              {p.line ? <span class="quiet"> {base(p.file)}:{p.line}</span> : null}
            </li>
          ))}
        </ol>
      ) : <code>{run.title(at)}</code>}
      {faults.map((f) => <p class="deed-fault" key={f}><Icon name="no" size={15} /> {f}</p>)}
      {prints && <pre class="prints">{prints}</pre>}
    </>
  );
}

function Ending({ run, at, trace }) {
  if (at !== run.count) return null;
  const stands = run.trace.stands || [];
  return (
    <section class="ending">
      {run.loop >= 0 ? <p><Icon name="loop" size={15} /> From here the run goes on with step {run.loop + 1} and repeats itself for ever.</p>
        : trace.property?.kind === 'deadlock' ? <p>Here nothing can happen any more.</p> : null}
      {trace.message && !run.faults(at).some((f) => trace.message.includes(f)) && <p class={trace.verdict === 'violated' ? 'deed-fault' : ''}>{trace.message}</p>}
      {stands.length > 0 && (
        <ul class="stands">
          {stands.map((s, i) => (
            <li key={i}><Who name={`${s.process}[${s.pid}]`} /> {s.line ? <span class="quiet">{base(s.file)}:{s.line}</span> : null} {s.statement ? <code>{s.statement}</code> : <span class="quiet">has come to its end</span>}{s.end && s.statement ? <span class="quiet"> (may stay there)</span> : null}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

// Runs of a trace that is a tree, each indented under the one that it leaves.
function Branches({ runs, now, onPick }) {
  const depth = (i) => (runs[i].of == null ? 0 : 1 + depth(runs[i].of));
  return (
    <label class="pick"><Icon name="branch" size={16} />
      <select value={now} aria-label="Run" onChange={(e) => onPick(+e.target.value)}>
        {runs.map((r, i) => (
          <option key={i} value={i}>{'\u00a0\u00a0'.repeat(depth(i))}{i === 0 ? `run of ${plural(r.run.path.length, 'step')}` : `branch ${i}: leaves ${r.of ? 'branch ' + r.of : 'the run'} at step ${r.at}`}{r.run.property?.text ? `  (${r.run.property.text})` : ''}</option>
        ))}
      </select>
    </label>
  );
}

export function TraceView({ data, which, step, go }) {
  const held = data.traces[which];
  const runs = useMemo(() => runsOf(held.trace), [held]);
  const [branch, setBranch] = useState(0);
  const chosen = runs[Math.min(branch, runs.length - 1)];
  const run = useMemo(() => openRun(chosen.run), [chosen]);
  const chart = branch === 0 ? held.chart : held.branch_charts?.[branch - 1] || null;
  const [mode, setMode] = useState(() => (!held.chart ? 'steps' : window.innerWidth < 720 ? 'steps' : 'both'));
  const [all, setAll] = useState(false);
  const [words, setWords] = useState('');
  const [filter, setFilter] = useState('');
  const [pane, setPane] = useState('steps'); // on a phone
  const box = useRef(null);
  const at = Math.max(0, Math.min(step, run.count));
  const setAt = (i) => go('trace', which, Math.max(0, Math.min(run.count, i)));
  useEffect(() => setBranch(0), [held]);

  const found = useMemo(() => find(run.count + 1, run.text, words), [run, words]);
  const hits = useMemo(() => new Set(found), [found]);
  const jump = (forwards) => {
    const to = next(found, forwards ? at + 1 : at, forwards);
    if (to >= 0) setAt(to);
  };
  const look = (w) => {
    setWords(w);
    const hit = next(find(run.count + 1, run.text, w), at);
    if (w && hit >= 0) setAt(hit);
  };
  const modes = ['steps', 'both', 'chart'];
  useKeys({
    j: () => setAt(at + 1), ArrowDown: () => setAt(at + 1),
    k: () => setAt(at - 1), ArrowUp: () => setAt(at - 1),
    J: () => setAt(at + 10), PageDown: () => setAt(at + 10),
    K: () => setAt(at - 10), PageUp: () => setAt(at - 10),
    g: () => setAt(0), Home: () => setAt(0),
    G: () => setAt(run.count), End: () => setAt(run.count),
    l: () => run.loop >= 0 && setAt(run.loop),
    n: () => jump(true), N: () => jump(false),
    '/': () => { box.current?.focus(); box.current?.select(); },
    s: () => setAll(!all),
    c: () => chart && setMode(modes[(modes.indexOf(mode) + 1) % 3]),
  });

  const language = held.trace.model?.language;
  const places = placesOf(run, at, language, data.sources);
  // The place of a step that has none of its own is that of the last one before it.
  const source = places.length ? sourceOf(data.sources, places[0].file) : null;
  const [lastSource, setLast] = useState(null);
  useEffect(() => { if (source) setLast(source); }, [source]);
  const shown = source || lastSource || (run.parts(1).length ? sourceOf(data.sources, run.places(1)[0]?.file) : null) || data.sources[0] || null;
  const marks = places.filter((p) => base(p.file) === base(shown?.file)).map((p) => ({ line: p.line, column: p.column }));
  const state = useMemo(() => run.state(at), [run, at]);
  return (
    <main class={'trace-page pane-' + pane}>
      <div class="tool-bar">
        {data.traces.length > 1 && (
          <label class="pick">
            <select value={which} aria-label="Trace" onChange={(e) => go('trace', +e.target.value, 0)}>
              {data.traces.map((t, i) => <option key={i} value={i}>{t.property || t.file}{t.trace.message ? ': ' + t.trace.message : ''} ({plural(t.trace.path.length, 'step')})</option>)}
            </select>
          </label>
        )}
        {runs.length > 1 && <Branches runs={runs} now={branch} onPick={(b) => { setBranch(b); setAt(runs[b].at); }} />}
        <div class="walk" role="group" aria-label="Walk">
          <button class="icon-button" title="First (g)" aria-label="First step" disabled={at === 0} onClick={() => setAt(0)}><Icon name="first" /></button>
          <button class="icon-button" title="Previous (k)" aria-label="Previous step" disabled={at === 0} onClick={() => setAt(at - 1)}><Icon name="up" /></button>
          <span class="walk-at"><b>{count(at)}</b> of {count(run.count)}</span>
          <button class="icon-button" title="Next (j)" aria-label="Next step" disabled={at === run.count} onClick={() => setAt(at + 1)}><Icon name="down" /></button>
          <button class="icon-button" title="Last (G)" aria-label="Last step" disabled={at === run.count} onClick={() => setAt(run.count)}><Icon name="last" /></button>
        </div>
        {run.loop >= 0 && <button class="button loop-button" title="Where the loop begins (l)" onClick={() => setAt(run.loop)}><Icon name="loop" size={15} /> loop of {plural(run.count - run.loop, 'step')}</button>}
        <span class="top-space" />
        <SearchBox inputRef={box} value={words} onInput={look} found={found} at={at} onGo={jump} placeholder="search steps" />
        {chart && (
          <div class="switch" role="group" aria-label="Show">
            {[['steps', 'list', 'Steps'], ['both', 'both', 'Steps and chart'], ['chart', 'chart', 'Chart']].map(([m, icon, name]) => (
              <button key={m} aria-pressed={mode === m} title={name + ' (c)'} aria-label={name} onClick={() => setMode(m)}><Icon name={icon} size={16} /></button>
            ))}
          </div>
        )}
        <div class="switch pane-switch" role="group" aria-label="Pane">
          {[['steps', 'Steps'], ['source', 'Source'], ['state', 'State']].filter(([p]) => p !== 'source' || shown).map(([p, name]) => (
            <button key={p} aria-pressed={pane === p} onClick={() => setPane(p)}>{name}</button>
          ))}
        </div>
      </div>
      <div class="panes">
        <section class="pane steps-pane" aria-label="Run">
          <Steps run={run} at={at} onAt={setAt} chart={chart} mode={chart ? mode : 'steps'} hits={words ? hits : null} />
        </section>
        <div class="side">
          {shown && (
            <section class="pane source-pane" aria-label="Source">
              <h2 class="pane-head"><code>{base(shown.file)}</code>{marks.length ? <span class="quiet">line {marks[0].line}</span> : null}</h2>
              <SourceView text={shown.text} language={language} at={marks} label={'Source of ' + base(shown.file)} />
            </section>
          )}
          <section class="pane state-pane" aria-label="State">
            <div class="deed"><Detail run={run} at={at} /><Ending run={run} at={at} trace={run.trace} /></div>
            <div class="pane-head">
              <h2>{all ? 'State' : at === 0 ? 'State at the start' : 'Changed values'}</h2>
              <span class="top-space" />
              {(all || at === 0) && state.length > 12 && <SearchBox value={filter} onInput={setFilter} placeholder="filter values" />}
              <button class="button all-button" aria-pressed={all} onClick={() => setAll(!all)} title="s">{all ? 'Only changes' : 'Full state'}</button>
            </div>
            <StateTable rows={state} all={all || at === 0} filter={all || at === 0 ? filter : ''} />
          </section>
        </div>
      </div>
    </main>
  );
}
