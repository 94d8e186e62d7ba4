// canvas.jsx -- a drawing that can be moved and zoomed: wheel, drag, two fingers; it begins as large as the window allows.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../shared/icon.jsx';

const MOST = 2.5, LEAST = 0.05, MARGIN = 26;

// width, height: of the drawing.  watch: when it changes the drawing is fitted again.  focus: {x, y, key}: is brought into view when key changes.
export function Canvas({ width, height, watch, focus = null, label, children, least = 0 }) {
  const ref = useRef(null);
  const drag = useRef(null);
  const [view, setView] = useState(null); // {x, y, scale}: where the drawing's origin is
  const [moving, setMoving] = useState(false);

  const fitted = () => {
    const el = ref.current;
    const w = el.clientWidth, h = el.clientHeight;
    const all = Math.min((w - 2 * MARGIN) / Math.max(1, width), (h - 2 * MARGIN) / Math.max(1, height), 1.4);
    const scale = Math.max(LEAST, least, all);
    const fits = scale <= all + 1e-6;
    return { scale, x: fits || width * scale < w ? (w - width * scale) / 2 : MARGIN, y: fits || height * scale < h ? Math.max(MARGIN, (h - height * scale) / 2) : MARGIN };
  };
  const fit = () => setView(fitted());
  useLayoutEffect(fit, [watch]);
  useLayoutEffect(() => {
    const seen = new ResizeObserver(() => setView((v) => v && ref.current?.clientWidth ? v : fitted()));
    seen.observe(ref.current);
    return () => seen.disconnect();
  }, []);
  useEffect(() => {
    if (!focus || !view) return;
    const el = ref.current;
    const x = view.x + focus.x * view.scale, y = view.y + focus.y * view.scale;
    const dx = x < 40 ? 90 - x : x > el.clientWidth - 40 ? el.clientWidth - 90 - x : 0;
    const dy = y < 30 ? 70 - y : y > el.clientHeight - 30 ? el.clientHeight - 70 - y : 0;
    if (dx || dy) setView({ ...view, x: view.x + dx, y: view.y + dy });
  }, [focus?.key]);

  const zoom = (factor, cx, cy) =>
    setView((v) => {
      const scale = Math.min(MOST, Math.max(LEAST, v.scale * factor));
      return { scale, x: cx - ((cx - v.x) * scale) / v.scale, y: cy - ((cy - v.y) * scale) / v.scale };
    });
  const middle = () => [ref.current.clientWidth / 2, ref.current.clientHeight / 2];
  useEffect(() => {
    const el = ref.current;
    const wheel = (e) => { // not passive: the page must not scroll
      e.preventDefault();
      const box = el.getBoundingClientRect();
      if (e.ctrlKey || !e.shiftKey) zoom(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0016)), e.clientX - box.left, e.clientY - box.top);
      else setView((v) => ({ ...v, x: v.x - e.deltaY }));
    };
    el.addEventListener('wheel', wheel, { passive: false });
    return () => el.removeEventListener('wheel', wheel);
  }, []);

  const down = (e) => {
    if (e.button) return;
    drag.current = { ...(drag.current || {}), [e.pointerId]: { x: e.clientX, y: e.clientY }, far: 0 };
  };
  const move = (e) => {
    const d = drag.current;
    const was = d?.[e.pointerId];
    if (!was) return;
    const dx = e.clientX - was.x, dy = e.clientY - was.y;
    const others = Object.keys(d).filter((k) => k !== 'far' && k !== String(e.pointerId));
    d.far += Math.abs(dx) + Math.abs(dy);
    if (d.far < 5) return;
    if (!moving) {
      setMoving(true);
      ref.current.setPointerCapture?.(e.pointerId);
    }
    if (others.length) {
      const o = d[others[0]], box = ref.current.getBoundingClientRect();
      const apart = (p) => Math.hypot(p.x - o.x, p.y - o.y) || 1;
      zoom(apart({ x: e.clientX, y: e.clientY }) / apart(was), (o.x + e.clientX) / 2 - box.left, (o.y + e.clientY) / 2 - box.top);
    } else setView((v) => ({ ...v, x: v.x + dx, y: v.y + dy }));
    d[e.pointerId] = { x: e.clientX, y: e.clientY };
  };
  const up = (e) => {
    if (!drag.current) return;
    delete drag.current[e.pointerId];
    if (!Object.keys(drag.current).some((k) => k !== 'far')) {
      drag.current = null;
      setTimeout(() => setMoving(false), 0); // the click that ends a drag is no click
    }
  };
  const transform = view ? `translate(${view.x.toFixed(1)} ${view.y.toFixed(1)}) scale(${view.scale.toFixed(4)})` : '';
  return (
    <div class={'canvas' + (moving ? ' moving' : '')} ref={ref} onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={up} onPointerLeave={up}
      onClickCapture={(e) => moving && e.stopPropagation()}>
      <svg class="canvas-svg" role="img" aria-label={label}>
        <g transform={transform} visibility={view ? 'visible' : 'hidden'}>{children}</g>
      </svg>
      <div class="canvas-tools">
        <button class="icon-button" title="Closer" aria-label="Closer" onClick={() => zoom(1.3, ...middle())}>+</button>
        <button class="icon-button" title="Further away" aria-label="Further away" onClick={() => zoom(1 / 1.3, ...middle())}>−</button>
        <button class="icon-button" title="All of it" aria-label="All of it" onClick={fit}><Icon name="fit" size={16} /></button>
      </div>
    </div>
  );
}

