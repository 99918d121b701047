import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import { CRC_LENGTH, crcLine, crcSeed, crcText, textOf } from '../../../disk/crc-line.ts';
import { bySequence } from '../any-row.ts';
import { freeze } from '../freeze.ts';
import { newLayer } from '../tables/layer.ts';
import { deletion, TABLE_NAMES, tables, type TableName } from '../metadata-schema.ts';
import { rowText } from '../row-text.ts';
import { NewerVersion } from './migrations.ts';
import type { NetChange } from '../tables/net-change.ts';

/*
 * metadata.journal as text (docs/storage-format.md, "Metadata"). The first line names the writing of metadata.json that
 * it continues; each other line is what was made durable at once, as JSON behind its CRC-32. That begins with the first
 * line's, so that no line is taken for one of another journal.
 */

const VERSION = 1;
const WORD = 'fieldbench-journal';

/** Text between the CRC of a line and the number of its change. */
const BEGINNING = ' {"n":';

/** The first line. */
export function journalHeader(generation: string): { readonly line: string; readonly seed: number } {
  const words = `${WORD} ${VERSION} ${generation}`;
  const seed = crcSeed(words);
  return { line: `${words} ${crcText(seed)}\n`, seed };
}

/** The line of a change, the `n`th from 1 on. */
export function journalLine(
  n: number,
  { rows, next_sequence, deletions, trail }: NetChange,
  seed: number,
): string {
  const put: string[] = [];
  const remove: Partial<Record<TableName, string[]>> = {};
  for (const name of TABLE_NAMES) {
    if (rows[name].size === 0) continue;
    const kept = [...rows[name].values()].filter((row) => row !== null).toSorted(bySequence);
    const gone = [...rows[name]].flatMap(([id, row]) => (row === null ? [id] : []));
    if (kept.length > 0) put.push(`${JSON.stringify(name)}:[${kept.map(rowText).join(',')}]`);
    if (gone.length > 0) remove[name] = gone;
  }
  const rest = JSON.stringify({ next_sequence, remove, deletions, trail }).slice(1);
  const text = `{"n":${n},"put":{${put.join(',')}},${rest}`;
  return crcLine(text, seed);
}

const changeLine = z.object({
  n: z.int().min(1),
  next_sequence: z.int().min(1),
  put: z
    .object({
      accounts: z.array(tables.accounts),
      projects: z.array(tables.projects),
      devices: z.array(tables.devices),
      api_keys: z.array(tables.api_keys),
      functions: z.array(tables.functions),
      widgets: z.array(tables.widgets),
      key_settings: z.array(tables.key_settings),
      notes: z.array(tables.notes),
      alarms: z.array(tables.alarms),
      corrections: z.array(tables.corrections),
      correction_history: z.array(tables.correction_history),
      views: z.array(tables.views),
      kept_deletes: z.array(tables.kept_deletes),
      preferences: z.array(tables.preferences),
    })
    .partial(),
  remove: z.partialRecord(z.enum(TABLE_NAMES), z.array(z.string())),
  deletions: z.array(z.union([z.object({ note: deletion }), z.object({ cross_out: deletion })])),
  /** None in a line from before there was an audit trail. */
  trail: z.array(z.string()).default([]),
});

/** A change as its line says it. */
type ReadChange = Omit<NetChange, 'weights'>;

/** Contents of a journal. */
export interface ReadJournal {
  /** Of which writing of metadata.json it goes on. */
  readonly generation: string;
  readonly changes: readonly ReadChange[];
  /** End of the journal: clean; a torn change; or damage, with so many whole changes behind it. */
  readonly rest:
    | { readonly kind: 'nothing' }
    | { readonly kind: 'torn' }
    | { readonly kind: 'damaged'; readonly lost: number };
}

/** Throws NewerVersion, or TypeError where not even the first line can be read. */
export function readJournal(bytes: Uint8Array): ReadJournal {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = endOfLine(buffer, 0);
  const { generation, seed } = readHeader(buffer.toString('utf8', 0, at));
  const changes: ReadChange[] = [];
  while (at < buffer.length) {
    const end = endOfLine(buffer, at);
    const change = readLine(buffer.toString('utf8', at, end), seed);
    if (change?.n !== changes.length + 1) break;
    changes.push(change);
    at = end;
  }
  return { generation, changes, rest: restOf(buffer.subarray(at), seed) };
}

/** One change is made durable before the next is written: where whole ones follow, it was no crash that spoiled this one. */
function restOf(rest: Buffer, seed: number): ReadJournal['rest'] {
  if (rest.length === 0) return { kind: 'nothing' };
  let lost = 0;
  // Not by lines alone: what ended one may be what is damaged.
  for (let at = rest.indexOf(BEGINNING); at !== -1; at = rest.indexOf(BEGINNING, at + 1)) {
    const line = rest.toString('utf8', Math.max(0, at - CRC_LENGTH), endOfLine(rest, at));
    if (wholeText(line, seed) !== null) lost++;
  }
  return lost > 0 ? { kind: 'damaged', lost } : { kind: 'torn' };
}

function readHeader(line: string): { generation: string; seed: number } {
  const [word, version, generation = ''] = line.trimEnd().split(' ');
  if (word !== WORD || !/^[1-9]\d*$/.test(version ?? ''))
    throw new TypeError('it does not begin as a journal');
  if (Number(version) > VERSION) throw new NewerVersion(Number(version), VERSION);
  const expected = journalHeader(generation);
  if (line !== expected.line) throw new TypeError('its first line is damaged');
  return { generation, seed: expected.seed };
}

/** A line with its line feed. */
const wholeText = (line: string, seed: number) =>
  line.endsWith('\n') && line.length > CRC_LENGTH + 2 ? textOf(line.slice(0, -1), seed) : null;

/** The change of a line; null where it is not whole, or holds what is no change. */
function readLine(line: string, seed: number): (ReadChange & { readonly n: number }) | null {
  const text = wholeText(line, seed);
  if (text === null) return null;
  const read = changeLine.safeParse(parseJson(text));
  if (!read.success) return null;
  const { n, next_sequence, put, remove, deletions, trail } = freeze(read.data);
  const rows = newLayer();
  for (const name of TABLE_NAMES) {
    for (const id of remove[name] ?? []) rows[name].set(id, null);
    for (const row of put[name] ?? []) rows[name].set(row.id, row);
  }
  return { n, next_sequence, rows, deletions, trail };
}

/** Behind the line feed of the line that begins, or goes on, at `from`; the last line may lack one. */
function endOfLine(buffer: Buffer, from: number): number {
  const feed = buffer.indexOf('\n', from);
  return feed === -1 ? buffer.length : feed + 1;
}
