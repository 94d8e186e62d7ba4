// net.jsx -- the net as it was drawn, or laid out: tokens, enabled transitions, and tokens that move when a step is taken.
//
// A step moves tokens along the arcs of its transition: first into it, then out of it.  Until they arrive, places that get tokens show what they had.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Canvas, curve, line, route, tip } from './canvas.jsx';
import { VirtualList } from '../shared/virtual.jsx';
import { count, plural } from '../shared/format.js';

const FLIGHT = 380; // milliseconds, each way
const still = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

// A name inside its node: in lines that fit, broken where words end.
function lines(text, width, height) {
  const most = Math.max(4, Math.floor(width / 6.8)), rows = Math.max(1, Math.floor(height / 13));
  const out = [''];
  for (const word of rows > 1 ? text.split(/(?<=[\s_])/) : [text])
    if (out[out.length - 1] && (out[out.length - 1] + word).trimEnd().length > most) out.push(word);
    else out[out.length - 1] += word;
  const kept = out.slice(0, rows);
  if (out.length > rows) kept[rows - 1] += '…';
  return kept.map((l) => clip(l.trimEnd(), most));
}
const Inside = ({ text, width, height }) => {
  const all = lines(text, width, height);
  return <text class="name" text-anchor="middle">{all.map((l, i) => <tspan key={i} x="0" y={4 + (i - (all.length - 1) / 2) * 13}>{l}</tspan>)}</text>;
};

const clip = (text, most) => (text.length > most ? text.slice(0, most - 1) + '…' : text);

function box(n) {
  return { x: n.x, y: n.y, width: n.width, height: n.height, round: n.kind === 'place' };
}

// Two arcs between the same two nodes would lie on each other: they part.
function routes(page) {
  const pairs = new Map();
  for (const a of page.arcs) pairs.set(a.place + '-' + a.transition, (pairs.get(a.place + '-' + a.transition) || 0) + 1);
  const seen = new Map();
  return page.arcs.map((a) => {
    const key = a.place + '-' + a.transition;
    const out = a.kind === 'out';
    const from = page.nodes[out ? a.transition : a.place], to = page.nodes[out ? a.place : a.transition];
    let bends = a.bends || [];
    if (!bends.length && pairs.get(key) > 1) {
      const k = seen.get(key) || 0;
      seen.set(key, k + 1);
      const dx = to.x - from.x, dy = to.y - from.y, long = Math.hypot(dx, dy) || 1;
      const side = 16 + 10 * Math.floor(k / 2); // each bends to its own left: opposite ways do not meet
      bends = [(from.x + to.x) / 2 + (dy / long) * side, (from.y + to.y) / 2 - (dx / long) * side];
    }
    // bends of an arc are listed from place to transition in coloured nets' files as they are drawn; a path that turns back is turned round
    if (out && bends.length > 2 && far(bends, from) > far(bends, to)) bends = turned(bends);
    return route(box(from), box(to), bends);
  });
}
const far = (bends, n) => Math.hypot(bends[0] - n.x, bends[1] - n.y);
const turned = (bends) => {
  const all = [];
  for (let i = bends.length - 2; i >= 0; i -= 2) all.push(bends[i], bends[i + 1]);
  return all;
};

// On which side of each place its name stands: where no arc is in its way.
const sides = [['below', Math.PI / 2], ['right', 0], ['left', Math.PI], ['above', -Math.PI / 2]];
function sidesOf(page, paths) {
  const arcs = page.nodes.map(() => []);
  page.arcs.forEach((a, i) => {
    const way = a.kind === 'out' ? [...paths[i]].reverse() : paths[i];
    const n = page.nodes[a.place];
    arcs[a.place].push(Math.atan2(way[0].y - n.y, way[0].x - n.x));
  });
  const off = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));
  return arcs.map((list, i) => {
    let best = 'below', most = -9;
    for (const [side, angle] of sides) {
      const free = (covered(page, i, side) ? -2 : 0) + Math.min(Math.PI, ...list.map((a) => off(a, angle))) + (side === 'below' ? 0.2 : side === 'right' ? 0.05 : 0);
      if (free > most + 1e-6) (best = side), (most = free);
    }
    return best;
  });
}
// Would a name there lie on another node?
function covered(page, i, side) {
  const n = page.nodes[i], wide = Math.min(22, n.name.length) * 6.6, r = n.height / 2;
  const x = side === 'right' ? n.x + r + 6 + wide / 2 : side === 'left' ? n.x - r - 6 - wide / 2 : n.x;
  const y = side === 'below' ? n.y + r + 10 : side === 'above' ? n.y - r - 10 : n.y;
  return page.nodes.some((m, k) => k !== i && Math.abs(m.x - x) < (m.width + wide) / 2 && Math.abs(m.y - y) < m.height / 2 + 7);
}
const namePlace = {
  below: (r) => ({ y: r + 14, 'text-anchor': 'middle' }),
  above: (r) => ({ y: -r - 6, 'text-anchor': 'middle' }),
  right: (r) => ({ x: r + 6, y: 4, 'text-anchor': 'start' }),
  left: (r) => ({ x: -r - 6, y: 4, 'text-anchor': 'end' }),
};

