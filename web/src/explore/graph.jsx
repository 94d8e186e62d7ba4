// graph.jsx -- the state graph so far, in layers: a click unfolds a state, two go there.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Canvas, curve, route, tip } from './canvas.jsx';
import { count, plural } from '../shared/format.js';

const W = 34, H = 24, FIRST = 200, LABELLED = 60; // labels are drawn in small graphs, and told when one points at an edge

// Edges of a path from the initial state, by their k; null: there is none in what is drawn.
function wayTo(graph, target) {
  const from = new Map([[0, null]]);
  const out = new Map();
  for (const e of graph.edges) (out.get(e.from) || out.set(e.from, []).get(e.from)).push(e);
  const queue = [0];
  for (const at of queue) {
    if (at === target) break;
    for (const e of out.get(at) || [])
      if (!from.has(e.to)) {
        from.set(e.to, e);
        queue.push(e.to);
      }
  }
  if (!from.has(target)) return null;
  const way = [];
  for (let e = from.get(target); e; e = from.get(e.from)) way.unshift(e.k);
  return way;
}

// Edges that lead back or sideways bend away from the layers between.
function path(e, a, b) {
  const box = (s) => ({ x: s.x, y: s.y, width: W, height: H });
  if (e.from === e.to) return [{ x: a.x + W / 2, y: a.y - 5 }, { x: a.x + W / 2 + 20, y: a.y - 12 }, { x: a.x + W / 2 + 20, y: a.y + 12 }, { x: a.x + W / 2 + 1, y: a.y + 5 }];
  let bends = e.bends || [];
  if (!bends.length && a.depth === b.depth) bends = [(a.x + b.x) / 2, a.y + (a.x < b.x ? -26 : 26)];
  else if (!bends.length && b.depth < a.depth) bends = [(a.x + b.x) / 2 + 16, (a.y + b.y) / 2];
  return route(box(a), box(b), bends);
}

// Where the label of an edge stands: where it has parted from its neighbours, or does not meet them yet.
function middle(points, share) {
  if (points.length > 2) return { x: points[Math.floor((points.length - 1) / 2)].x, y: points[Math.floor((points.length - 1) / 2)].y + 3 };
  const [p, q] = points;
  return { x: p.x + (q.x - p.x) * share, y: p.y + (q.y - p.y) * share + 3 };
}

function degrees(graph) {
  const out = new Map(), into = new Map();
  for (const e of graph?.edges || []) {
    out.set(e.from, (out.get(e.from) || 0) + 1);
    into.set(e.to, (into.get(e.to) || 0) + 1);
  }
  return (e) => (out.get(e.from) > 1 && into.get(e.to) === 1 ? 0.68 : out.get(e.from) === 1 && into.get(e.to) > 1 ? 0.32 : out.get(e.from) > 1 ? 0.6 : 0.5);
}

function short(e) {
  const name = e.labels[0] || '';
  return (name.length > 20 ? name.slice(0, 19) + '…' : name) + (e.count > 1 ? ` +${e.count - 1}` : '');
}

const wordOf = { deadlock: 'deadlock', end: 'a valid end', fault: 'something goes wrong here' };

