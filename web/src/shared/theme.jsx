// theme.jsx -- dark and light: as the system has it, until the reader chooses.
//
// The choice is kept for the page where the browser allows it (file:// pages often may not).
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.jsx';

const key = 'thimble-theme';
const dark = () => window.matchMedia('(prefers-color-scheme: dark)');
const told = new Set(); // who wants to know

function kept() {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

let choice = null; // null: as the system has it
export const theme = () => choice || (dark().matches ? 'dark' : 'light');

function apply() {
  document.documentElement.dataset.theme = theme();
  for (const f of told) f();
}

export function startTheme() {
  const was = kept();
  choice = was === 'dark' || was === 'light' ? was : null;
  dark().addEventListener('change', apply);
  apply();
}

export function turnTheme() {
  choice = theme() === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(key, choice);
  } catch {
    // it lasts as long as the page then
  }
  apply();
}

// The theme's name; whoever uses it is drawn again when it changes.
export function useTheme() {
  const [now, set] = useState(theme());
  useEffect(() => {
    const hear = () => set(theme());
    told.add(hear);
    return () => told.delete(hear);
  }, []);
  return now;
}

// A colour of the theme, for those who draw on a canvas.
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

export function ThemeButton() {
  const now = useTheme();
  return (
    <button class="icon-button theme-button" title="Dark or light (t)" aria-label="Dark or light" onClick={turnTheme}>
      <Icon name={now === 'dark' ? 'sun' : 'moon'} />
    </button>
  );
}