function Dots({ n }) {
  const r = 4.2;
  const spots = { 1: [[0, 0]], 2: [[-6, 0], [6, 0]], 3: [[0, -6], [-6, 5], [6, 5]], 4: [[-5.5, -5.5], [5.5, -5.5], [-5.5, 5.5], [5.5, 5.5]], 5: [[-7, -7], [7, -7], [0, 0], [-7, 7], [7, 7]] }[n];
  if (spots) return spots.map(([cx, cy], i) => <circle key={i} class="token" cx={cx} cy={cy} r={r} />);
  return <text class="tokens" y="4.5" text-anchor="middle">{n > 99999 ? '…' : n}</text>;
}

// What flies: {arc, phase} with a point for each; drawn by hand, outside of preact.
function useFlight(x, page, paths, setLate) {
  const layer = useRef(null);
  useEffect(() => {
    const step = x.moved?.step;
    if (!step || !page || still()) {
      setLate(null);
      return undefined;
    }
    const of = page.arcs.map((a, i) => ({ a, i })).filter(({ a }) => page.nodes[a.transition].group === step.group);
    const into = of.filter(({ a }) => a.kind === 'in' || a.kind === 'both');
    const outof = of.filter(({ a }) => a.kind === 'out' || a.kind === 'both');
    if (!of.length || !layer.current) {
      setLate(null);
      return undefined;
    }
    setLate(new Set(outof.map(({ a }) => page.nodes[a.place].var)));
    const svg = 'http://www.w3.org/2000/svg';
    const made = (list, back) =>
      list.map(({ a, i }) => {
        const way = document.createElementNS(svg, 'path');
        const points = back && a.kind === 'both' ? [...paths[i]].reverse() : paths[i];
        way.setAttribute('d', curve(points));
        const dot = document.createElementNS(svg, 'circle');
        dot.setAttribute('r', '5');
        dot.setAttribute('class', 'flying');
        dot.setAttribute('visibility', 'hidden');
        layer.current.appendChild(dot);
        return { way, dot, long: way.getTotalLength() };
      });
    const phases = [made(into, false), made(outof, true)].filter((p) => p.length);
    const begun = performance.now();
    let frame = 0;
    const done = () => {
      cancelAnimationFrame(frame);
      for (const p of phases) for (const f of p) f.dot.remove();
      setLate(null);
    };
    const tick = (time) => {
      const t = (time - begun) / FLIGHT;
      const phase = Math.floor(Math.max(0, t));
      if (phase >= phases.length) return done();
      const u = Math.max(0, t) - phase, eased = u < 0.5 ? 2 * u * u : 1 - 2 * (1 - u) * (1 - u);
      phases.forEach((p, k) =>
        p.forEach((f) => {
          const at = f.way.getPointAtLength(f.long * (k === phase ? eased : 0));
          f.dot.setAttribute('visibility', k === phase ? 'visible' : 'hidden');
          f.dot.setAttribute('transform', `translate(${at.x} ${at.y})`);
        }),
      );
      frame = requestAnimationFrame(tick);
      return undefined;
    };
    frame = requestAnimationFrame(tick);
    return done;
  }, [x.moved?.serial, page]);
  return layer;
}

