import { resolve } from 'node:path';
import type { InputOf, OutputOf } from '#shared/operations/index.ts';
import { ACTORS } from '#shared/domain/audit.ts';
import type { AuditEntry } from '#shared/operations/service/audit.ts';
import { countOf } from '#shared/values/counts.ts';
import { nodeFiles } from '../../disk/files.ts';
import { isThere } from '../../disk/pieces.ts';
import { writeAtomically } from '../../disk/atomic-file.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP, scopeOf } from '../names/look-up.ts';
import { givenPath } from '../parse.ts';
import { CommandError, refusal } from '../refusal.ts';
import { needed } from './projects.ts';
import { columns, nounCommand } from './noun-command.ts';

/** Characters of a value in a line. */
const MOST_VALUE = 40;

const TRAIL_HELP = `  --trail SHA256      a former trail, which a restore has brought: the SHA-256 of its last line,
                      as audit list says it`;

export const list = nounCommand({
  flags: {
    ...SCOPE_FLAGS,
    trail: { type: 'string' },
    by: { type: 'string' },
    operation: { type: 'string' },
    start: { type: 'string' },
    end: { type: 'string' },
    before: { type: 'string' },
    limit: { type: 'string' },
  },
  help: `${SCOPE_FLAGS_HELP}; one that is deleted by its id
  --by WHO            an API key by its name or id, a user, "browser", or all of
                      ${ACTORS.map((kind) => `"${kind}"`).join(', ')}
  --operation ID      as in docs/local-api.md, such as devices.update
  --start T, --end T  the first and the last instant, both included (2026-11-18T00:00:00Z)
  --before N          entries before the one of this number
  --limit N           how many at most (50), the newest first
${TRAIL_HELP}`,
  example: 'audit list --device ESP32 --limit 10',
  async run({ ask, names, values }) {
    const { by, operation, start, end, before, limit, trail } = values;
    const given = { by, operation, start, end, before, limit, trail };
    const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const input = { ...(await scopeOf(names, values)), ...asked } as InputOf<'audit.list'>;
    const found = await ask('audit.list', input, FLAG_OF);
    return { data: found, lines: linesOf(found) };
  },
});

/** Flags by field of the operation. */
const FLAG_OF = {
  by: 'by',
  operation: 'operation',
  start: 'start',
  end: 'end',
  before: 'before',
  limit: 'limit',
  trail: 'trail',
};

export const exportTrail = nounCommand({
  flags: { out: { type: 'string' }, trail: { type: 'string' } },
  help: `  --out FILE          where to; nothing that is there is written over
${TRAIL_HELP}`,
  example: 'audit export --out audit.ndjson',
  async run({ asker, values }) {
    const file = resolve(needed('out', givenPath('out', values.out) ?? undefined));
    refuseThere(file);
    const coming = await asker.audit(values.trail === undefined ? {} : { trail: values.trail });
    if (!('bytes' in coming)) throw refusal(coming, FLAG_OF);
    let bytes = 0;
    async function* counted(pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        bytes += piece.length;
        yield piece;
      }
    }
    await writeAtomically(file, counted(coming.bytes as AsyncIterable<Uint8Array>));
    return { data: { file, bytes }, lines: [`${file}: ${countOf(bytes, 'byte')}.`] };
  },
});

function refuseThere(file: string): void {
  if (isThere(nodeFiles, file)) throw new CommandError(1, `${file} is there already: name another file.`);
}

function linesOf({ entries, next, former }: OutputOf<'audit.list'>): string[] {
  const rows = entries.map((entry) => [
    `${entry.n}`,
    entry.time,
    entry.by.kind === entry.by.name ? entry.by.name : `${entry.by.kind} ${entry.by.name}`,
    entry.outcome === 'done' ? entry.operation : `${entry.operation} (${endOf(entry)})`,
    whatOf(entry),
  ]);
  return [
    ...columns(rows),
    ...(next === null ? [] : [`More: --before ${next}`]),
    ...former.map(
      ({ first, last, sha256 }) => `A former trail has the entries ${first} to ${last}: --trail ${sha256}`,
    ),
  ];
}

const endOf = ({ outcome, of, message }: AuditEntry) =>
  [outcome, ...(of === undefined ? [] : [`of ${of}`]), ...(message === undefined ? [] : [message])].join(
    ': ',
  );

function whatOf({ projects, devices, keys, changes, more_changes, reason }: AuditEntry): string {
  const names = [...projects, ...devices].map(({ id, name }) => name ?? id);
  const fields = changes.flatMap(({ table, before, after }) =>
    before === null || after === null
      ? [`${after === null ? '-' : '+'}${table}`]
      : Object.keys({ ...before, ...after }).map(
          (field) => `${field}: ${said(before[field])} → ${said(after[field])}`,
        ),
  );
  const more = more_changes > 0 ? [`and ${more_changes} rows more`] : [];
  const why = reason === undefined ? [] : [`reason: ${said(reason)}`];
  return [names.join('/'), ...keys, ...fields, ...more, ...why].filter((part) => part !== '').join('; ');
}

function said(value: unknown): string {
  const text = JSON.stringify(value) ?? 'none';
  return text.length > MOST_VALUE ? `${text.slice(0, MOST_VALUE)}…` : text;
}
