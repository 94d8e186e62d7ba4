// report.jsx -- a report on one verification: verdict, traces, coverage.
import { useEffect, useMemo, useState } from 'preact/hooks';
import './report.css';
import { Mark, Icon } from '../shared/icon.jsx';
import { ThemeButton, turnTheme } from '../shared/theme.jsx';
import { KeyHelp, useKeys } from '../shared/keys.jsx';
import { VerdictView, VerdictBadge } from './verdict.jsx';
import { TraceView } from './trace.jsx';
import { CoverageView, coverageOf } from './coverage.jsx';
import { SpaceView } from './space.jsx';

const keyRows = [
  ['j k', 'next and previous step'],
  ['J K', 'ten steps on and back'],
  ['g G', 'first and last step'],
  ['l', 'where the loop begins'],
  ['/', 'search; Enter and Shift-Enter go from one to the next'],
  ['n N', 'next and previous found'],
  ['s', 'the full state, or only what changed'],
  ['c', 'steps, steps and chart, chart'],
  ['1 2 3 4', 'verdict, trace, coverage, state space'],
  ['t', 'dark or light'],
];

// "#trace/2/17": the view, the trace, the step.
function whereTo() {
  const [view = '', trace = '', step = ''] = decodeURIComponent(location.hash.slice(1)).split('/');
  return { view, trace: parseInt(trace, 10) || 0, step: parseInt(step, 10) || 0 };
}

// A report of a trace alone is about the trace's model.
const titleOf = (data) => (data.verdict ? data.title : (data.traces[0]?.trace.model?.file || data.title).split('/').pop());

export function Report({ data }) {
  const title = titleOf(data);
  const verdict = data.verdict;
  const coverage = useMemo(() => verdict && coverageOf(verdict, data.sources), [data]);
  const tabs = [
    verdict && ['verdict', 'Verdict'],
    data.traces.length > 0 && ['trace', data.traces.length > 1 ? 'Traces' : 'Trace', data.traces.length > 1 ? data.traces.length : null],
    (coverage || data.sources.length > 0) && ['coverage', coverage ? 'Coverage' : 'Source'],
    verdict?.space_report && ['space', 'State space'],
  ].filter(Boolean);
  const [to, setTo] = useState(whereTo);
  const [help, setHelp] = useState(false);
  const view = tabs.some((t) => t[0] === to.view) ? to.view : tabs[0]?.[0];
  const go = (name, trace = to.trace, step = to.step) => {
    setTo({ view: name, trace, step });
    history.replaceState(null, '', `#${name}${name === 'trace' ? `/${trace}/${step}` : ''}`);
  };
  useEffect(() => {
    document.title = `${title} – Thimble`;
    const hear = () => setTo(whereTo());
    window.addEventListener('hashchange', hear);
    return () => window.removeEventListener('hashchange', hear);
  }, []);
  useKeys({
    t: turnTheme,
    '?': () => setHelp(!help),
    Escape: () => setHelp(false),
    ...Object.fromEntries(['verdict', 'trace', 'coverage', 'space'].map((name, i) => [String(i + 1), () => tabs.some((t) => t[0] === name) && go(name)])),
  });
  return (
    <>
      <header class="top-bar">
        <Mark />
        <span class="top-title" title={title}>{title}</span>
        {verdict && <VerdictBadge verdict={verdict} />}
        <span class="top-space" />
        <nav class="tabs" role="tablist">
          {tabs.map(([name, text, n]) => (
            <button key={name} role="tab" aria-selected={view === name} onClick={() => go(name)}>{text}{n && <span class="tab-count">{n}</span>}</button>
          ))}
        </nav>
        <button class="icon-button" title="Keys (?)" aria-label="Keys" onClick={() => setHelp(true)}><Icon name="keys" /></button>
        <ThemeButton />
      </header>
      {view === 'verdict' && <VerdictView data={data} go={go} />}
      {view === 'trace' && <TraceView data={data} which={Math.min(to.trace, data.traces.length - 1)} step={to.step} go={go} />}
      {view === 'coverage' && <CoverageView data={data} coverage={coverage} />}
      {view === 'space' && <SpaceView space={verdict.space_report} />}
      {!view && <main class="page"><Notes notes={data.notes} /></main>}
      {help && <KeyHelp rows={keyRows} onClose={() => setHelp(false)} />}
    </>
  );
}

export function Notes({ notes }) {
  if (!notes || !notes.length) return null;
  return (
    <section class="panel notes" aria-label="Notes">
      {notes.map((n, i) => <p key={i}><Icon name="warn" size={16} /> {n}</p>)}
    </section>
  );
}
