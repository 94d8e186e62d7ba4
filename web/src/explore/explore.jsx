// explore.jsx -- the explorer: a model looked at step by step.
//
//   | next steps | the model: net, text or state graph | state          |
//   | run so far |                                      | find violation |
import { useEffect, useRef, useState } from 'preact/hooks';
import './explore.css';
import { Mark, Icon } from '../shared/icon.jsx';
import { ThemeButton, turnTheme } from '../shared/theme.jsx';
import { KeyHelp, useKeys } from '../shared/keys.jsx';
import { plural } from '../shared/format.js';
import { useExplorer } from './explorer.js';
import { History, NextSteps, State } from './panels.jsx';
import { Find } from './find.jsx';
import { views } from './views.jsx';
import { Play } from '../play/play.jsx';
import { useMatch } from '../play/match.js';

const keyRows = [
  ['1 … 9 0', 'take the step with this number'],
  ['u', 'undo: one step back'],
  ['U', 'one step forward again'],
  ['r', 'a random step'],
  ['R', 'a random walk'],
  ['g G', 'beginning and end of the run'],
  ['f', 'find a violation'],
  ['p', 'play against thimble, or explore again'],
  ['/', 'filter the values of the state'],
  ['v', 'the next view'],
  ['t', 'dark or light'],
];

const base = (file) => (file || '').split('/').pop();

function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const a = document.createElement('a');
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function Walk({ x, form }) {
  const set = (key) => (e) => form.set({ ...form.now, [key]: e.target.value });
  return (
    <span class="walk-form">
      <button class="button" title="One random step (r)" onClick={form.one}><Icon name="dice" size={17} /> Random step</button>
      <button class="button" title="A random walk (R)" onClick={form.go}>Walk</button>
      <label class="quiet"><input class="number" type="number" min="1" max="10000" value={form.now.steps} aria-label="steps" onInput={set('steps')} /> steps</label>
      <label class="quiet">seed <input class="number" type="number" min="0" value={form.now.seed} aria-label="seed" onInput={set('seed')} /></label>
      {x.busy > 0 && <span class="spin" />}
    </span>
  );
}

// Random steps: each has its own seed, and the same seeds give the same run.
function useWalk(x) {
  const [now, set] = useState({ steps: '20', seed: '1' });
  const steps = () => Math.max(1, Math.min(10000, Math.round(Number(now.steps)) || 1));
  const seed = () => Math.max(0, Math.round(Number(now.seed)) || 0);
  const walk = async (n) => {
    await x.walk(n, seed());
    set((was) => ({ ...was, seed: String(seed() + 1) }));
  };
  return { now, set, one: () => walk(1), go: () => walk(steps()) };
}

