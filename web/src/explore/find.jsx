// find.jsx -- the checker: asks for a violation and goes along the run that shows it.
import { useRef, useState } from 'preact/hooks';
import { Icon } from '../shared/icon.jsx';
import { count, plural, seconds } from '../shared/format.js';

const kinds = [
  ['invariant', 'invariant', 'true in every state, e.g. x <= 3'],
  ['reachable', 'reachable', 'true in some state, e.g. x == 3'],
  ['ltl', 'LTL formula', '[] (request -> <> answer)'],
  ['ctl', 'CTL formula', 'AG EF ready'],
];

// What the verdict says, in a sentence; good: nothing is wrong.
function said(v) {
  const bad = v.properties.filter((p) => p.status === 'violated');
  if (bad.length) {
    const p = bad[0];
    return { good: false, text: p.kind === 'reachable' ? `No state makes it true: ${plural(v.states, 'state')} searched.` : `${p.message || (p.kind === 'deadlock' ? 'Deadlock' : `${p.id} is violated`)}${v.run ? ` after ${plural(v.run.steps.length, 'step')}` : ''}` };
  }
  if (v.verdict === 'holds') return v.run ? { good: true, text: `Reached after ${plural(v.run.steps.length, 'step')}` } : { good: true, text: `Holds: all ${plural(v.states, 'state')} searched.` };
  return { good: null, text: `Nothing found in ${plural(v.states, 'state')}, but the search is not complete (${v.stop}).` };
}

export function Find({ x, inputRef }) {
  const [kind, setKind] = useState('stated');
  const [text, setText] = useState('');
  const [limit, setLimit] = useState('');
  const [running, setRunning] = useState(null); // states so far
  const [found, setFound] = useState(null);
  const [error, setError] = useState(null);
  const timer = useRef(0);
  const stated = x.model?.properties || [];
  const own = kinds.find((k) => k[0] === kind);
  const find = async (e) => {
    e?.preventDefault();
    if (running != null) return;
    const args = { kind: own ? kind : kind === 'stated' || kind === 'deadlock' ? kind : 'stated' };
    if (own) args.text = text;
    else if (kind !== 'stated' && kind !== 'deadlock') args.property = kind;
    if (limit) args.seconds = Math.max(1, Math.min(3600, Math.round(Number(limit) || 0)));
    setFound(null);
    setError(null);
    setRunning(0);
    timer.current = setInterval(() => x.talk.ask('progress').then((p) => setRunning((n) => (n == null ? n : p.states)), () => {}), 400);
    try {
      const v = await x.talk.tell('find', args);
      const words = said(v);
      setFound({ v, ...words });
      if (v.run) x.show(v.run, { good: words.good, text: `${v.run.property}: ${words.text}` });
    } catch (fault) {
      setError(fault.error || { message: String(fault) });
    } finally {
      clearInterval(timer.current);
      setRunning(null);
    }
  };
  return (
    <section class="panel find" aria-label="Find a violation">
      <h2>Find a violation</h2>
      <form onSubmit={find}>
        <select value={kind} aria-label="what to look for" onChange={(e) => setKind(e.target.value)}>
          <option value="stated">all that the model states</option>
          {stated.map((p) => <option key={p.id} value={p.id}>{p.id}</option>)}
          {kinds.map(([name, title]) => <option key={name} value={name}>{title} …</option>)}
        </select>
        {own && <input ref={inputRef} class="formula" value={text} placeholder={own[2]} aria-label="expression or formula" spellcheck={false} onInput={(e) => setText(e.target.value)} onKeyDown={(e) => e.key === 'Escape' && e.target.blur()} />}
        <div class="find-go">
          <button class="button main" type="submit" disabled={running != null || (own && !text.trim())}><Icon name="search" size={16} /> Find</button>
          <label class="quiet">at most <input class="number" type="number" min="1" max="3600" value={limit} placeholder={x.model ? String(Math.round(x.model.seconds)) : ''} aria-label="seconds" onInput={(e) => setLimit(e.target.value)} /> s</label>
        </div>
      </form>
      {running != null && <p class="finding"><span class="spin" /> {count(running)} states <button class="button small" onClick={() => x.talk.tell('stop')}>Stop</button></p>}
      {error && <p class="found bad">{error.message}{error.excerpt && <code class="excerpt">{error.excerpt}{'\n' + ' '.repeat(Math.max(0, error.caret)) + '^'}</code>}{error.hint && <span class="quiet"> {error.hint}</span>}</p>}
      {found && (
        <div class={'found ' + (found.good ? 'good' : found.good === false ? 'bad' : 'warn')}>
          <b>{found.text}</b>
          <p class="quiet">{plural(found.v.states, 'state')} in {seconds(found.v.seconds)}{found.v.run?.loop != null ? '; the run ends in a loop' : ''}{found.v.run?.shortest ? '; no run is shorter' : ''}</p>
          {found.good == null && found.v.advice && <p class="quiet">{found.v.advice}</p>}
        </div>
      )}
    </section>
  );
}