// A line from one box to another through bends, cut where it meets them.  Boxes: {x, y, width, height, round}.
export function route(from, to, bends = [], gap = 2) {
  const points = [{ x: from.x, y: from.y }];
  for (let i = 0; i + 1 < bends.length; i += 2) points.push({ x: bends[i], y: bends[i + 1] });
  points.push({ x: to.x, y: to.y });
  points[0] = edge(from, points[1], gap);
  points[points.length - 1] = edge(to, points[points.length - 2], gap);
  return points;
}

function edge(box, toward, gap) {
  const dx = toward.x - box.x, dy = toward.y - box.y;
  const long = Math.hypot(dx, dy) || 1;
  const w = box.width / 2 + gap, h = box.height / 2 + gap;
  const k = box.round ? 1 / Math.hypot(dx / w, dy / h) : Math.min(w / (Math.abs(dx) || 1e-9), h / (Math.abs(dy) || 1e-9));
  if (!Number.isFinite(k) || k >= 1) return { x: box.x + (dx / long) * gap, y: box.y + (dy / long) * gap };
  return { x: box.x + dx * k, y: box.y + dy * k };
}

export const line = (points) => points.map((p, i) => `${i ? 'L' : 'M'}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join('');

// Through the points, softly (Catmull and Rom).
export function curve(points) {
  if (points.length < 3) return line(points);
  const f = (n) => n.toFixed(1);
  let d = `M${f(points[0].x)} ${f(points[0].y)}`;
  for (let i = 0; i + 1 < points.length; i++) {
    const o = points[Math.max(0, i - 1)], p = points[i], q = points[i + 1], r = points[Math.min(points.length - 1, i + 2)];
    d += `C${f(p.x + (q.x - o.x) / 6)} ${f(p.y + (q.y - o.y) / 6)} ${f(q.x - (r.x - p.x) / 6)} ${f(q.y - (r.y - p.y) / 6)} ${f(q.x)} ${f(q.y)}`;
  }
  return d;
}

// The head of an arrow at the last of the points.
export function tip(points, size = 7) {
  const q = points[points.length - 1];
  let p = points[points.length - 2];
  for (let i = points.length - 2; i > 0 && Math.hypot(q.x - p.x, q.y - p.y) < 1; i--) p = points[i - 1];
  const a = Math.atan2(q.y - p.y, q.x - p.x);
  const at = (turn) => `${(q.x - size * Math.cos(a + turn)).toFixed(1)} ${(q.y - size * Math.sin(a + turn)).toFixed(1)}`;
  return `M${at(0.42)}L${q.x.toFixed(1)} ${q.y.toFixed(1)}L${at(-0.42)}z`;
}