export function Explore({ data }) {
  const x = useExplorer(data.api);
  const walk = useWalk(x);
  const match = useMatch(x);
  const [playing, setPlaying] = useState(false);
  const [view, setView] = useState(null);
  const [help, setHelp] = useState(false);
  const [side, setSide] = useState('view'); // which of the columns a narrow window shows
  const filter = useRef(null), formula = useRef(null), file = useRef(null);
  const had = x.model ? views.filter((v) => v.has(x.model)) : [];
  const shown = had.find((v) => v.name === view) || had[0];
  const name = base(x.model?.file) || 'model';
  useEffect(() => {
    if (x.model) document.title = `${name} – Thimble`;
  }, [x.model]);
  const share = () =>
    x.guard(async () => {
      const trace = await x.share();
      download(name.replace(/\.[^.]*$/, '') + '.run.json', JSON.stringify(trace, null, 1) + '\n');
    });
  const open = async (f) => {
    if (!f) return;
    const text = await f.text();
    await x.guard(async () => {
      const run = await x.open(text);
      x.show(run, run.message || run.property ? { good: run.verdict !== 'violated', text: `${f.name}: ${run.message || run.property}` } : { good: true, text: `${f.name}: ${plural(run.steps.length, 'step')}` });
    });
  };
  const keys = {
    u: x.undo,
    U: x.redo,
    r: walk.one,
    R: walk.go,
    g: () => x.go(0),
    G: () => x.go(x.run.length),
    f: () => {
      setSide('state');
      document.querySelector('.find select')?.focus();
    },
    p: () => turnPlay(),
    '/': () => filter.current?.focus(),
    v: () => had.length && setView(had[(had.indexOf(shown) + 1) % had.length].name),
    t: turnTheme,
    '?': () => setHelp(!help),
    Escape: () => {
      setHelp(false);
      x.clear();
    },
  };
  const turnPlay = () => {
    setPlaying(!playing);
    setSide('steps');
  };
  for (let d = 0; d < 10; d++)
    keys[String((d + 1) % 10)] = () => {
      if (playing) return match.now?.moves[d] && match.take(match.now.moves[d].k);
      return x.state?.steps[d] && x.take(x.state.steps[d].k);
    };
  useKeys(keys);
  return (
    <>
      <header class="top-bar">
        <Mark />
        <span class="top-title" title={x.model?.file}>{name}</span>
        {x.model && <span class="badge">{x.model.kind}</span>}
        <span class="top-space" />
        <nav class="tabs" role="tablist">
          {had.map((v) => <button key={v.name} role="tab" aria-selected={v === shown} onClick={() => { setView(v.name); setSide('view'); }}>{v.title}</button>)}
        </nav>
        <button class="icon-button" title="Keys (?)" aria-label="Keys" onClick={() => setHelp(true)}><Icon name="keys" /></button>
        <ThemeButton />
      </header>
      <div class="explore-bar">
        <button class="button" title="Undo (u)" disabled={!x.at} onClick={x.undo}><Icon name="undo" size={17} /> Undo</button>
        <button class="icon-button" title="Forward again (U)" aria-label="Forward again" disabled={x.at >= x.run.length} onClick={x.redo}><Icon name="redo" size={17} /></button>
        <button class="button" title="Back to the initial state (g)" disabled={!x.at} onClick={() => x.go(0)}>Start</button>
        <Walk x={x} form={walk} />
        <span class="top-space" />
        <button class="button" title="Play against thimble: formulas and games (p)" aria-pressed={playing} onClick={turnPlay}><Icon name="play" size={17} /> {playing ? 'Explore' : 'Play'}</button>
        <button class="button" title="The run as a file that simulate, trace and this page read" onClick={share}><Icon name="save" size={17} /> Save run</button>
        <button class="button" title="Go along a run from a file" onClick={() => file.current.click()}><Icon name="open" size={17} /> Open run</button>
        <input ref={file} type="file" class="hidden-file" accept=".json,application/json" aria-label="run file" onChange={(e) => { open(e.target.files[0]); e.target.value = ''; }} />
        <span class="switch narrow-only">
          {[['steps', 'Steps'], ['view', 'View'], ['state', 'State']].map(([key, title]) => <button key={key} aria-pressed={side === key} onClick={() => setSide(key)}>{title}</button>)}
        </span>
      </div>
      {x.error && <div class="error-line" role="alert"><Icon name="warn" size={16} /> {x.error.message}{x.error.hint ? ` (${x.error.hint})` : ''}<button class="icon-button" aria-label="Close" onClick={x.clear}><Icon name="no" size={15} /></button></div>}
      <main class={'explore show-' + side} onDragOver={(e) => e.preventDefault()} onDrop={(e) => { e.preventDefault(); open(e.dataTransfer.files[0]); }}>
        <div class="column steps-column">
          {playing ? <Play match={match} /> : <><NextSteps x={x} /><History x={x} /></>}
        </div>
        <section class="panel view" aria-label={shown?.title}>{shown && <shown.View key={shown.name} x={x} />}</section>
        <div class="column state-column">
          <State x={x} filterRef={filter} />
          <Find x={x} inputRef={formula} />
        </div>
      </main>
      {help && <KeyHelp rows={keyRows} onClose={() => setHelp(false)} />}
    </>
  );
}
