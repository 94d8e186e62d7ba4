// run.js -- a trace (thimble.trace/1) as views want it: moments 0..count, of which 0 is the initial state and
// moment i the state after step i.
//
// States are made by applying changes to the nearest of a few kept ones, so any moment of a long run is there at once.
const GAP = 256; // steps between states that are kept

export function openRun(trace) {
  const path = trace.path;
  const kept = [first(trace)];
  const texts = [];

  // What step i changes and people look at.
  const changes = (i) => (i < 1 ? [] : path[i - 1].changes.filter((c) => !c.hidden).map(readable));

  // Values by variable: {label, text}.  The caller may not write to it.
  function values(i) {
    const k = Math.floor(i / GAP);
    let from = Math.min(k, kept.length - 1);
    let now = kept[from].slice();
    for (let s = from * GAP + 1; s <= i; s++) {
      apply(now, path[s - 1].changes);
      if (s % GAP === 0 && s / GAP === kept.length) kept.push(now.slice());
    }
    return now;
  }

  // Rows for a table: [{key, label, text, was}]; was is null for what step i did not change.
  function state(i) {
    const was = new Map(changes(i).map((c) => [c.key, c.from]));
    const rows = [];
    values(i).forEach((v, key) => {
      if (v) rows.push({ key, label: v.label, text: v.text, was: was.has(key) ? was.get(key) : null });
    });
    return rows;
  }

  const parts = (i) => (i < 1 ? [] : path[i - 1].parts || []);
  return {
    trace,
    count: path.length,
    loop: trace.loop ?? -1, // the run goes on from moment `loop` for ever
    changes,
    state,
    parts,
    who: (i) => whoDoes(parts(i)[0]),
    title: (i) => (i < 1 ? 'start' : titleOf(path[i - 1])),
    faults: (i) => parts(i).filter((p) => p.fault).map((p) => p.fault.message),
    prints: (i) => parts(i).map((p) => p.prints || '').join(''),
    // Where the step's statements stand: [{file, line, column}].
    places: (i) => parts(i).filter((p) => p.line).map((p) => ({ file: p.file, line: p.line, column: p.column })),
    // All words of a moment, in small letters: what a search looks at.
    text: (i) => (texts[i] ??= words(i)),
  };

  function words(i) {
    if (i < 1) return 'start ' + state(0).map((v) => `${v.label} ${v.text}`).join(' ').toLowerCase();
    const step = path[i - 1];
    const said = [step.transition];
    for (const p of step.parts || []) said.push(whoDoes(p) || '', p.statement || '', p.file ? `${p.file}:${p.line}` : '', p.prints || '', p.fault ? p.fault.message : '');
    for (const c of changes(i)) said.push(`${c.label} ${c.from} ${c.to}`);
    return said.join(' ').toLowerCase();
  }
}

function readable(c) {
  return { key: c.variable, label: c.label ?? c.name, from: c.from_text ?? String(c.from), to: c.to_text ?? String(c.to) };
}

function first(trace) {
  const now = new Array(trace.variables.length).fill(null);
  if (trace.start) for (const s of trace.start) now[s.variable] = { label: s.label, text: s.text };
  else trace.variables.forEach((name, i) => (now[i] = { label: name, text: String(trace.initial[i]) }));
  return now;
}

// A hidden change of something that could be seen: it is no more, as what a process leaves behind.
function apply(now, changes) {
  for (const c of changes) {
    if (c.hidden) now[c.variable] = null;
    else now[c.variable] = { label: c.label ?? c.name, text: c.to_text ?? String(c.to) };
  }
}

const whoDoes = (p) => (p && p.process ? `${p.process}[${p.pid}]` : null);

// "worker[1] x = x+1" without its process, which has a column of its own.
function titleOf(step) {
  const p = step.parts && step.parts[0];
  if (!p) return step.transition;
  const said = step.parts.map((q) => q.statement).filter(Boolean);
  return said.length ? said.join('; ') : step.transition;
}

// The runs of a trace file: itself and its branches, each with where it leaves the run that it comes from.
export function runsOf(trace) {
  const all = [{ run: trace, of: null, at: 0 }];
  for (const b of trace.branches || []) all.push({ run: b.run, of: b.of, at: b.at });
  return all;
}

// One of a few hues for a name, always the same.
export function hue(name) {
  let h = 7;
  for (let i = 0; i < name.length; i++) h = (h * 31 + name.charCodeAt(i)) >>> 0;
  return h % 8;
}
