// format.js -- numbers for people.
export const count = (n) => (n == null ? '–' : Math.round(n).toLocaleString('en-US'));

export function short(n) {
  if (n == null) return '–';
  for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e3]])
    if (Math.abs(n) >= size) return (n / size).toFixed(Math.abs(n) / size < 10 ? 1 : 0) + unit;
  return Number.isInteger(n) ? String(n) : n.toFixed(n < 10 ? 1 : 0);
}

export function bytes(n) {
  if (n == null) return '–';
  for (const [unit, power] of [['TB', 4], ['GB', 3], ['MB', 2], ['kB', 1]]) { // as the program says it: powers of 1024
    const size = 1024 ** power;
    if (n >= size) return +(n / size).toFixed(n / size < 100 ? 1 : 0) + ' ' + unit;
  }
  return (n < 100 ? +n.toFixed(1) : Math.round(n)) + ' B';
}

export function seconds(s) {
  if (s == null) return '–';
  if (s < 0.001) return '< 1 ms';
  if (s < 1) return (s * 1000).toFixed(s < 0.01 ? 1 : 0) + ' ms';
  if (s < 120) return s.toFixed(s < 10 ? 2 : 1) + ' s';
  const m = Math.floor(s / 60);
  return m < 120 ? `${m} min ${Math.round(s - 60 * m)} s` : `${Math.floor(m / 60)} h ${m % 60} min`;
}

export const plural = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;
