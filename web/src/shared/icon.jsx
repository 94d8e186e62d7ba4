// icon.jsx -- small pictures, drawn with the colour of the text.
const paths = {
  sun: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10M12 1.5v2.5M12 20v2.5M1.5 12H4M20 12h2.5M4.6 4.6l1.8 1.8M17.6 17.6l1.8 1.8M4.6 19.4l1.8-1.8M17.6 6.4l1.8-1.8',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5L21 21',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  first: 'M6 18l6-6 6 6M6 6h12',
  last: 'M6 6l6 6 6-6M6 18h12',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  yes: 'M4.5 12.5l5 5 10-11',
  no: 'M6 6l12 12M18 6L6 18',
  unknown: 'M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .6-1.5 1.1-1.5 2.3M12 18.2v.3',
  loop: 'M17 3l3.5 3.5L17 10M20 6.5H8a4.5 4.5 0 0 0 0 9h1M7 21l-3.5-3.5L7 14',
  list: 'M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01',
  chart: 'M5 3v18M19 3v18M5 8h12M14.5 5.5L17 8l-2.5 2.5M19 16H7M9.5 13.5L7 16l2.5 2.5',
  both: 'M4 4h6v16H4zM14 4v16M20 4v16M14 9h6M20 15h-6',
  keys: 'M3 6.5h18v11H3zM7 10h.01M11 10h.01M15 10h.01M18 10h.01M7.5 14h9',
  warn: 'M12 4L2.5 20h19zM12 10v5M12 17.5v.3',
  undo: 'M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 12h-2',
  redo: 'M15 6l5 5-5 5M20 11H10a6 6 0 0 0 0 12h2',
  dice: 'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1M8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01',
  save: 'M12 3v12M7 10l5 5 5-5M4 17v3h16v-3',
  open: 'M12 15V3M7 8l5-5 5 5M4 17v3h16v-3',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  play: 'M7 4.5v15l12-7.5z',
  branch: 'M6 4v16M6 9c0 4 12 1 12 7M18 16v4',
};

export function Icon({ name, size = 18 }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

// The thimble itself.
export function Mark({ size = 26 }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path d="M10 5.5C10 3 13 2 16 2s6 1 6 3.5L25 25H7z" fill="currentColor" opacity=".18" />
      <path d="M10 5.5C10 3 13 2 16 2s6 1 6 3.5L25 25M10 5.5L7 25" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
      <path d="M5 25.5c0-1.3 1-2 2.5-2h17c1.5 0 2.5.7 2.5 2v1.5c0 1.3-1 2-2.5 2h-17C6 29 5 28.3 5 27z" fill="currentColor" />
      <g fill="currentColor">
        <circle cx="13" cy="8" r="1.15" /><circle cx="16" cy="7" r="1.15" /><circle cx="19" cy="8" r="1.15" />
        <circle cx="12" cy="12.5" r="1.15" /><circle cx="16" cy="12" r="1.15" /><circle cx="20" cy="12.5" r="1.15" />
        <circle cx="11.5" cy="17.5" r="1.15" /><circle cx="16" cy="17" r="1.15" /><circle cx="20.5" cy="17.5" r="1.15" />
      </g>
    </svg>
  );
}
