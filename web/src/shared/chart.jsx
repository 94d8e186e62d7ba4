// chart.jsx -- message sequence charts in SVG: only the rows that are seen are drawn.
//
// The chart (see doc/formats/report.md) has lifelines and events; each event belongs to a step, each step is a row.
// Arrows of buffered messages leave in the row of the send and arrive in that of the receive, so a window must know those
// that only pass through it: events are kept by blocks of rows, long ones in each block that they touch.
const LANE = 132;
const PAD = 24;
const BLOCK = 128;

export const chartWidth = (chart) => (chart ? PAD * 2 + Math.max(1, chart.lifelines.length) * LANE : 0);
const x = (lane) => PAD + LANE * lane + LANE / 2;

const blocksOf = new WeakMap();

function blocks(chart) {
  let made = blocksOf.get(chart);
  if (made) return made;
  made = { at: new Map(), slot: new Map() };
  const put = (block, k) => {
    const list = made.at.get(block);
    if (list) list.push(k);
    else made.at.set(block, [k]);
  };
  const inRow = new Map(); // how many events a row has, to spread them
  chart.events.forEach((e, k) => {
    const n = inRow.get(e.step) || 0;
    made.slot.set(k, n);
    inRow.set(e.step, n + 1);
    const to = e.kind === 'message' && e.received != null ? Math.max(e.step, e.received) : e.step;
    for (let b = Math.floor(e.step / BLOCK); b <= Math.floor(to / BLOCK); b++) put(b, k);
  });
  made.inRow = inRow;
  blocksOf.set(chart, made);
  return made;
}

// Numbers of the events that touch rows first..last-1.
function seen(chart, first, last) {
  const made = blocks(chart);
  const found = new Set();
  for (let b = Math.floor(first / BLOCK); b <= Math.floor(Math.max(first, last - 1) / BLOCK); b++)
    for (const k of made.at.get(b) || []) {
      const e = chart.events[k];
      const to = e.kind === 'message' && e.received != null ? e.received : e.step;
      if (e.step < last && Math.max(to, e.step) >= first) found.add(k);
    }
  return [...found].sort((a, b) => a - b);
}

function clip(text, room) {
  const most = Math.max(3, Math.floor(room / 6.7));
  return text.length > most ? text.slice(0, most - 1) + '…' : text;
}

export function ChartHead({ chart, left = 0 }) {
  return (
    <div class="chart-head" style={{ left: left + 'px', width: chartWidth(chart) + 'px' }}>
      {chart.lifelines.map((l, i) => (
        <span key={i} class="lifeline-name" style={{ left: x(i) - LANE / 2 + 4 + 'px', width: LANE - 8 + 'px' }} title={l.name}>{l.name}</span>
      ))}
    </div>
  );
}

function Tip({ to, y, right, open }) {
  const d = right ? -8 : 8;
  return <path class={open ? 'tip open' : 'tip'} d={open ? `M${to + d} ${y - 4.5}L${to} ${y}L${to + d} ${y + 4.5}` : `M${to + d} ${y - 4.5}L${to} ${y}L${to + d} ${y + 4.5}z`} />;
}

function Label({ cx, y, text, room, title }) {
  return (
    <text x={cx} y={y - 5} text-anchor="middle" class="label">
      {clip(text, room)}
      <title>{title || text}</title>
    </text>
  );
}

function Message({ e, y0, y1, row }) {
  const from = x(e.from);
  const label = e.label || '';
  const title = `${e.channel ? e.channel + ': ' : ''}${label}`;
  if (e.to == null || e.received == null) { // lost, or still under way at the end
    const to = from + LANE * 0.42 * (e.to != null && e.to < e.from ? -1 : 1);
    return (
      <g class={'message ' + (e.lost ? 'lost' : 'under-way')}>
        <path d={`M${from} ${y0}H${to}`} />
        {e.lost ? <path class="cross" d={`M${to - 5} ${y0 - 5}l10 10M${to + 5} ${y0 - 5}l-10 10`} /> : <circle class="tip" cx={to} cy={y0} r="3.5" />}
        <Label cx={(from + to) / 2} y={y0} text={label} room={LANE * 0.9} title={title + (e.lost ? ' (lost)' : ' (not received)')} />
      </g>
    );
  }
  const to = x(e.to);
  if (e.from === e.to) {
    const low = Math.max(y1, y0 + Math.min(14, row / 3));
    return (
      <g class="message self">
        <path d={`M${from} ${y0}H${from + 34}V${low}H${from}`} fill="none" />
        <Tip to={from} y={low} right={false} />
        <text x={from + 39} y={(y0 + low) / 2 + 4} class="label">{clip(label, LANE * 0.6)}<title>{title}</title></text>
      </g>
    );
  }
  const room = Math.abs(to - from) - 16;
  const slope = y1 !== y0;
  return (
    <g class={'message' + (slope ? ' late' : '')}>
      <path d={`M${from} ${y0}L${to} ${y1}`} />
      <Tip to={to} y={y1} right={to > from} />
      <Label cx={from + (to - from) * (slope ? 0.3 : 0.5)} y={y0 + (y1 - y0) * (slope ? 0.3 : 0)} text={label} room={slope ? room * 0.75 : room} title={title} />
    </g>
  );
}

