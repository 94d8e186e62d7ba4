// state.jsx -- a state as a table: what was changed last, or everything.
import { useMemo } from 'preact/hooks';
import { VirtualList } from './virtual.jsx';
import { count } from './format.js';

const empty = (text) => text === '0' || text === 'empty' || text === '[]';

function Value({ row }) {
  return (
    <div class={'value' + (row.was != null ? ' changed' : '') + (empty(row.text) ? ' zero' : '')} title={`${row.label} = ${row.text}`}>
      <span class="value-name">{row.label}</span>
      <span class="value-text">
        {row.was != null && <><span class="from">{row.was}</span><span class="arrow">→</span></>}
        <span class="to">{row.text}</span>
      </span>
    </div>
  );
}

// rows: [{key, label, text, was}]; all: everything, otherwise only what changed.
export function StateTable({ rows, all = false, filter = '' }) {
  const shown = useMemo(() => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((r) => (all || r.was != null) && words.every((w) => (r.label + ' ' + r.text).toLowerCase().includes(w)));
  }, [rows, all, filter]);
  if (!shown.length)
    return <p class="quiet state-empty">{filter ? 'Nothing has these words.' : all ? 'There is nothing to show.' : 'This step changes no value.'}</p>;
  return (
    <>
      <VirtualList class="state-table" count={shown.length} height={26} row={(i) => <Value row={shown[i]} />} />
      {all && <p class="quiet state-count">{count(shown.length)} of {count(rows.length)}</p>}
    </>
  );
}
