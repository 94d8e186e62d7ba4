// match.js -- the match that the server plays with us: what it says, and what we tell it.
//
// Thimble's moves are asked for one by one, with a pause, so that one can watch.  The run of the model that the match has made is shown by the explorer.
import { useEffect, useRef, useState } from 'preact/hooks';

const PAUSE = 650; // milliseconds before each of thimble's moves

export function useMatch(x) {
  const [m, set] = useState(null); // the last answer, with all plies
  const [running, setRunning] = useState(null); // states explored so far, while a match is opened
  const [hint, setHint] = useState(null);
  const [error, setError] = useState(null);
  const now = useRef(null), timer = useRef(0), watch = useRef(0);

  const say = (answer) => {
    const before = now.current?.plies || [];
    const next = { ...answer, plies: [...before.slice(0, answer.since), ...answer.plies] };
    now.current = next;
    set(next);
    setHint(null);
    x.show({ steps: answer.steps }, null);
    clearTimeout(timer.current);
    if (next.turn === 'thimble') timer.current = setTimeout(() => tell('play/answer'), PAUSE);
    return next;
  };
  const tell = async (name, args = {}) => {
    try {
      setError(null);
      return say(await x.talk.tell(name, { ...args, since: name === 'play/open' ? 0 : now.current?.plies.length || 0 }));
    } catch (fault) {
      setError(fault.error || { message: String(fault) });
      return null;
    }
  };
  const open = async (args) => {
    clearTimeout(timer.current);
    now.current = null;
    set(null);
    setError(null);
    setRunning(0);
    watch.current = setInterval(() => x.talk.ask('progress').then((p) => setRunning((n) => (n == null ? n : p.states)), () => {}), 400);
    try {
      const answer = await x.talk.tell('play/open', args);
      if (answer.match === 'open') say({ ...answer, side: args.side, about: args });
      else setError({ message: `A match needs the whole graph: the search was stopped by ${answer.stop}, after ${answer.states} states.` });
    } catch (fault) {
      setError(fault.error || { message: String(fault) });
    } finally {
      clearInterval(watch.current);
      setRunning(null);
    }
  };
  useEffect(() => () => {
    clearTimeout(timer.current);
    clearInterval(watch.current);
  }, []);
  return {
    now: m,
    running,
    error,
    hint,
    open,
    take: (k) => now.current?.turn === 'you' && tell('play/take', { k }),
    undo: () => now.current && tell('play/undo'),
    hintAsked: async () => {
      try {
        setHint((await x.talk.ask('play/hint')).k);
      } catch (fault) {
        setError(fault.error || { message: String(fault) });
      }
    },
    end: async () => {
      clearTimeout(timer.current);
      now.current = null;
      set(null);
      await x.talk.tell('play/close').catch(() => {});
    },
    show: () => now.current && x.show({ steps: now.current.steps }, null),
  };
}
