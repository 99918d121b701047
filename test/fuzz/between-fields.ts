import { DEVICE } from './values.ts';

/* What schemas cannot say of a request: rules between its fields. */

type Fields = Record<string, unknown>;

const waitsLittle = ({ within_ms, ...others }: Fields): Fields =>
  within_ms === undefined ? others : { ...others, within_ms: Number(within_ms) % 20 };

function countsInOrder({ count, ...others }: Fields): Fields {
  const fields = waitsLittle(others);
  if (!isFields(count)) return count === undefined ? fields : { ...fields, count };
  const { min, max } = count;
  if (typeof min !== 'number' || typeof max !== 'number') return { ...fields, count };
  return { ...fields, count: { ...count, min: Math.min(min, max), max: Math.max(min, max) } };
}

/** By operation: makes fields right together. */
export const BETWEEN: Readonly<Record<string, (fields: Fields) => Fields>> = {
  'data.list': (fields) =>
    fields['range'] === 'time'
      ? inOrder({ start: '1700-01-01T00:00:00Z', end: '2200-12-31T23:59:59Z', ...fields })
      : fields,
  'clock.set': ({ mode, now, rate }) => {
    if (mode === undefined) return {};
    if (mode === 'system') return { mode };
    return { mode, ...(now !== undefined && { now }), ...(mode === 'scaled' && { rate: rate ?? 1 }) };
  },
  // What rules do to requests is no answer of an operation: these do nothing.
  'faults.set': ({ seed }) => ({
    ...(seed !== undefined && { seed }),
    rules: [{ do: { delay_ms: 0 } }],
  }),
  // Every timer on the way runs: of a day 1,440 at least.
  'clock.advance': ({ ms }) => (ms === undefined ? {} : { ms: Number(ms) % 86_400_000 }),
  // They would wait for what does not come.
  'requests.verify': countsInOrder,
  'requests.list': waitsLittle,
  'records.follow': waitsLittle,
  'records.export': asWritten,
  'records.delete': inOrder,
  // Scripts and conditions have testers of their own.
  'functions.preview': ({ start, end }) =>
    inOrder({ ...(start !== undefined && { start }), ...(end !== undefined && { end }) }),
  'functions.decode': inOrder,
  // A rule alone may be of no device, or of another one.
  'functions.create': (fields) => ({ ...fields, device_id: DEVICE }),
  'functions.update': (fields) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'device_id')),
  'alarms.list': inOrder,
  'rules.try': (fields) =>
    inOrder({ ...fields, device_id: DEVICE, condition: { when: { key: 'temperature', above: 1 } } }),
  'functions.try': ({ device_id, bytes, port }) =>
    bytes === undefined ? {} : { device_id, script: '', bytes: '00 d7', ...(port !== undefined && { port }) },
  'records.count': inOrder,
  // No restore has brought a trail here.
  'audit.list': (fields) =>
    inOrder(Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'trail'))),
  'audit.export': () => ({}),
  'records.estimate': asWritten,
  'statistics.get': inOrder,
  'states.get': inOrder,
  'excursions.get': inOrder,
  'excursions.export': inOrder,
  'times.get': inOrder,
  'notes.list': inOrder,
  'notes.create': inOrder,
  // An end alone may lie before what the note begins with.
  'notes.update': ({ start, end, ...others }) =>
    start === undefined || end === undefined ? others : inOrder({ ...others, start, end }),
  // Fields of one kind alone are right together.
  'corrections.create': asFlag,
  'corrections.preview': asFlag,
  'corrections.find': ({ key }) => (key === undefined ? {} : { key, stuck: { seconds: 60 } }),
  'corrections.update': () => ({}),
  'sync.corrections': ({ versions, dry_run }) =>
    versions === undefined ? {} : { versions: [], ...(dry_run !== undefined && { dry_run }) },
  'sync.rows': ({ rows, dry_run }) =>
    rows === undefined ? {} : { rows: [], ...(dry_run !== undefined && { dry_run }) },
  // What a file holds, hosts and addresses have rules of their own.
  'widgets.import': ({ dashboard, ...others }) =>
    dashboard === undefined
      ? others
      : { ...others, dashboard: { fieldbench: 'dashboard', version: 1, widgets: [] } },
  'settings.update': ({ webhook_hosts, ...others }) => ({
    ...Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'mail')),
    ...(webhook_hosts !== undefined && { webhook_hosts: ['hooks.example', '10.0.0.0/8'] }),
  }),
  'settings.test-mail': ({ to }) => (to === undefined ? {} : { to: 'somebody@example.org' }),
  // From then on what is right in every field would want a reason.
  'projects.update': asksForNone,
  'edits.replace': ({ corrections, widgets, project, ...others }) => ({
    ...others,
    ...(corrections !== undefined && { corrections: [] }),
    ...(widgets !== undefined && { widgets: [] }),
    ...(isFields(project) && {
      project: { was: asksForNone(project['was']), be: asksForNone(project['be']) },
    }),
  }),
  // An end alone may lie beyond the other one, which the key has already.
  'key-settings.set': ({ low, high, ...others }) =>
    typeof low === 'number' && typeof high === 'number'
      ? { ...others, low: Math.min(low, high), high: Math.max(low, high) }
      : others,
  'series.get': inOrder,
  'handover.get': ({ devices, ...others }) =>
    inOrder(devices === undefined ? others : { ...others, devices: [DEVICE] }),
  'sync.digest': inOrder,
  'sync.ids': inOrder,
  // The other settings are for CSV, and the file is none.
  'records.import': asLines,
  'records.examine': asLines,
  'records.compare': asLines,
  'uploads.create': asLines,
  // Worlds of snapshots have tests of their own; here there is none of the name.
  // A name of a path.
  'snapshots.create': ({ name, ...others }) =>
    typeof name === 'string' ? { ...others, name: `n${name.replaceAll('/', '')}`.slice(0, 100) } : others,
  'accounts.create': ({ name }) => (name === undefined ? {} : { name }),
  // What it simulates is for tests of its own; here it is not to begin.
  'simulators.create': ({ project_id, device_id, jitter_ms, through, seed }) =>
    project_id === undefined ? {} : { project_id, device_id, jitter_ms, through, seed, ...NOT_BEGINNING },
  'simulators.building': ({ hours, ...others }) =>
    hours === undefined ? others : { ...others, hours: Number(hours) % 3 },
};

