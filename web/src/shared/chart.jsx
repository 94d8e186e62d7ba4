// chart.jsx -- message sequence charts in SVG: only the rows that are seen are drawn.
//
// The chart (see doc/formats/report.md) has lifelines and events; each event belongs to a step, each step is a row.
// Arrows of buffered messages leave in the row of the send and arrive in that of the receive, so a window must know those
// that only pass through it: events are kept by blocks of rows, long ones in each block that they touch.
const LANE = 132;
const PAD = 24;
const BLOCK = 128;
const MOST = 2; // events of a step below each other

export const chartWidth = (chart) => (chart ? PAD * 2 + Math.max(1, chart.lifelines.length) * LANE : 0);
const x = (lane) => PAD + LANE * lane + LANE / 2;

const blocksOf = new WeakMap();

// What is drawn: loops and atomic steps are rows of the list already, and what the end is like stands beside it.
const drawn = (e) => e.kind !== 'loop' && e.kind !== 'atomic' && !(e.kind === 'note' && (e.tone === 'wait' || e.tone === 'verdict'));

// The lanes that an event covers.
function span(e) {
  const ends = [e.from, e.to, e.at].filter((n) => n != null);
  const low = Math.min(...ends), high = Math.max(...ends);
  return e.kind === 'message' && (e.from == null || e.to == null) ? [low, low + 0.6] : [low, high];
}

// Events of one step beside each other where they have room, else one below the other.  Actions go first where there are too many.
function arrange(list, events, slots) {
  const put = (some) => {
    const ends = []; // per slot: spans that are taken
    for (const k of some) {
      const [low, high] = span(events[k]);
      let s = 0;
      while (ends[s] && ends[s].some(([a, b]) => low <= b && a <= high)) s++;
      // what comes later must not stand above what touches the same lanes
      (ends[s] ||= []).push([low, high]);
      slots.set(k, s);
    }
    return ends.length;
  };
  // A fault stands for the statement that has it; what is printed stands beside the list as well.
  const faults = new Set(list.filter((k) => events[k].tone === 'fault').map((k) => events[k].from));
  const told = list.filter((k) => !(events[k].kind === 'action' && faults.has(events[k].at)));
  const without = (drop) => {
    const some = told.filter((k) => !drop(events[k]));
    if (!some.length) return;
    list.forEach((k) => slots.delete(k));
    rows = put(some);
  };
  const prints = (e) => e.tone === 'print';
  let rows = put(told);
  if (rows > 1) without(prints);
  if (rows > MOST) without((e) => prints(e) || e.kind === 'action');
  return rows;
}

function blocks(chart) {
  let made = blocksOf.get(chart);
  if (made) return made;
  made = { at: new Map(), slot: new Map(), inRow: new Map() };
  const put = (block, k) => {
    const list = made.at.get(block);
    if (list) list.push(k);
    else made.at.set(block, [k]);
  };
  const steps = new Map();
  chart.events.forEach((e, k) => {
    if (!drawn(e)) return;
    if (steps.has(e.step)) steps.get(e.step).push(k);
    else steps.set(e.step, [k]);
    const to = e.kind === 'message' && e.received != null ? Math.max(e.step, e.received) : e.step;
    for (let b = Math.floor(e.step / BLOCK); b <= Math.floor(to / BLOCK); b++) put(b, k);
  });
  for (const [step, list] of steps) made.inRow.set(step, arrange(list, chart.events, made.slot));
  blocksOf.set(chart, made);
  return made;
}

// Numbers of the events that touch rows first..last-1.
function seen(chart, first, last) {
  const made = blocks(chart);
  const found = new Set();
  for (let b = Math.floor(first / BLOCK); b <= Math.floor(Math.max(first, last - 1) / BLOCK); b++)
    for (const k of made.at.get(b) || []) {
      if (!made.slot.has(k)) continue;
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

// The head of an arrow that comes from (fx, fy).
function Tip({ to, y, fx, fy = y, open }) {
  const turn = (Math.atan2(y - fy, to - fx) * 180) / Math.PI;
  return <path class={open ? 'tip open' : 'tip'} transform={`translate(${to} ${y}) rotate(${turn})`} d={open ? 'M-8 -4.5L0 0L-8 4.5' : 'M-8 -4.5L0 0L-8 4.5z'} />;
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
  const label = e.label || e.channel || '';
  const title = `${e.channel ? e.channel + ': ' : ''}${e.label || ''}`;
  if (e.from == null) { // it was under way from the start
    const at = x(e.to), far = at - LANE * 0.42;
    return (
      <g class="message">
        <circle class="tip" cx={far} cy={y0} r="3" />
        <path d={`M${far} ${y0}H${at}`} />
        <Tip to={at} y={y0} fx={far} />
        <Label cx={(far + at) / 2} y={y0} text={label} room={LANE * 0.9} title={title} />
      </g>
    );
  }
  const from = x(e.from);
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
        <Tip to={from} y={low} fx={from + 34} />
        <text x={from + 39} y={(y0 + low) / 2 + 4} class="label">{clip(label, LANE * 0.6)}<title>{title}</title></text>
      </g>
    );
  }
  const room = Math.abs(to - from) - 16;
  const slope = y1 !== y0;
  return (
    <g class={'message' + (slope ? ' late' : '')}>
      <path d={`M${from} ${y0}L${to} ${y1}`} />
      <Tip to={to} y={y1} fx={from} fy={y0} />
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
    const from = e.from == null ? to - LANE * 0.42 : x(e.from);
    return (
      <g class="create">
        <path d={`M${from} ${y}H${to}`} stroke-dasharray="4 3" />
        <Tip to={to} y={y} fx={from} open />
        <Label cx={(from + to) / 2} y={y} text={e.label || 'starts'} room={Math.abs(to - from) - 14} />
      </g>
    );
  }
  if (e.kind === 'end') return <path class="cross end" d={`M${x(e.at) - 6} ${y - 6}l12 12M${x(e.at) + 6} ${y - 6}l-12 12`} />;
  if (e.kind === 'note') {
    const [low, high] = span(e);
    const a = x(low) - LANE / 2 + 6;
    const b = x(high) + LANE / 2 - 6;
    return (
      <g class={'note ' + (e.tone || '')}>
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
    return (step - first) * row + (row * (slot + 1)) / (n + 1) + (n === 1 ? 4 : n === 2 ? 3 : 1);
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
