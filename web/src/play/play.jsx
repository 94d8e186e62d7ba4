// play.jsx -- a match against thimble, in the place of the next steps: what is at stake, the moves, and what was played.
import { useEffect, useRef, useState } from 'preact/hooks';
import './play.css';
import { Icon } from '../shared/icon.jsx';
import { count } from '../shared/format.js';

const kinds = [
  ['ctl', 'a CTL formula', 'AG EF ready'],
  ['reach', 'to reach a state', 'x == 3'],
  ['keep', 'to keep a condition', 'x <= 3'],
];

function Setup({ match }) {
  const [kind, setKind] = useState('ctl');
  const [text, setText] = useState('');
  const [side, setSide] = useState('for');
  const [theirs, setTheirs] = useState('');
  const wish = kind !== 'ctl';
  const begin = (e) => {
    e.preventDefault();
    const args = wish ? { kind: 'strategy', text: `${kind} ${text}`, side } : { kind, text, side };
    if (wish && theirs.trim()) args.uncontrollable = theirs;
    match.open(args);
  };
  const says = wish ? [['for', 'I play the system: it can'], ['against', 'I play the environment: it cannot']] : [['for', 'I say that it holds'], ['against', 'I say that it does not hold']];
  return (
    <form class="play-setup" onSubmit={begin}>
      <p class="quiet">Play the side that you believe in. Thimble plays the other one.</p>
      <label>about
        <select value={kind} aria-label="what the match is about" onChange={(e) => setKind(e.target.value)}>{kinds.map(([name, title]) => <option key={name} value={name}>{title}</option>)}</select>
      </label>
      <input class="formula" value={text} aria-label="formula or condition" placeholder={kinds.find((k) => k[0] === kind)[2]} spellcheck={false} onInput={(e) => setText(e.target.value)} onKeyDown={(e) => e.key === 'Escape' && e.target.blur()} />
      <span class="play-sides" role="radiogroup" aria-label="your side">
        {says.map(([key, title]) => <label key={key} class={'play-side' + (side === key ? ' chosen' : '')}><input type="radio" name="side" checked={side === key} onChange={() => setSide(key)} /> {title}</label>)}
      </span>
      {wish && <input class="formula" value={theirs} aria-label="transitions of the environment" placeholder="transitions of the environment: lose*, drop" spellcheck={false} onInput={(e) => setTheirs(e.target.value)} />}
      <button class="button main" type="submit" disabled={!text.trim() || match.running != null}>Play</button>
      {match.running != null && <p class="quiet"><span class="spin" /> {count(match.running)} states</p>}
    </form>
  );
}

function Plies({ plies }) {
  const end = useRef(null);
  useEffect(() => end.current?.scrollTo(0, end.current.scrollHeight), [plies.length]);
  return (
    <ol class="plies" ref={end}>
      {plies.filter((p) => !(p.forced && (p.deed === 'wait' || p.deed === 'let'))).map((p, i) => (
        <li key={i} class={'ply ' + p.by + (p.forced ? ' forced' : '')}>
          <b>{p.by}</b> <span>{p.text}</span>
        </li>
      ))}
    </ol>
  );
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function Board({ match }) {
  const m = match.now;
  const over = m.turn === 'over';
  return (
    <>
      <p class="stake" aria-label="at stake">{capital(m.stake)}.</p>
      {over ? (
        <p class={'found ' + (m.you_won ? 'good' : 'bad')} role="status"><b>{m.you_won ? 'You have won' : 'Thimble has won'}</b>: {m.why}.</p>
      ) : (
        <p class="asked"><span class={'turn ' + m.turn}>{m.turn === 'you' ? 'Your move' : <><span class="spin" /> Thimble</>}</span> {capital(m.asked)}.</p>
      )}
      {!over && m.turn === 'you' && (
        <div class="move-list">
          {m.moves.map((v, i) => (
            <button key={v.k} class={'next-step move' + (match.hint === v.k ? ' hinted' : '')} data-k={v.k} data-deed={v.deed} onClick={() => match.take(v.k)}>
              <kbd class={i < 10 ? '' : 'none'}>{i < 9 ? i + 1 : i === 9 ? 0 : ''}</kbd>
              <span class="next-body"><span class="next-line">{v.edge != null ? <code>{v.text}</code> : v.text}</span></span>
            </button>
          ))}
          {m.all_moves > m.moves.length && <p class="quiet more">{count(m.all_moves - m.moves.length)} more moves are not shown.</p>}
        </div>
      )}
      {match.hint != null && !m.you_can_win && !over && <p class="quiet hint-note">You lose all the same, if thimble goes on as it does.</p>}
      <div class="play-tools">
        <button class="button small" disabled={!m.plies.length} onClick={match.undo}><Icon name="undo" size={15} /> Take back</button>
        <button class="button small" disabled={over || m.turn !== 'you'} onClick={match.hintAsked}>Hint</button>
        <button class="button small" onClick={match.show} title="The views show the state that the match is in">Show</button>
        <button class="button small" onClick={match.end}>End</button>
      </div>
      <Plies plies={m.plies} />
    </>
  );
}

export function Play({ match }) {
  const m = match.now;
  return (
    <section class="panel play" aria-label="Play">
      <h2>Play{m && <span class={'badge ' + (m.you_can_win ? 'can' : 'cannot')}>{m.turn === 'over' ? (m.you_won ? 'won' : 'lost') : m.you_can_win ? 'you are right' : 'thimble says no'}</span>}</h2>
      {match.error && <p class="found bad" role="alert">{match.error.message}{match.error.excerpt && <code class="excerpt">{match.error.excerpt}{'\n' + ' '.repeat(Math.max(0, match.error.caret)) + '^'}</code>}{match.error.hint && <span class="quiet"> {match.error.hint}</span>}</p>}
      {m ? <Board match={match} /> : <Setup match={match} />}
    </section>
  );
}
