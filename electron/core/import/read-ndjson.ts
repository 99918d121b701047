import { isColumnar, type Batch } from '../ingest/json/batches.ts';
import { readLines } from '../ingest/json/read-lines.ts';
import { recordsOf } from '../store/record-columns.ts';
import type { Columnar } from '../store/store.ts';
import type { Micros } from '#shared/values/time.ts';
import { NdjsonTimes } from './ndjson-times.ts';
import type { Outcome, RecordReader } from './outcome.ts';
import { lineTooLong, notEncoded } from './text/encoding.ts';

/**
 * Reads newline-delimited JSON in UTF-8: every line is a record as devices send them (docs/api.md, "How devices store data").
 * With `columns`, records that are written alike come as columns.
 */
export function readNdjson(
  pieces: AsyncIterable<Uint8Array>,
  { received, now }: { readonly received: Micros; readonly now: Micros },
  columns: boolean,
): RecordReader {
  const times = new NdjsonTimes(now);

  async function* outcomes(): AsyncGenerator<readonly Outcome[] | Columnar> {
    let faults: Outcome[] = [];
    const reader = readLines({
      received,
      fault: ({ message, isSyntax }) =>
        void faults.push({
          kind: 'fault',
          line: reader.line,
          message: isSyntax ? `must be one JSON object: ${message}` : message,
        }),
      stop: (why) => (why === 'length' ? lineTooLong(reader.line) : notEncoded('utf-8', reader.line)),
    });

    function* read(): Generator<readonly Outcome[] | Columnar> {
      for (const batch of reader.take()) {
        watch(times, batch, received);
        if (columns && isColumnar(batch)) yield batch;
        else
          yield (isColumnar(batch) ? recordsOf(batch) : batch).map((record) => ({ kind: 'record', record }));
      }
      if (faults.length > 0) yield faults;
      faults = [];
    }

    for await (const piece of pieces) {
      reader.push(piece);
      yield* read();
    }
    reader.end();
    yield* read();
  }

  return { outcomes, notes: () => times.notes() };
}

/** Takes note of the times of some records. What carries none has that of its receipt. */
function watch(times: NdjsonTimes, batch: Batch, received: Micros): void {
  if (!isColumnar(batch)) {
    for (const { timestamp, keys, values } of batch)
      if (timestamp === received) times.untimed(keys, values);
      else times.timed(timestamp);
    return;
  }
  for (let row = 0; row < batch.size; row++) {
    const time = batch.times[row]!;
    if (time !== received) times.timed(time);
    else if (times.wantsKeys) {
      const record = recordsOf(batch)[row];
      times.untimed(record?.keys, record?.values);
    } else times.untimed();
  }
}

/** Text in another encoding as UTF-8. */
export async function* asUtf8(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
