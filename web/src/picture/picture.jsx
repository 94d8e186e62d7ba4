// picture.jsx -- a drawing of the user's own that shows the state (doc/pictures.md).
//
// The server has cleaned the drawing and evaluates everything: here values are applied, and clicks take steps.  The drawing lives in a shadow root, so
// that its style sheet and its ids are its own.
import { useEffect, useRef, useState } from 'preact/hooks';
import './picture.css';

const SVG = 'http://www.w3.org/2000/svg';
const own = `
:host { display: block; width: 100%; height: 100%; }
svg { width: 100%; height: 100%; display: block; }
[data-t] { transition: opacity .25s, fill .25s, stroke .25s; }
.thimble-move, .thimble-turn { transition: transform .45s ease; }
.thimble-turn { transform-box: fill-box; transform-origin: center; }
.thimble-gone { opacity: 0; visibility: hidden; pointer-events: none; }
.thimble-click { outline: none; }
.thimble-ready { cursor: pointer; }
.thimble-ready:hover, .thimble-ready:focus-visible { filter: drop-shadow(0 0 5px rgb(10 140 150 / .9)); }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;

// A second look at what the server let through: nothing that runs, nothing from elsewhere.
function harmless(root) {
  for (const e of [root, ...root.querySelectorAll('*')]) {
    if (/^(script|foreignobject|iframe|a|animate.*|set)$/i.test(e.localName)) {
      e.remove();
      continue;
    }
    for (const a of [...e.attributes]) {
      if (/^on/i.test(a.name) || (/href$/i.test(a.name) && !/^(#|data:image\/)/.test(a.value))) e.removeAttribute(a.name);
    }
  }
}

function wrap(e, name) {
  const g = document.createElementNS(SVG, 'g');
  g.setAttribute('class', name);
  e.replaceWith(g);
  g.append(e);
  return g;
}

// The drawing, ready to be looked at: {elements, movers, turners, ties}.
function hang(host, picture) {
  const root = host.shadowRoot || host.attachShadow({ mode: 'open' });
  const parsed = new DOMParser().parseFromString(picture.svg, 'image/svg+xml').documentElement;
  const style = document.createElement('style');
  style.textContent = own;
  if (parsed.localName !== 'svg') {
    root.replaceChildren(style);
    return null;
  }
  harmless(parsed);
  const svg = document.importNode(parsed, true);
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  root.replaceChildren(style, svg);
  const made = { elements: new Map(), movers: new Map(), turners: new Map(), ties: picture.ties };
  for (const e of svg.querySelectorAll('[data-t]')) made.elements.set(Number(e.getAttribute('data-t')), e);
  if (svg.hasAttribute('data-t')) made.elements.set(Number(svg.getAttribute('data-t')), svg);
  for (const t of picture.ties) {
    const e = made.elements.get(t.element);
    if (!e || e === svg) continue;
    if (t.kind === 'turn') made.turners.set(t.element, wrap(e, 'thimble-turn'));
    if (t.kind === 'move') made.movers.set(t.element, wrap(made.turners.get(t.element) || e, 'thimble-move'));
    if (t.kind === 'click') {
      e.classList.add('thimble-click');
      e.setAttribute('role', 'button');
    }
  }
  return made;
}

const gone = (e, is) => e.classList.toggle('thimble-gone', is);

function apply(made, looks) {
  for (const l of looks) {
    const e = made.elements.get(l.element);
    if (!e) continue;
    if ('text' in l && /^(text|tspan)$/.test(e.localName)) e.textContent = l.text;
    if ('show' in l) gone(e, !l.show);
    if ('move' in l && made.movers.has(l.element)) made.movers.get(l.element).style.transform = `translate(${l.move[0]}px, ${l.move[1]}px)`;
    if ('turn' in l && made.turners.has(l.element)) made.turners.get(l.element).style.transform = `rotate(${l.turn}deg)`;
    if ('fill' in l) e.style.fill = l.fill ?? '';
    if ('stroke' in l) e.style.stroke = l.stroke ?? '';
    if ('count' in l) [...e.children].forEach((c, i) => gone(c, i >= l.count));
  }
}

const stepsOf = (tie, steps) => steps.filter((s) => tie.groups.includes(s.group));

function Problems({ picture }) {
  const n = picture.problems.length;
  const without = picture.transitions_without;
  if (!n && !without) return null;
  return (
    <details class="picture-problems">
      <summary>
        {n > 0 && <span class="badge warn">{n} {n === 1 ? 'problem' : 'problems'}</span>}
        {without > 0 && <span class="quiet">{without} {without === 1 ? 'transition has' : 'transitions have'} no part in the picture</span>}
      </summary>
      <ul>
        {picture.problems.map((p, i) => <li key={i}>{p.line > 0 && <span class="quiet">line {p.line}: </span>}{p.text}</li>)}
        {without > 0 && <li class="quiet">without a part: {picture.without.join(', ')}{without > picture.without.length ? ', …' : ''}</li>}
      </ul>
    </details>
  );
}

// `x` is the explorer (explore/explorer.js).
export function PictureView({ x }) {
  const host = useRef(null);
  const made = useRef(null);
  const [picture, setPicture] = useState(null);
  const [looks, setLooks] = useState(new Map()); // by state
  const [choice, setChoice] = useState(null); // several steps behind one click
  const now = useRef(x);
  now.current = x;
  useEffect(() => {
    x.guard(async () => setPicture(await x.talk.ask('picture')));
  }, []);
  useEffect(() => {
    if (!picture) return;
    made.current = hang(host.current, picture);
    const clicked = (tie, event) => {
      const steps = stepsOf(tie, now.current.state?.steps || []);
      event.stopPropagation();
      if (steps.length === 1) now.current.take(steps[0].k);
      setChoice(steps.length > 1 ? steps : null);
    };
    for (const tie of made.current?.ties || []) {
      const e = tie.kind === 'click' && made.current.elements.get(tie.element);
      if (!e) continue;
      e.addEventListener('click', (event) => clicked(tie, event));
      e.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        clicked(tie, event);
      });
    }
  }, [picture]);
  // What states look like is asked once each.
  useEffect(() => {
    setChoice(null);
    if (!picture || x.id == null || looks.has(x.id)) return;
    x.guard(async () => {
      const found = await x.talk.ask('looks', { id: x.id });
      setLooks((known) => new Map(known).set(x.id, found.looks));
    });
  }, [picture, x.id]);
  // The look of a state, what can be clicked in it and what has just happened are shown at one moment: who sees a state can click in it.
  useEffect(() => {
    if (!made.current || !x.state || !looks.has(x.id)) return;
    apply(made.current, looks.get(x.id));
    const last = x.run[x.at - 1];
    const ready = new Map();
    for (const tie of made.current.ties) {
      const e = made.current.elements.get(tie.element);
      if (!e || !tie.groups) continue;
      if (tie.kind === 'on') gone(e, !(last && tie.groups.includes(last.group)));
      else ready.set(e, (ready.get(e) || []).concat(stepsOf(tie, x.state.steps)));
    }
    for (const [e, steps] of ready) {
      e.classList.toggle('thimble-ready', steps.length > 0);
      if (steps.length) e.setAttribute('tabindex', '0');
      else e.removeAttribute('tabindex');
      e.setAttribute('aria-disabled', String(!steps.length));
      e.setAttribute('aria-label', steps.map((s) => s.label).join(', ') || 'nothing to do');
    }
  }, [picture, looks, x.state, x.at, x.run]);
  return (
    <div class="picture-view">
      <div class="picture-sheet"><div class="picture-host" ref={host} /></div>
      {choice && (
        <div class="picture-choice" role="dialog" aria-label="which step">
          {choice.slice(0, 30).map((s) => <button key={s.k} class="button" onClick={() => { setChoice(null); x.take(s.k); }}>{s.label}</button>)}
          {choice.length > 30 && <span class="quiet">and {choice.length - 30} more in the list of steps</span>}
          <button class="button" onClick={() => setChoice(null)}>Cancel</button>
        </div>
      )}
      {picture && <Problems picture={picture} />}
    </div>
  );
}