function Place({ n, side, value, was, coloured, onHover }) {
  const tokens = coloured ? value?.tokens ?? 0 : value?.value ?? 0;
  const changed = was != null && (was.text ?? '') !== (value?.text ?? '');
  const rx = n.width / 2, ry = n.height / 2;
  return (
    <g transform={`translate(${n.x} ${n.y})`} class={'place' + (tokens ? ' marked' : '') + (changed ? ' changed' : '')} data-place={n.name} data-tokens={tokens} onPointerEnter={() => onHover(n)} onPointerLeave={() => onHover(null)}>
      {coloured ? <ellipse rx={rx} ry={ry} /> : <circle r={rx} />}
      {!coloured && tokens > 0 && <Dots n={tokens} />}
      {coloured ? <Inside text={n.name} width={n.width - 6} height={n.height - 4} /> : <text class="name below" {...namePlace[side](ry)}>{clip(n.name, 22)}</text>}
      {coloured && n.type && <text class="type" x={rx * 0.72} y={ry + 9}>{clip(n.type, 16)}</text>}
      {coloured && tokens > 0 && (
        <g transform={`translate(${rx + 4} ${-ry + 2})`} class="marking">
          <rect x={-Math.max(9, String(tokens).length * 4 + 6)} y="-9" width={2 * Math.max(9, String(tokens).length * 4 + 6)} height="18" rx="9" />
          <text y="4" text-anchor="middle">{tokens}</text>
        </g>
      )}
      <title>{coloured ? n.name : `${n.name}: ${count(tokens)}`}</title>
    </g>
  );
}

function Transition({ n, enabled, fired, onClick }) {
  const inside = n.name.length * 6.2 <= n.width - 4 || n.width > 56;
  return (
    <g transform={`translate(${n.x} ${n.y})`} class={'transition' + (enabled ? ' enabled' : '') + (fired ? ' fired' : '') + (n.page != null ? ' page' : '')} data-transition={n.name} onClick={onClick}>
      <rect x={-n.width / 2} y={-n.height / 2} width={n.width} height={n.height} rx="3" />
      {n.page != null && <rect class="inner" x={-n.width / 2 + 3} y={-n.height / 2 + 3} width={n.width - 6} height={n.height - 6} rx="2" />}
      {inside ? <Inside text={n.name} width={n.width - 2} height={n.height - 4} /> : <text class="name below" y={n.height / 2 + 13} text-anchor="middle">{clip(n.name, 22)}</text>}
      {n.guard && <text class="guard" x={-n.width / 2} y={-n.height / 2 - 4}>{clip(n.guard, 34)}</text>}
      {enabled > 1 && <text class="ways" x={n.width / 2 - 3} y={-n.height / 2 - 3} text-anchor="end">×{enabled}</text>}
      <title>{n.page != null ? `${n.name}: a page of its own` : enabled ? `${n.name}: ${plural(enabled, 'step')}` : `${n.name}: not enabled`}</title>
    </g>
  );
}

function useNet(x) {
  const [net, setNet] = useState(null);
  useEffect(() => {
    x.guard(async () => setNet(await x.talk.ask('net')));
  }, []);
  return net;
}

function Hover({ x, n }) {
  const [long, setLong] = useState(null);
  const value = n && x.state?.values.find((v) => v.var === n.var);
  useEffect(() => {
    setLong(null);
    if (value && value.text.length > 990) x.talk.ask('value', { state: x.id, var: n.var }).then((v) => setLong(v.text), () => {});
  }, [n?.var, x.id]);
  if (!n) return null;
  const tokens = (long ?? value?.text ?? 'empty').split('++');
  return (
    <div class="hover-card" role="status">
      <b>{n.name}</b> {n.type && <span class="quiet">{n.type}</span>}
      <div class="hover-tokens">{tokens.slice(0, 60).map((t, i) => <span key={i}>{t}</span>)}{tokens.length > 60 && <span>and {count(tokens.length - 60)} more</span>}</div>
    </div>
  );
}

