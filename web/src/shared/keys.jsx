// keys.jsx -- keys for the whole page; what is typed into a field stays there.
import { useEffect, useRef } from 'preact/hooks';

const typing = (el) => el && (el.tagName === 'INPUT' || el.tagName === 'TEXTAREA' || el.tagName === 'SELECT' || el.isContentEditable);

// keys: {j: f, ArrowDown: f, ...}; a function gets the event.  The newest function counts.
export function useKeys(keys) {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const hear = (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || typing(e.target)) return;
      const f = now.current[e.key];
      if (!f) return;
      e.preventDefault();
      f(e);
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
}

// rows: [[keys, what], ...]
export function KeyHelp({ rows, onClose }) {
  return (
    <div class="veil" onClick={onClose}>
      <div class="sheet key-help" role="dialog" aria-label="Keys" onClick={(e) => e.stopPropagation()}>
        <h2>Keys</h2>
        <table>
          <tbody>
            {rows.map(([keys, what]) => (
              <tr key={what}>
                <td>{keys.split(' ').map((k) => <kbd key={k}>{k}</kbd>)}</td>
                <td>{what}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
