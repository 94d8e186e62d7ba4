// plot.jsx -- curves over time (uPlot), in the colours of the theme.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'preact/hooks';
import { colour, useTheme } from './theme.jsx';

// Steps of an axis of bytes: 1, 2, 4, ... of each unit.
const binary = Array.from({ length: 50 }, (_, i) => 2 ** i);

// A moment of a run: in milliseconds if the whole of it took less than a second.
const moment = (t, x) => (x[x.length - 1] < 1 ? +(t * 1000).toPrecision(3) + ' ms' : +t.toFixed(2) + ' s');

// x: seconds; series: [{label, values, colour: name in the theme, text: number -> string}]; line: {value, label} across.
export function Plot({ title, x, series, text, bytes = false, line = null, height = 170 }) {
  const at = useRef(null);
  const now = useTheme();
  useEffect(() => {
    const el = at.current;
    const ink = colour('quiet'), grid = colour('grid');
    const top = Math.max(...series.flatMap((s) => s.values.filter((v) => v != null)), line && line.near ? line.value : 0, 0);
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 }, font: '11px system-ui, sans-serif', labelFont: '11px system-ui, sans-serif' };
    const plot = new uPlot(
      {
        width: el.clientWidth || 300,
        height,
        cursor: { drag: { x: false, y: false }, points: { size: 6 } },
        legend: { live: true },
        scales: { x: { time: false }, y: { range: [0, top > 0 ? top * 1.08 : 1] } },
        axes: [
          { ...axis, size: 26, values: (_, ticks) => ticks.map((t) => (t == null ? '' : moment(t, x))) },
          { ...axis, size: 58, ...(bytes && { incrs: binary }), values: (_, ticks) => ticks.map((t) => text(t)) },
        ],
        series: [
          { label: 'time', value: (_, t) => (t == null ? '–' : moment(t, x)) },
          ...series.map((s) => ({
            label: s.label,
            stroke: colour(s.colour),
            fill: s.fill === false ? undefined : colour(s.colour) + '22',
            width: 1.6,
            points: { show: x.length < 3 },
            value: (_, n) => (n == null ? '–' : (s.text || text)(n)),
          })),
        ],
        hooks: {
          draw: line && line.near ? [(u) => {
            const y = u.valToPos(line.value, 'y', true);
            u.ctx.save();
            u.ctx.strokeStyle = colour('bad');
            u.ctx.setLineDash([6, 4]);
            u.ctx.beginPath();
            u.ctx.moveTo(u.bbox.left, y);
            u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
            u.ctx.stroke();
            u.ctx.restore();
          }] : [],
        },
      },
      [x, ...series.map((s) => s.values)],
      el,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: el.clientWidth || 300, height }));
    watch.observe(el);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [x, series, now, height]);
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <div ref={at} />
    </figure>
  );
}