export function NetView({ x }) {
  const net = useNet(x);
  const [chosen, setWhich] = useState(null); // null: the first page that has something on it
  const which = chosen ?? Math.max(0, net ? net.pages.findIndex((p) => p.nodes.length) : 0);
  const [late, setLate] = useState(null);
  const [hover, setHover] = useState(null);
  const [choice, setChoice] = useState(null); // a transition with several steps
  const page = net?.pages[which] || null;
  const paths = useMemo(() => (page ? routes(page) : []), [page]);
  const named = useMemo(() => (page && !net.coloured ? sidesOf(page, paths) : []), [page, paths]);
  const layer = useFlight(x, page, paths, setLate);
  useEffect(() => setChoice(null), [x.id, which]);
  useEffect(() => { // the page on which something happens comes to the front
    const group = x.moved?.step.group;
    if (!net || group == null) return;
    if (!net.pages[which]?.nodes.some((n) => n.group === group)) {
      const k = net.pages.findIndex((p) => p.nodes.some((n) => n.group === group));
      if (k >= 0) setWhich(k);
    }
  }, [x.moved?.serial]);
  const values = useMemo(() => new Map((x.state?.values || []).map((v) => [v.var, v])), [x.state]);
  const old = useMemo(() => new Map((x.was?.values || []).map((v) => [v.var, v])), [x.was]);
  const enabled = useMemo(() => {
    const by = new Map();
    for (const s of x.state?.steps || []) (by.get(s.group) || by.set(s.group, []).get(s.group)).push(s);
    return by;
  }, [x.state]);
  if (!net) return <div class="view-wait">…</div>;
  if (net.too_large || !page) return <NetList x={x} net={net} />;
  const press = (n) => {
    if (n.page != null) return setWhich(n.page);
    const steps = enabled.get(n.group) || [];
    if (steps.length === 1) x.take(steps[0].k);
    else if (steps.length) setChoice(choice === n ? null : n);
    return undefined;
  };
  const fired = x.run[x.at - 1]?.group;
  const moving = late && x.moved;
  return (
    <div class="net-view">
      {net.pages.filter((p) => p.nodes.length).length > 1 && (
        <div class="page-tabs" role="tablist">
          {net.pages.map((p, i) => p.nodes.length > 0 && <button key={i} role="tab" aria-selected={i === which} onClick={() => setWhich(i)}>{p.name}{p.instance > 1 ? ' ' + p.instance : ''}</button>)}
        </div>
      )}
      <Canvas width={page.width} height={page.height} watch={which} label="The net" least={0.3}>
        {page.arcs.map((a, i) => {
          const points = paths[i], mid = middle(points);
          const text = a.text ?? (a.weight > 1 ? String(a.weight) : '');
          return (
            <g key={i} class={'arc ' + a.kind + (page.nodes[a.transition].group === fired && fired != null ? ' fired' : '')}>
              <path d={a.bends ? line(points) : curve(points)} class="arc-line" />
              {a.kind === 'inhibitor' ? <circle class="arc-ring" cx={points[points.length - 1].x} cy={points[points.length - 1].y} r="4" /> : <path d={tip(points)} class="arc-tip" />}
              {a.kind === 'both' && <path d={tip([...points].reverse())} class="arc-tip" />}
              {a.kind === 'reset' && <path d={tip(points.map((p, k) => (k === points.length - 1 ? back(points) : p)))} class="arc-tip" />}
              {text && <text class="arc-text" x={mid.x} y={mid.y - 4} text-anchor="middle">{clip(text.replace(/\s+/g, ' '), 28)}<title>{text}</title></text>}
            </g>
          );
        })}
        {page.nodes.map((n, i) =>
          n.kind === 'place' ? (
            <Place key={i} n={n} side={named[i] || 'below'} coloured={net.coloured} value={moving && late.has(n.var) ? old.get(n.var) : values.get(n.var)} was={x.was ? old.get(n.var) || { text: '' } : null} onHover={net.coloured ? setHover : () => {}} />
          ) : (
            <Transition key={i} n={n} enabled={(enabled.get(n.group) || []).length} fired={fired != null && n.group === fired} onClick={() => press(n)} />
          ),
        )}
        <g ref={layer} />
      </Canvas>
      <div class="view-note">
        {!page.placed && <span class="badge" title="The file has no positions">laid out</span>}
        <span>click an enabled transition to take it{net.coloured ? '; point at a place to see its tokens' : ''}</span>
      </div>
      {net.coloured && <Hover x={x} n={hover} />}
      {choice && (
        <div class="view-about choice">
          <b>{choice.name}</b>
          <div class="choice-list">{(enabled.get(choice.group) || []).slice(0, 200).map((s) => <button key={s.k} class="button small" onClick={() => x.take(s.k)}>{s.label.includes('{') ? s.label.slice(s.label.indexOf('{')) : s.label}</button>)}</div>
        </div>
      )}
    </div>
  );
}

function back(points) {
  const q = points[points.length - 1], p = points[points.length - 2];
  const long = Math.hypot(q.x - p.x, q.y - p.y) || 1;
  return { x: q.x - ((q.x - p.x) / long) * 6, y: q.y - ((q.y - p.y) / long) * 6 };
}

function middle(points) {
  const k = Math.floor((points.length - 1) / 2);
  return { x: (points[k].x + points[k + 1].x) / 2, y: (points[k].y + points[k + 1].y) / 2 };
}

// Too many nodes for a drawing: what is marked, and what is enabled.
function NetList({ x, net }) {
  const values = x.state?.values || [];
  return (
    <div class="net-list">
      <p class="quiet">The net has {count(net.size)} nodes: too many to be drawn. These places are marked:</p>
      <VirtualList class="net-places" count={values.length} height={26} row={(i) => <div class="value"><span class="value-name">{values[i].label}</span><span class="value-text">{values[i].text}</span></div>} />
    </div>
  );
}
