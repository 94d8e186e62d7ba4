// coverage.jsx -- what of the model was executed: the source with marks, the statements that never were, and the
// profile of all transitions.
import { useMemo, useState } from 'preact/hooks';
import { SourceView, declarations } from '../shared/source.jsx';
import { VirtualList } from '../shared/virtual.jsx';
import { SearchBox } from '../shared/search.jsx';
import { count, plural, short } from '../shared/format.js';
import { Icon } from '../shared/icon.jsx';
import { sourceOf } from './trace.jsx';

const base = (file) => (file || '').split('/').pop();
export const never = (s) => s.taken === 0 && s.role !== 'part';

// Statements with their places; those of nets are where the transition is declared.
export function coverageOf(verdict, sources) {
  const list = verdict.coverage?.statements;
  if (!list || !list.length) return null;
  if (verdict.model.language !== 'net' || !sources.length) return list;
  const lines = declarations(sources[0]);
  return list.map((s) => (s.line || !lines.has(s.transition) ? s : { ...s, file: sources[0].file, line: lines.get(s.transition), column: 1 }));
}

// Lines of one file: how often something there was executed, and whether something never was.
function marksOf(list, source) {
  const marks = new Map();
  for (const s of list) {
    if (!s.line || base(s.file) !== base(source.file)) continue;
    const m = marks.get(s.line) || { taken: 0, never: [], all: 0 };
    m.taken += s.taken;
    m.all++;
    if (never(s)) m.never.push(s.transition);
    else m.some = true;
    marks.set(s.line, m);
  }
  for (const m of marks.values()) {
    m.kind = !m.never.length ? 'taken' : m.some ? 'some' : 'never';
    m.note = m.kind === 'never' ? 'never' : m.taken ? short(m.taken) : '·';
    m.title = m.never.length ? `never executed: ${m.never.join('; ')}` : m.taken ? `executed ${plural(m.taken, 'time')}` : 'executed as a part of other steps';
  }
  return marks;
}

function Profile({ list, onPick, picked }) {
  const [by, setBy] = useState('taken');
  const [words, setWords] = useState('');
  const [only, setOnly] = useState(false);
  const shown = useMemo(() => {
    const all = words.toLowerCase().split(/\s+/).filter(Boolean);
    const order = { taken: (a, b) => b.taken - a.taken, fresh: (a, b) => b.fresh - a.fresh, name: (a, b) => (a.file || '').localeCompare(b.file || '') || (a.line || 0) - (b.line || 0) || a.transition.localeCompare(b.transition) };
    return list.filter((s) => (!only || never(s)) && all.every((w) => `${s.transition} ${s.file}:${s.line}`.toLowerCase().includes(w))).sort(order[by]);
  }, [list, by, words, only]);
  const most = Math.max(1, ...list.map((s) => s.taken));
  const heads = [['name', 'transition'], ['taken', 'executed'], ['fresh', 'fresh']];
  return (
    <>
      <div class="pane-head">
        <h2>{only ? 'Never executed' : 'Transitions'}</h2>
        <span class="top-space" />
        <SearchBox value={words} onInput={setWords} placeholder="filter" />
        <button class="button" aria-pressed={only} onClick={() => setOnly(!only)}>{only ? 'All' : 'Never executed'}</button>
      </div>
      <div class="profile-row profile-head">
        {heads.map(([name, text]) => <button key={name} aria-pressed={by === name} onClick={() => setBy(name)}>{text}{by === name && <Icon name="down" size={13} />}</button>)}
      </div>
      {shown.length === 0 && <p class="quiet state-empty">{only ? 'Everything was executed at least once.' : 'Nothing has these words.'}</p>}
      <VirtualList class="profile" count={shown.length} height={34} row={(i) => {
        const s = shown[i];
        return (
          <button class={'profile-row' + (never(s) ? ' never' : '') + (picked === s ? ' now' : '')} onClick={() => onPick(s)} title={`${s.transition}\n${s.file ? `${s.file}:${s.line}` : ''}`}>
            <span class="profile-name"><code>{s.transition}</code>{s.line ? <span class="quiet"> {base(s.file)}:{s.line}</span> : null}</span>
            <span class="profile-count">{never(s) ? 'never' : s.role === 'part' && !s.taken ? 'in others' : count(s.taken)}<i class="meter" style={{ width: `${(100 * s.taken) / most}%` }} /></span>
            <span class="profile-count">{s.taken ? count(s.fresh) : ''}<i class="meter fresh" style={{ width: `${(100 * s.fresh) / most}%` }} /></span>
          </button>
        );
      }} />
    </>
  );
}

export function CoverageView({ data, coverage }) {
  const files = data.sources;
  const [file, setFile] = useState(0);
  const [picked, setPicked] = useState(null);
  const source = files[file] || null;
  const marks = useMemo(() => (coverage && source ? marksOf(coverage, source) : null), [coverage, source]);
  const missed = coverage ? coverage.filter(never) : [];
  const placed = coverage && coverage.some((s) => s.line);
  const language = data.verdict?.model?.language || data.traces[0]?.trace.model?.language;
  const pick = (s) => {
    setPicked(s);
    const there = s.line ? sourceOf(files, s.file) : null;
    if (there) setFile(files.indexOf(there));
  };
  return (
    <main class="coverage-page">
      {coverage && (
        <div class="tool-bar">
          <span class={'badge ' + (missed.length ? 'warn' : 'good')}>
            <Icon name={missed.length ? 'warn' : 'yes'} size={14} /> {missed.length ? `${count(missed.length)} of ${count(coverage.length)} ${data.verdict.coverage.complete ? 'never executed' : 'not executed in what was explored'}` : `all ${count(coverage.length)} executed`}
          </span>
          {!data.verdict.coverage.complete && <span class="quiet">The search did not take every step of every state: more may be executed in the rest.</span>}
        </div>
      )}
      <div class="panes">
        {source && (
          <section class="pane source-pane" aria-label="Source">
            <div class="pane-head">
              {files.length > 1 ? (
                <select value={file} aria-label="File" onChange={(e) => setFile(+e.target.value)}>{files.map((f, i) => <option key={i} value={i}>{f.file}</option>)}</select>
              ) : <h2><code>{source.file}</code></h2>}
              <span class="top-space" />
              {placed && <span class="legend"><i class="swatch never" /> never <i class="swatch some" /> in part <i class="swatch taken" /> executed</span>}
            </div>
            <SourceView text={source.text} language={language} marks={placed ? marks : null} at={picked?.line && base(picked.file) === base(source.file) ? [picked] : []} label={'Source of ' + source.file} />
          </section>
        )}
        {coverage && <section class="pane profile-pane" aria-label="Profile"><Profile list={coverage} onPick={pick} picked={picked} /></section>}
      </div>
    </main>
  );
}
