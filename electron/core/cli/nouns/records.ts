import { countOf } from '#shared/values/counts.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP } from '../names/look-up.ts';
import { deviceOf } from './devices.ts';
import { nounCommand } from './noun-command.ts';
import { needed, untilLine, type Deleted } from './projects.ts';
import { REASON_FIELDS, REASON_FLAG, REASON_HELP, reasonOf } from './words/reason-flag.ts';

export const list = nounCommand({
  flags: {
    ...SCOPE_FLAGS,
    limit: { type: 'string' },
    page: { type: 'string' },
    start: { type: 'string' },
    end: { type: 'string' },
  },
  help: `${SCOPE_FLAGS_HELP}
  --start T, --end T  the first and the last instant, both included (2026-11-18T00:00:00Z)
  --limit N           how many at most (100), the newest first
  --page N            those behind N - 1 times as many (1)`,
  example: 'records list --device ESP32 --limit 10',
  async run({ ask, names, values }) {
    const of = await deviceOf(names, values);
    const { limit = '100', page = '1', start, end } = values;
    const range =
      start === undefined && end === undefined
        ? { range: 'all' as const }
        : { range: 'time' as const, start, end };
    const found = await ask(
      'data.list',
      { ...of, page, limit, ...range },
      { page: 'page', limit: 'limit', start: 'start', end: 'end' },
    );
    return { data: found, lines: found.map((record) => JSON.stringify(record)) };
  },
});

export const remove = nounCommand({
  flags: { ...SCOPE_FLAGS, ...REASON_FLAG, start: { type: 'string' }, end: { type: 'string' } },
  help: `${SCOPE_FLAGS_HELP}
  --start T, --end T  the first and the last instant, both included; both are needed
${REASON_HELP}`,
  example: 'records delete --device ESP32 --start 2026-03-02T20:30:00Z --end 2026-03-02T20:32:00Z',
  async run({ ask, names, values }) {
    const of = await deviceOf(names, values);
    const range = { start: needed('start', values.start), end: needed('end', values.end) };
    const removed = await ask(
      'records.delete',
      { ...of, ...range, ...reasonOf(values) },
      { start: 'start', end: 'end', ...REASON_FIELDS },
    );
    return {
      data: removed,
      lines: [deletedLine(removed)],
    };
  },
});

export const purge = nounCommand({
  flags: { ...SCOPE_FLAGS, ...REASON_FLAG },
  help: `${SCOPE_FLAGS_HELP}
${REASON_HELP}`,
  example: 'records purge --device ESP32',
  async run({ ask, names, values }) {
    const removed = await ask(
      'records.delete',
      { ...(await deviceOf(names, values)), ...reasonOf(values) },
      REASON_FIELDS,
    );
    return { data: removed, lines: [deletedLine(removed)] };
  },
});

const deletedLine = ({ deleted, undo }: Deleted) =>
  `Deleted: ${countOf(deleted.records, 'record')}. ${untilLine(undo)}`;
