// search.jsx -- a box to search with, and the search itself.
import { useMemo } from 'preact/hooks';
import { Icon } from './icon.jsx';
import { count } from './format.js';

// Numbers i < n whose text has all the words, in order.  text(i) is in small letters.
export function find(n, text, words) {
  const all = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  if (!all.length) return found;
  for (let i = 0; i < n; i++) {
    const t = text(i);
    if (all.every((w) => t.includes(w))) found.push(i);
  }
  return found;
}

// The first in a sorted list that is at or behind x (forwards), or before it (backwards); round the end; -1: there are none.
export function next(found, x, forwards = true) {
  if (!found.length) return -1;
  let lo = 0, hi = found.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (found[mid] < x) lo = mid + 1;
    else hi = mid;
  }
  return forwards ? found[lo % found.length] : found[(lo + found.length - 1) % found.length];
}

export function SearchBox({ value, onInput, found, at, onGo, placeholder = 'search', inputRef }) {
  const place = useMemo(() => (found ? found.indexOf(at) : -1), [found, at]);
  const key = (e) => {
    if (e.key === 'Enter') onGo?.(!e.shiftKey);
    else if (e.key === 'Escape') {
      if (value) onInput('');
      e.target.blur();
    } else return;
    e.preventDefault();
  };
  return (
    <div class="search-box">
      <Icon name="search" size={16} />
      <input ref={inputRef} type="search" value={value} placeholder={placeholder} aria-label={placeholder} spellcheck={false} autocomplete="off" onInput={(e) => onInput(e.target.value)} onKeyDown={key} />
      {value && found && (
        <span class="search-count">
          {found.length ? `${place >= 0 ? count(place + 1) : '·'} / ${count(found.length)}` : 'nothing'}
        </span>
      )}
      {value && found && (
        <>
          <button class="icon-button" title="Previous (N)" aria-label="Previous" disabled={!found.length} onClick={() => onGo?.(false)}><Icon name="up" size={16} /></button>
          <button class="icon-button" title="Next (n)" aria-label="Next" disabled={!found.length} onClick={() => onGo?.(true)}><Icon name="down" size={16} /></button>
        </>
      )}
    </div>
  );
}
