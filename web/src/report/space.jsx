// space.jsx -- the state space report of nets (doc/state-space-report.md).
import { count, plural } from '../shared/format.js';

const list = (names, none = 'none') => (names == null ? 'not known' : names.length ? names.join(', ') : none);

export function SpaceView({ space: s }) {
  const facts = [
    ['State space', s.state_space && `${plural(s.state_space.nodes, 'node')}, ${plural(s.state_space.arcs, 'arc')}: ${s.state_space.status ?? (s.state_space.full ? 'full' : 'partial')}`],
    ['SCC graph', s.scc_graph && `${plural(s.scc_graph.nodes, 'node')}, ${plural(s.scc_graph.arcs, 'arc')}`],
    ['Home markings', s.home_markings && `${count(s.home_markings.count)}`],
    ['Dead markings', s.dead_markings && `${count(s.dead_markings.count)}`],
    ['Dead transitions', list(s.dead_transitions)],
    ['Live transitions', list(s.live_transitions)],
  ];
  return (
    <main class="page">
      <section class="panel means">
        <h2>State space</h2>
        <dl>{facts.map(([name, text]) => <div key={name}><dt>{name}</dt><dd>{text || 'not known'}</dd></div>)}</dl>
      </section>
    </main>
  );
}
