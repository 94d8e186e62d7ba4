// steps.jsx -- a run as a list of steps, with what each changes, and its message sequence chart beside it.
//
// Both are one list: a row of the chart is the row of its step, so they are in step by construction.  `mode` says what is
// shown: 'steps', 'both', 'chart'.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useVirtual } from './virtual.jsx';
import { ChartHead, ChartRows, chartWidth } from './chart.jsx';
import { hue } from './run.js';
import { count } from './format.js';
import { Icon } from './icon.jsx';

export const ROW = 46;
const HEAD = 34;

export function Changes({ list, most = 12 }) {
  return (
    <span class="changes">
      {list.slice(0, most).map((c) => (
        <span class="change" key={c.key}>
          <span class="change-name">{c.label}</span> <span class="from">{c.from}</span><span class="arrow">→</span><span class="to">{c.to}</span>
        </span>
      ))}
      {list.length > most && <span class="change more">and {count(list.length - most)} more</span>}
    </span>
  );
}

export function Who({ name }) {
  return name ? <span class={'who hue' + hue(name)}>{name}</span> : null;
}

function Row({ run, i, now, hit, onAt }) {
  const inLoop = run.loop >= 0 && i > run.loop;
  const faults = run.faults(i);
  const changed = run.changes(i);
  const marks = (now ? ' now' : '') + (hit ? ' hit' : '') + (inLoop ? ' in-loop' : '') + (faults.length ? ' fault' : '');
  return (
    <div class={'step' + marks} id={'step-' + i} role="option" aria-selected={now} onClick={() => onAt(i)}>
      <span class="step-number">{i}</span>
      <span class="step-body">
        <span class="step-line">
          <Who name={run.who(i)} />
          <span class={i ? 'statement' : 'statement start'}>{i ? run.title(i) : 'initial state'}</span>
          {run.loop === i && <span class="badge loop-badge"><Icon name="loop" size={13} /> loop begins here</span>}
          {run.loop >= 0 && i === run.count && <span class="badge loop-badge"><Icon name="loop" size={13} /> back to {run.loop}</span>}
          {faults.map((f) => <span class="badge bad" key={f}>{f}</span>)}
        </span>
        <span class="step-line small">
          {i === 0 ? null : changed.length ? <Changes list={changed} /> : <span class="quiet">changes no value</span>}
        </span>
      </span>
    </div>
  );
}

export function Steps({ run, at, onAt, chart = null, mode = 'steps', hits = null, label = 'Steps' }) {
  const withChart = chart && mode !== 'steps';
  const withList = mode !== 'chart' || !chart;
  const head = withChart ? HEAD : 0;
  const v = useVirtual(run.count + 1, ROW, { head });
  const [wide, setWide] = useState(900);
  const told = useRef(-1);
  useLayoutEffect(() => {
    v.reveal(at, Math.abs(at - told.current) > 20 ? 'middle' : 'near');
    told.current = at;
  }, [at, run, mode, v.size]);
  useLayoutEffect(() => {
    const el = v.ref.current;
    const see = () => setWide(el.clientWidth);
    see();
    const watch = new ResizeObserver(see);
    watch.observe(el);
    return () => watch.disconnect();
  }, []);
  const list = withList ? (withChart ? Math.max(210, Math.min(460, wide * 0.5)) : wide) : 52;
  const broad = withChart ? Math.max(wide, list + chartWidth(chart)) : wide;
  const rows = [];
  for (let i = v.first; i < v.last; i++)
    rows.push(
      <div key={i} class={'step-row' + (i === at ? ' now' : '')} style={{ height: ROW + 'px' }} onClick={withChart ? () => onAt(i) : undefined}>
        <div class="step-cell" style={{ width: list + 'px' }}>
          {withList ? <Row run={run} i={i} now={i === at} hit={hits?.has(i)} onAt={onAt} /> : <div class={'step bare' + (i === at ? ' now' : '')}><span class="step-number">{i}</span></div>}
        </div>
      </div>,
    );
  return (
    <div class={'steps ' + (withChart ? 'with-chart' : '')} ref={v.ref} role="listbox" aria-label={label} tabIndex={0} aria-activedescendant={'step-' + at}>
      {withChart && (
        <div class="steps-head" style={{ height: HEAD + 'px', width: broad + 'px' }}>
          <div class="step-cell" style={{ width: list + 'px' }} />
          <ChartHead chart={chart} left={list} />
        </div>
      )}
      <div class="steps-all" style={{ height: v.total + 'px', width: broad + 'px' }}>
        <div class="steps-seen" style={{ transform: `translateY(${v.offset}px)` }}>
          {withChart && <ChartRows chart={chart} first={v.first} last={v.last} row={ROW} left={list} at={at} loop={run.loop} count={run.count} onAt={onAt} />}
          {rows}
        </div>
      </div>
    </div>
  );
}
