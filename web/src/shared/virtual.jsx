// virtual.jsx -- lists of any length: only rows that can be seen are there.
//
// Rows have one height.  A browser cannot scroll over more than some ten million pixels, so beyond LIMIT the scroll bar
// is a share of the list, and rows are put where they belong relative to what is seen.
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

const LIMIT = 8e6;

// head: pixels at the top that something sticky covers.
export function useVirtual(count, height, { over = 8, head = 0 } = {}) {
  const ref = useRef(null);
  const [view, setView] = useState({ top: 0, size: 600 });
  useLayoutEffect(() => {
    const el = ref.current;
    if (!el) return undefined;
    const see = () => setView((v) => (v.top === el.scrollTop && v.size === el.clientHeight ? v : { top: el.scrollTop, size: el.clientHeight }));
    see();
    el.addEventListener('scroll', see, { passive: true });
    const watch = new ResizeObserver(see);
    watch.observe(el);
    return () => {
      el.removeEventListener('scroll', see);
      watch.disconnect();
    };
  }, []);
  const full = count * height;
  const total = Math.min(full, LIMIT);
  const room = view.size - head;
  const scale = full > LIMIT ? (full - room) / (total - room) : 1;
  const top = view.top * scale; // where we would be if the list had its full height
  const first = Math.max(0, Math.floor(top / height) - over);
  const last = Math.min(count, Math.ceil((top + room) / height) + over);
  const offset = scale === 1 ? first * height : view.top - (top - first * height);
  const reveal = useCallback(
    (i, how = 'near') => {
      const el = ref.current;
      if (!el) return;
      const seen = el.clientHeight - head;
      const long = count * height;
      const s = long > LIMIT ? (long - seen) / (LIMIT - seen) : 1;
      const at = el.scrollTop * s;
      const margin = Math.min(2 * height, Math.max(0, (seen - height) / 2));
      let to = at;
      if (how === 'middle' && (i * height < at || (i + 1) * height > at + seen)) to = i * height - (seen - height) / 2;
      else if (i * height - margin < at) to = i * height - margin;
      else if ((i + 1) * height + margin > at + seen) to = (i + 1) * height + margin - seen;
      if (to !== at) el.scrollTop = Math.max(0, to) / s;
    },
    [count, height, head],
  );
  return { ref, first, last, offset, total, reveal, size: view.size };
}

// A list of its own: row(i) draws one.
export function VirtualList({ count, height, row, class: name = '', at, role = 'list' }) {
  const v = useVirtual(count, height);
  useLayoutEffect(() => {
    if (at != null) v.reveal(at);
  }, [at, count]);
  const rows = [];
  for (let i = v.first; i < v.last; i++)
    rows.push(<div key={i} class="virtual-row" style={{ height: height + 'px' }}>{row(i)}</div>);
  return (
    <div class={'virtual ' + name} ref={v.ref} role={role} tabIndex={0}>
      <div class="virtual-all" style={{ height: v.total + 'px' }}>
        <div class="virtual-seen" style={{ transform: `translateY(${v.offset}px)` }}>{rows}</div>
      </div>
    </div>
  );
}
