// chart.jsx -- the run as a message sequence chart, beside its steps and what they change.
//
// Both are made by the server from the run as it is confirmed by replay (as a file would be).
import { useEffect, useState } from 'preact/hooks';
import { Steps } from '../shared/steps.jsx';
import { openRun } from '../shared/run.js';
import { count } from '../shared/format.js';

const MOST = 20000; // steps: a longer run takes too long to be told again after each step

export function ChartView({ x }) {
  const [told, setTold] = useState(null);
  const [mode, setMode] = useState('both');
  const long = x.run.length > MOST;
  useEffect(() => {
    if (long) return undefined;
    let late = false;
    const steps = x.run.map((s) => s.k);
    x.guard(async () => {
      const [trace, chart] = await Promise.all([x.talk.tell('run', { steps }), x.talk.tell('chart', { steps })]);
      if (!late) setTold({ run: openRun({ ...trace, loop: x.loop }), chart });
    });
    return () => {
      late = true;
    };
  }, [x.run]);
  if (long) return <p class="view-wait">The run has {count(x.run.length)} steps: save it and use thimble trace or report.</p>;
  if (!told) return <div class="view-wait">…</div>;
  return (
    <div class="chart-view">
      <Steps run={told.run} at={Math.min(x.at, told.run.count)} onAt={x.go} chart={told.chart} mode={mode} label="Run" />
      <div class="view-note">
        <span class="switch">
          {[['steps', 'Steps'], ['both', 'Both'], ['chart', 'Chart']].map(([name, title]) => <button key={name} aria-pressed={mode === name} onClick={() => setMode(name)}>{title}</button>)}
        </span>
      </div>
    </div>
  );
}