function Event({ e, y, yTo, row }) {
  if (e.kind === 'message') return <Message e={e} y0={y} y1={yTo} row={row} />;
  if (e.kind === 'action') {
    const text = clip(e.label || '', LANE - 22);
    const w = Math.min(LANE - 10, text.length * 6.7 + 14);
    return (
      <g class={'action' + (e.fault ? ' bad' : '')}>
        <rect x={x(e.at) - w / 2} y={y - 9} width={w} height="18" rx="5" />
        <text x={x(e.at)} y={y + 4} text-anchor="middle" class="label">{text}<title>{e.label}</title></text>
      </g>
    );
  }
  if (e.kind === 'create') {
    const to = x(e.to);
    return (
      <g class="create">
        <path d={`M${x(e.from)} ${y}H${to}`} stroke-dasharray="4 3" />
        <Tip to={to} y={y} right={e.to > e.from} open />
        <Label cx={(x(e.from) + to) / 2} y={y} text={e.label || 'starts'} room={Math.abs(to - x(e.from)) - 14} />
      </g>
    );
  }
  if (e.kind === 'end') return <path class="cross end" d={`M${x(e.at) - 6} ${y - 6}l12 12M${x(e.at) + 6} ${y - 6}l-12 12`} />;
  if (e.kind === 'note') {
    const over = e.over || (e.at != null ? [e.at] : [0]);
    const a = x(Math.min(...over)) - LANE / 2 + 6;
    const b = x(Math.max(...over)) + LANE / 2 - 6;
    return (
      <g class="note">
        <rect x={a} y={y - 10} width={b - a} height="20" rx="2" />
        <text x={(a + b) / 2} y={y + 4} text-anchor="middle" class="label">{clip(e.label || '', b - a)}<title>{e.label}</title></text>
      </g>
    );
  }
  return null;
}

// Rows first..last-1, as a layer on top of them; `row` pixels each.
export function ChartRows({ chart, first, last, row, left = 0, at = -1, loop = -1, count = 0 }) {
  const made = blocks(chart);
  const width = chartWidth(chart);
  const height = (last - first) * row;
  const y = (step, k) => {
    const n = k == null ? 1 : made.inRow.get(step) || 1;
    const slot = k == null ? 0 : made.slot.get(k);
    return (step - first) * row + (row * (slot + 1)) / (n + 1) + (n === 1 ? 4 : 2);
  };
  const live = chart.lifelines.map((l, i) => {
    const from = l.from == null ? 0 : Math.max(0, y(l.from));
    const to = l.to == null ? height : Math.min(height, y(l.to));
    return to > 0 && from < height && to > from ? <path key={'l' + i} class="lifeline" d={`M${x(i)} ${Math.max(0, from)}V${to}`} /> : null;
  });
  const loopTop = loop >= 0 ? (loop + 1 - first) * row : 0;
  const loopEnd = (count + 1 - first) * row;
  return (
    <svg class="chart" style={{ left: left + 'px' }} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label="Message sequence chart">
      {loop >= 0 && loopEnd > 0 && loopTop < height && (
        <rect class="loop-frame" x="6" width={width - 12} y={Math.max(-20, loopTop) + 1} height={Math.min(height + 20, loopEnd) - Math.max(-20, loopTop) - 2} rx="8" />
      )}
      {live}
      {seen(chart, first, last).map((k) => {
        const e = chart.events[k];
        const yTo = e.kind === 'message' && e.received != null && e.received !== e.step ? y(e.received) : y(e.step, k);
        return (
          <g key={k} class={e.step === at || e.received === at ? 'event now' : 'event'}>
            <Event e={e} y={y(e.step, k)} yTo={yTo} row={row} />
          </g>
        );
      })}
    </svg>
  );
}