const NOT_BEGINNING = {
  every_ms: 60_000,
  // A clock that is moved by centuries meets it once.
  count: 1,
  keys: { a: { shape: 'constant', value: 1 } },
  start: '2150-01-01T00:00:00Z',
};

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function asksForNone(given: unknown): Fields {
  const fields = isFields(given) ? given : {};
  return fields['reason_required'] === undefined ? fields : { ...fields, reason_required: false };
}

function asFlag({ kind, quality }: Fields): Fields {
  const [from, to] = ['2026-03-02T20:30:00Z', '2026-03-02T20:31:00Z'];
  return kind === undefined ? {} : { kind: 'quality', quality: quality ?? 'fail', from, to, reason: 'tried' };
}

function asLines({ on_error }: Fields): Fields {
  return { format: 'ndjson', ...(on_error !== undefined && { on_error }) };
}

/** How a table is written; other formats are written in one way. */
const CSV_ALONE = ['zone', 'delimiter', 'decimal_mark', 'titles', 'notes', 'formulas'];

function asWritten(fields: Fields): Fields {
  // Where a file that was cut off goes on, and files of several devices, are told apart by tests of their own.
  const { from: _, state: __, also: ___, ...others } = inOrder(fields);
  if (fields['format'] === 'csv') {
    const { decimal_mark, ...rest } = others;
    return decimal_mark === ',' ? { ...rest, decimal_mark, delimiter: ';' } : { ...rest, decimal_mark: '.' };
  }
  return Object.fromEntries(Object.entries(others).filter(([name]) => !CSV_ALONE.includes(name)));
}

function inOrder(fields: Fields): Fields {
  const { start, end } = fields;
  if (typeof start !== 'string' || typeof end !== 'string') return fields;
  const ordered = momentOf(start) <= momentOf(end);
  return ordered ? fields : { ...fields, start: end, end: start };
}

/** ms, with the digits that Date drops behind the point. */
const momentOf = (text: string) =>
  Date.parse(text.replace(/\.\d+/, '')) + Number(`0${/\.\d+/.exec(text)?.[0] ?? ''}`) * 1000;
