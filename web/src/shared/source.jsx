// source.jsx -- the text of a model with marks: where a step is, what was never executed, where processes stand.
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { useVirtual } from './virtual.jsx';

const LINE = 21;
const words = {
  promela: 'active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_step D_proctype do else empty enabled end eval false fi for full goto hidden if in init inline int len local ltl mtype nempty never nfull notrace np_ od of pc_value pid printf printm priority proctype provided run select short show skip timeout trace true typedef unless unsigned xr xs atype class func new return',
  dve: 'accept assert async buchi byte channel commit committed const effect false guard imply init int process property state sync system trans true typed',
  net: 'net place transition arc const unit units root safe at tr pl lb',
  cpnt: 'and andalso as case colset declare div do else end exception fn fun fusion guard handle if in initial input let list local mod net nonfix not of op or orelse output page place port priority product record rec rem socket string subset substitution then time to transition union unit val var with withtype int bool from',
};
const rules = {
  promela: /(\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(^[ \t]*#[^\n]*)|(\b\d+\b)|([A-Za-z_]\w*)/gm,
  cpnt: /(\(\*[^]*?(?:\*\)|$)|--[^\n]*)|("(?:[^"\\\n]|\\.)*"?)|(^$never)|(\b\d+\b)|([A-Za-z_][\w']*)/gm,
  net: /(#[^\n]*)|("(?:[^"\\\n]|\\.)*"?)|(^$never)|(\b\d+\b)|([A-Za-z_]\w*)/gm,
};
const kinds = ['comment', 'string', 'directive', 'number', 'word'];
const alike = { 'prom+': 'promela', pmp: 'promela', promplus: 'promela', nettext: 'net' };

// Lines of [kind, text] pieces.
export function paint(text, language) {
  const name = words[language] ? language : alike[language] || 'promela';
  const rule = rules[name] || rules.promela;
  const known = new Set((words[name] || '').split(' '));
  const lines = [[]];
  const put = (kind, piece) => {
    piece.split('\n').forEach((p, i) => {
      if (i) lines.push([]);
      if (p) lines[lines.length - 1].push([kind, p]);
    });
  };
  let done = 0;
  for (const m of text.matchAll(rule)) {
    if (m.index > done) put('', text.slice(done, m.index));
    const k = m.slice(1).findIndex((g) => g !== undefined);
    put(kinds[k] === 'word' ? (known.has(m[0]) ? 'keyword' : '') : kinds[k] || '', m[0]);
    done = m.index + m[0].length;
  }
  put('', text.slice(done));
  return lines;
}

// Nets know no places of their transitions: the line that declares one, by its name.
const declared = new WeakMap();
export function declarations(source) {
  let lines = declared.get(source);
  if (!lines) {
    lines = new Map();
    source.text.split('\n').forEach((l, i) => {
      const m = /^\s*(?:transition|tr)\s+(?:"([^"]*)"|\{([^}]*)\}|([^\s:]+))/.exec(l);
      if (m) lines.set(m[1] ?? m[2] ?? m[3], i + 1);
    });
    declared.set(source, lines);
  }
  return lines;
}

// at: [{line, column}] of the step, the first is shown.  marks: Map line -> {kind: 'never'|'some'|'taken'|'stand', note, title}.
export function SourceView({ text, language, at = [], marks = null, label = 'Source', toLine = 0 }) {
  const lines = useMemo(() => paint(text.replace(/\t/g, '    ').replace(/\r/g, ''), language), [text, language]);
  const v = useVirtual(lines.length, LINE);
  const wide = useMemo(() => lines.reduce((most, l) => Math.max(most, l.reduce((n, p) => n + p[1].length, 0)), 0), [lines]);
  const first = at.length ? at[0].line : toLine;
  useLayoutEffect(() => {
    if (first) v.reveal(first - 1, 'middle');
  }, [first, text, v.size > 0]);
  const now = new Map();
  at.forEach((p, i) => now.has(p.line) || now.set(p.line, i));
  const rows = [];
  for (let i = v.first; i < v.last; i++) {
    const mark = marks?.get(i + 1);
    const k = now.get(i + 1);
    const name = 'line' + (k === 0 ? ' now' : k > 0 ? ' also' : '') + (mark ? ' mark-' + mark.kind : '');
    rows.push(
      <div key={i} class={name} style={{ height: LINE + 'px' }} title={mark?.title}>
        <span class="line-number">{i + 1}</span>
        {marks && <span class="line-note">{mark?.note ?? ''}</span>}
        <code>{lines[i].map(([kind, piece], n) => (kind ? <span key={n} class={'t-' + kind}>{piece}</span> : piece))}</code>
      </div>,
    );
  }
  return (
    <div class="source" ref={v.ref} tabIndex={0} role="region" aria-label={label}>
      <div class="source-all" style={{ height: v.total + 'px', minWidth: `calc(${wide}ch + 8em)` }}>
        <div class="source-seen" style={{ transform: `translateY(${v.offset}px)` }}>{rows}</div>
      </div>
    </div>
  );
}