export function GraphView({ x }) {
  const [graph, setGraph] = useState(null);
  const [limit, setLimit] = useState(FIRST);
  const [chosen, setChosen] = useState(null);
  const draw = (asked) => x.guard(async () => setGraph(await asked));
  useEffect(() => {
    draw(x.talk.ask('graph', { limit }));
  }, [x.grown, limit]);
  const at = useMemo(() => new Map((graph?.states || []).map((s) => [s.id, s])), [graph]);
  const share = useMemo(() => degrees(graph), [graph]);
  const onRun = useMemo(() => {
    const pairs = new Set();
    let from = 0;
    for (const step of x.run.slice(0, x.at)) {
      pairs.add(from + '-' + step.to);
      from = step.to;
    }
    return pairs;
  }, [x.run, x.at]);
  const passed = useMemo(() => new Set([0, ...x.run.slice(0, x.at).map((s) => s.to)]), [x.run, x.at]);
  if (!graph) return <div class="view-wait">…</div>;
  const here = at.get(x.id);
  const told = chosen != null ? at.get(chosen) : null;
  const unfold = (id) => {
    setChosen(id);
    x.load(id);
    const s = at.get(id);
    if (s.open !== 0) draw(x.talk.tell('expand', { state: id }));
  };
  const go = (id) => {
    const step = x.state?.steps.find((t) => t.to === id);
    if (id === x.id) return;
    if (step) x.take(step.k);
    else {
      const way = wayTo(graph, id);
      if (way) x.along(way);
    }
  };
  return (
    <div class="graph-view">
      <Canvas width={graph.width} height={graph.height} watch={graph.states.length > 1} label="State graph" least={0.45} focus={here && { x: here.x, y: here.y, key: x.id + ' ' + graph.width }}>
        {graph.edges.map((e) => {
          const a = at.get(e.from), b = at.get(e.to);
          const points = path(e, a, b);
          const run = onRun.has(e.from + '-' + e.to);
          return (
            <g key={e.from + '-' + e.to} class={'edge' + (run ? ' on-run' : '')}>
              <path d={curve(points)} class="edge-line" />
              <path d={tip(points)} class="edge-tip" />
              {graph.states.length <= LABELLED && <text class="edge-label" {...middle(points, share(e))} text-anchor="middle">{short(e)}</text>}
              <path d={curve(points)} class="edge-touch"><title>{`${e.from} → ${e.to}: ${e.labels.join(', ')}${e.count > e.labels.length ? `, and ${e.count - e.labels.length} more` : ''}`}</title></path>
            </g>
          );
        })}
        {graph.states.map((s) => (
          <g key={s.id} transform={`translate(${s.x} ${s.y})`} data-state={s.id}
            class={'node' + (s.kind ? ' ' + s.kind : '') + (s.open === 0 ? '' : ' open') + (passed.has(s.id) ? ' passed' : '') + (s.id === x.id ? ' here' : '') + (s.id === chosen ? ' chosen' : '')}
            onClick={() => unfold(s.id)} onDblClick={() => go(s.id)}>
            {s.kind === 'deadlock' && <rect x={-W / 2 - 3} y={-H / 2 - 3} width={W + 6} height={H + 6} rx="10" class="double" />}
            <rect x={-W / 2} y={-H / 2} width={W} height={H} rx="8" />
            <text y="4" text-anchor="middle">{s.id}</text>
            {s.open !== 0 && <text class="plus" x={W / 2 - 2} y={-H / 2 + 6} text-anchor="middle">+</text>}
            <title>{`state ${s.id}${s.kind ? ': ' + wordOf[s.kind] : ''}${s.open == null ? ': not unfolded yet' : s.open ? `: ${plural(s.open, 'step')} not drawn` : ''}`}</title>
          </g>
        ))}
      </Canvas>
      <div class="view-note">
        {graph.partial ? <span class="badge warn" title="Some steps lead to states that are not drawn">partial</span> : <span class="badge good">complete</span>}
        <span>{plural(graph.states.length, 'state')} drawn{graph.known > graph.states.length ? `, ${count(graph.known)} known` : ''}</span>
        {graph.partial && graph.states.length < graph.most && <button class="button small" onClick={() => setLimit(Math.min(graph.most, graph.states.length + FIRST))}>200 more</button>}
        {graph.states.length >= graph.most && <span class="quiet">more are not drawn</span>}
      </div>
      {told && (
        <div class="view-about">
          <b>state {told.id}</b>
          {told.kind && <span class={'badge ' + (told.kind === 'end' ? 'good' : 'bad')}>{wordOf[told.kind]}</span>}
          <span class="about-values">{(x.states.get(told.id)?.values || []).slice(0, 8).map((v) => <span key={v.var}>{v.label} = {v.text.length > 40 ? v.text.slice(0, 40) + '…' : v.text}</span>)}</span>
          {told.id !== x.id && <button class="button small" onClick={() => go(told.id)}>Go there</button>}
        </div>
      )}
    </div>
  );
}
