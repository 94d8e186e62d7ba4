// space.jsx -- the state space report (doc/state-space-report.md).
import { count, plural } from '../shared/format.js';

const list = (names) => (names == null ? null : names.length ? names.join(', ') : 'none');
const markings = (m) => m && `${count(m.count)}${m.count ? ` [${m.first.join(', ')}${m.count > m.first.length ? ', …' : ''}]` : ''}`;

function Facts({ rows }) {
  return <dl>{rows.map(([name, text]) => <div key={name}><dt>{name}</dt><dd>{text ?? <span class="quiet">not known</span>}</dd></div>)}</dl>;
}

export function SpaceView({ space: s }) {
  const home = s.home_markings;
  const fair = s.fairness;
  const sets = s.bounds && s.bounds.some((b) => b.upper_multiset != null);
  return (
    <main class="page space-page">
      {s.missing && <section class="panel notes"><p>{s.missing === 'partial' ? 'The space was not explored to its end: some of this is not known.' : 'There was not enough memory for all of this.'}</p></section>}
      <section class="panel means">
        <h2>State space</h2>
        <Facts rows={[
          ['nodes', `${count(s.state_space?.nodes)}, ${plural(s.state_space?.arcs ?? 0, 'arc')}: ${s.state_space?.status}`],
          ['components', s.scc_graph && `${count(s.scc_graph.nodes)}, of which ${count(s.scc_graph.nontrivial)} have a cycle`],
          ['home markings', home && markings(home) + (home.initial ? '; the initial marking is one' : '')],
          ['dead markings', s.dead_markings && markings(s.dead_markings) + (s.dead_markings.nearest_steps != null ? `; the nearest after ${plural(s.dead_markings.nearest_steps, 'step')}` : '')],
        ]} />
      </section>
      <section class="panel means">
        <h2>Transitions</h2>
        <Facts rows={[
          ['dead', list(s.dead_transitions)], ['live', list(s.live_transitions)],
          ...(fair ? [['impartial', list(fair.impartial)], ['fair', list(fair.fair)], ['just', list(fair.just)]] : []),
        ]} />
      </section>
      {s.bounds && s.bounds.length > 0 && (
        <section class="panel means">
          <h2>Bounds</h2>
          <table class="bounds">
            <thead><tr><th>place</th><th class="number">least</th><th class="number">most</th>{sets && <th>upper multiset</th>}</tr></thead>
            <tbody>{s.bounds.map((b) => (
              <tr key={b.place}><td><code>{b.place}</code></td><td class="number">{count(b.lower)}</td><td class="number">{count(b.upper)}</td>{sets && <td><code>{b.upper_multiset}</code></td>}</tr>
            ))}</tbody>
          </table>
        </section>
      )}
    </main>
  );
}
