import { parseJson } from '#shared/values/json.ts';
import { MOST_MERGE_BYTES } from '#shared/operations/records/sync.ts';
import {
  FIRST_RECORD_TIME,
  formatMicros,
  LAST_RECORD_TIME,
  parseInstant,
  type Micros,
} from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest, Refusal } from '../base/errors.ts';
import type { Body } from '../import/body.ts';
import { RecordFault, recordTime } from '../ingest/record.ts';
import { toRecord } from '../ingest/to-record.ts';
import type { StoredRecord } from '../store/store.ts';
import { Pace } from '../turns/pace.ts';

/* Records on their way from one Fieldbench to another: a line of JSON each (docs/local-api.md, "Sync"). */

/** A record, and how many equal ones come before it at its time. */
export interface SentRecord {
  readonly record: StoredRecord;
  readonly occurrence: number;
}

const LF = 10;

/** The line of a record, with its line feed. */
export function lineOf({ record, occurrence }: SentRecord): string {
  const { timestamp, received, keys, values } = record;
  // -0 has a text of its own, which every reader of JSON takes.
  const cells = keys.map(
    (key, i) => `${JSON.stringify(key)}:${Object.is(values[i], -0) ? '-0' : JSON.stringify(values[i])}`,
  );
  const again = occurrence > 0 ? `,"occurrence":${occurrence}` : '';
  return `{"timestamp":"${formatMicros(timestamp)}","received":"${formatMicros(received)}"${again},"values":{${cells.join(',')}}}\n`;
}

const tooLarge = () =>
  new Refusal(413, `A merge takes at most ${MOST_MERGE_BYTES} bytes; send the others in further ones.`);

/** Takes in a body, whole. Rejects with a 413 Refusal where it is too large: at once where its length says so. */
export async function takeIn({ bytes, size }: Pick<Body, 'bytes' | 'size'>): Promise<Buffer> {
  if ((size ?? 0) > MOST_MERGE_BYTES) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > MOST_MERGE_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

/** Reads all lines of a body. Rejects with a 400 Refusal that names the first bad line. */
export async function readSent(whole: Buffer): Promise<readonly SentRecord[]> {
  const pace = new Pace();
  const sent: SentRecord[] = [];
  for (let from = 0; from < whole.length;) {
    const end = whole.indexOf(LF, from);
    const to = end < 0 ? whole.length : end;
    if (to > from) sent.push(readLine(whole.toString('utf8', from, to), sent.length + 1));
    from = to + 1;
    await pace.pause();
  }
  return sent;
}

function readLine(line: string, number: number): SentRecord {
  try {
    const { timestamp, received, occurrence = 0, values } = fieldsOf(parseJson(line));
    if (!Number.isSafeInteger(occurrence) || (occurrence as number) < 0)
      throw new RecordFault(`occurrence must be a whole number from 0, got ${quote(occurrence)}`);
    const record = toRecord(values, instantOf('received', received));
    return { record: { ...record, timestamp: recordTime(timestamp) }, occurrence: occurrence as number };
  } catch (error) {
    if (error instanceof RecordFault) throw badRequest(`record ${number}: ${error.message}`);
    if (error instanceof SyntaxError)
      throw badRequest(`record ${number} is not valid JSON: ${error.message}`);
    throw error;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new RecordFault(`must be {"timestamp", "received", "values"}, got ${quote(value)}`);
}

function instantOf(field: string, value: unknown): Micros {
  const read = typeof value === 'string' ? parseInstant(value) : null;
  if (read !== null && read >= FIRST_RECORD_TIME && read <= LAST_RECORD_TIME) return read;
  throw new RecordFault(
    `${field} must be an ISO 8601 time with "Z" or an offset in the years 1700 to 2200, got ${quote(value)}`,
  );
}
