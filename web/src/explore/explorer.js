// explorer.js -- the run that the user is on, and everything that views need to show it.
//
// The run is a list of steps from the initial state; `at` says how many of them are taken.  Going back keeps what lies ahead, so that one can
// walk up and down a run that was found; another step than the next one begins a new end.  The server knows the states by number and
// nothing of the run, so a page that is loaded again goes on where it was (sessionStorage).
import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { openTalk } from './talk.js';

const KEPT = 20000; // steps of a run that are kept over a reload

const first = { model: null, states: new Map(), run: [], at: 0, loop: -1, about: null, moved: null, busy: 0, error: null, grown: 0, lost: false };

function reduce(s, e) {
  switch (e.kind) {
    case 'model':
      return { ...s, model: e.model };
    case 'state': {
      const states = new Map(s.states);
      states.set(e.state.id, e.state);
      return { ...s, states, grown: s.grown + 1 };
    }
    case 'more': { // more steps of a state that has very many
      const was = s.states.get(e.state.id);
      const states = new Map(s.states);
      states.set(e.state.id, { ...was, steps: [...was.steps, ...e.state.steps] });
      return { ...s, states };
    }
    case 'take': { // {steps} from the state at `at`
      const next = s.run[s.at];
      if (e.steps.length === 1 && next && next.k === e.steps[0].k) return { ...s, at: s.at + 1, moved: forward(s, s.at + 1) };
      const run = [...s.run.slice(0, s.at), ...e.steps];
      const at = run.length;
      return { ...s, run, at, loop: -1, about: null, moved: e.steps.length === 1 ? { step: e.steps[0], from: stateAt(s), serial: (s.moved?.serial || 0) + 1 } : null, grown: s.grown + 1 };
    }
    case 'go':
      return { ...s, at: Math.max(0, Math.min(s.run.length, e.at)), moved: e.at === s.at + 1 ? forward(s, e.at) : null };
    case 'run': // a run that was found, opened or kept
      return { ...s, run: e.run, at: e.at ?? e.run.length, loop: e.loop ?? -1, about: e.about || null, moved: null, grown: s.grown + 1 };
    case 'busy':
      return { ...s, busy: s.busy + e.by };
    case 'error':
      return { ...s, error: e.error };
    default:
      return s;
  }
}

const forward = (s, at) => (at <= s.run.length ? { step: s.run[at - 1], from: idAt(s.run, at - 1), serial: (s.moved?.serial || 0) + 1 } : null);
const idAt = (run, at) => (at ? run[at - 1].to : 0);
const stateAt = (s) => idAt(s.run, s.at);

// The target of a step that had no number before is told apart.
const landed = (steps) => steps.map((s) => ({ ...s, to: s.new ?? s.to }));

const storage = 'thimble-run';

export function useExplorer(base) {
  const talk = useMemo(() => openTalk(base), [base]);
  const now = useRef(first); // always the newest, also between two drawings
  const [, again] = useReducer((n) => n + 1, 0);
  const tell = (e) => {
    now.current = reduce(now.current, e);
    again();
  };
  const s = now.current;
  const loading = useRef(new Set());
  // What is answered after the user has gone elsewhere is for nobody.
  const stillAt = (was) => was.at === now.current.at && was.run === now.current.run;

  const guard = async (f) => {
    tell({ kind: 'busy', by: 1 });
    try {
      const value = await f();
      tell({ kind: 'error', error: null });
      return value;
    } catch (e) {
      tell({ kind: 'error', error: e.error || { message: String(e.message || e) } });
      return null;
    } finally {
      tell({ kind: 'busy', by: -1 });
    }
  };

  const load = (id) => {
    if (id == null || now.current.states.has(id) || loading.current.has(id)) return;
    loading.current.add(id);
    guard(async () => {
      try {
        tell({ kind: 'state', state: await talk.ask('state', { id }) });
      } finally {
        loading.current.delete(id);
      }
    });
  };

  const id = stateAt(s);
  const before = s.at ? idAt(s.run, s.at - 1) : null;
  useEffect(() => {
    guard(async () => {
      tell({ kind: 'model', model: await talk.ask('model') });
      const kept = keptRun();
      if (kept) {
        const found = await talk.tell('path', { steps: kept.steps }).catch(() => null);
        if (found) tell({ kind: 'run', run: landed(found.steps), at: kept.at });
      }
    });
  }, []);
  useEffect(() => {
    load(id);
    load(before);
  }, [id, before]);
  useEffect(() => {
    if (s.model) keepRun(s);
  }, [s.run, s.at]);

  const x = {
    ...s,
    talk,
    id,
    before,
    state: s.states.get(id) || null,
    was: before == null ? null : s.states.get(before) || null,
    load,
    guard,
    clear: () => tell({ kind: 'error', error: null }),
    // Takes the k-th step of the state that is shown.
    take: (k) =>
      guard(async () => {
        const here = now.current;
        const from = stateAt(here);
        const known = here.states.get(from)?.steps.find((step) => step.k === k);
        if (!known) return;
        const went = await talk.tell('step', { state: from, k });
        if (stillAt(here)) tell({ kind: 'take', steps: [{ ...known, to: went.to }] });
      }),
    go: (at) => tell({ kind: 'go', at }),
    undo: () => tell({ kind: 'go', at: now.current.at - 1 }),
    redo: () => tell({ kind: 'go', at: now.current.at + 1 }),
    walk: (steps, seed) =>
      guard(async () => {
        const here = now.current;
        const found = await talk.tell('walk', { state: stateAt(here), steps, seed });
        if (found.steps.length && stillAt(here)) tell({ kind: 'take', steps: landed(found.steps) });
        return found;
      }),
    more: () =>
      guard(async () => {
        const from = stateAt(now.current);
        tell({ kind: 'more', state: await talk.ask('state', { id: from, from: now.current.states.get(from).steps.length }) });
      }),
    // A run given by its edges: along the graph.
    along: (steps) =>
      guard(async () => {
        const found = await talk.tell('path', { steps });
        tell({ kind: 'run', run: landed(found.steps) });
      }),
    // A run as the checker or a file tells it.
    show: (run, about) => tell({ kind: 'run', run: landed(run.steps), loop: run.loop ?? -1, about }),
    share: () => talk.tell('run', { steps: now.current.run.map((step) => step.k) }),
    open: (text) => talk.give('open', text),
  };
  return x;
}

function keepRun(s) {
  try {
    if (s.run.length > KEPT) sessionStorage.removeItem(storage);
    else sessionStorage.setItem(storage, JSON.stringify({ steps: s.run.map((step) => step.k), at: s.at, page: location.pathname }));
  } catch {
    // then a reload begins anew
  }
}

function keptRun() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storage));
    return kept && kept.page === location.pathname && kept.steps.length ? kept : null;
  } catch {
    return null;
  }
}
