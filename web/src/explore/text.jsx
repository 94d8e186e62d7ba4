// text.jsx -- the model's text, with where each process stands and what the last step was.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { SourceView } from '../shared/source.jsx';
import { hue } from '../shared/run.js';

const base = (file) => (file || '').split('/').pop();
export const nameOf = (p) => (p.process ? `${p.process}[${p.pid}]` : '');

export function TextView({ x }) {
  const [sources, setSources] = useState(null);
  const [which, setWhich] = useState(null);
  const [line, setLine] = useState(0);
  useEffect(() => {
    x.guard(async () => setSources((await x.talk.ask('source')).sources));
  }, []);
  const step = x.run[x.at - 1];
  useEffect(() => {
    if (step?.file) setWhich(step.file);
    setLine(0);
  }, [x.id, x.at]);
  const file = which ?? sources?.[0]?.file;
  const stands = x.state?.stands || [];
  const marks = useMemo(() => {
    const by = new Map();
    for (const s of stands) {
      if (s.file !== file || !s.line) continue;
      const mark = by.get(s.line) || { kind: 'stand', who: [], title: '' };
      mark.who.push(s);
      by.set(s.line, mark);
    }
    for (const m of by.values()) {
      m.note = <span class="stand-chips">{m.who.slice(0, 3).map((s) => <span key={s.pid} class={'stand-chip hue' + hue(nameOf(s))}>{s.pid}</span>)}{m.who.length > 3 && '…'}</span>;
      m.title = m.who.map((s) => `${nameOf(s)} stands here: ${s.statement || 'at its end'}`).join('\n');
    }
    return by;
  }, [x.state, file]);
  if (!sources) return <div class="view-wait">…</div>;
  const source = sources.find((s) => s.file === file) || sources[0];
  const at = step?.line && step.file === file && !line ? [{ line: step.line }] : [];
  return (
    <div class="text-view">
      <div class="stands" role="list" aria-label="Processes">
        {stands.map((s) => (
          <button key={s.pid} role="listitem" class="stand" title={`${base(s.file)}:${s.line}`} onClick={() => { setWhich(s.file); setLine(s.line); }}>
            <span class={'who hue' + hue(nameOf(s))}>{nameOf(s)}</span>
            <span class="quiet">{s.line}</span>
            <code>{s.statement || 'at its end'}</code>
          </button>
        ))}
      </div>
      {sources.length > 1 && (
        <div class="page-tabs" role="tablist">
          {sources.map((s) => <button key={s.file} role="tab" aria-selected={s.file === file} onClick={() => setWhich(s.file)}>{base(s.file)}</button>)}
        </div>
      )}
      {source?.text != null ? <SourceView text={source.text} language={x.model.language} at={at} marks={marks} toLine={line || stands.find((s) => s.file === file)?.line || 0} /> : <p class="quiet view-wait">{source ? `${source.file} cannot be read: ${source.why}` : 'There is no text.'}</p>}
    </div>
  );
}
