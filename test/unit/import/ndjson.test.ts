import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNdjson } from '#core/import/read-ndjson.ts';
import { RecordFault } from '#core/ingest/record.ts';
import { toRecord } from '#core/ingest/to-record.ts';
import { recordsOf } from '#core/store/record-columns.ts';
import { parseJson } from '#shared/values/json.ts';
import { PRESENT } from '../../helpers/clock.ts';

/* Lines of JSON in any pieces, against the rules in their plainest form. */

const RECEIVED = 1_700_000_000_000_000;

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, Math.min(cut, bytes.length));
    from = Math.min(cut, bytes.length);
  }
}

async function read(bytes: Uint8Array, cuts: readonly number[], columns: boolean) {
  const found = { records: [] as unknown[], faults: [] as unknown[] };
  for await (const outcomes of readNdjson(
    inPieces(bytes, cuts),
    { received: RECEIVED, now: PRESENT },
    columns,
  ).outcomes())
    if ('columns' in outcomes) {
      expect(columns).toBe(true);
      found.records.push(...recordsOf(outcomes));
    } else
      for (const outcome of outcomes)
        if (outcome.kind === 'record') found.records.push(outcome.record);
        else found.faults.push(outcome);
  return found;
}

function expected(text: string) {
  const found = { records: [] as unknown[], faults: [] as unknown[] };
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (line.trim() === '') continue;
    try {
      found.records.push(toRecord(parseJson(line), RECEIVED));
    } catch (error) {
      const message =
        error instanceof RecordFault ? error.message : `must be one JSON object: ${(error as Error).message}`;
      found.faults.push({ kind: 'fault', line: index + 1, message });
    }
  }
  return found;
}

const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.integer(), fc.boolean())
      .map(([t, on]) => `{"timestamp":${t},"t":${t / 4},"on":${on}}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '  ',
      '\u00a0',
      '{',
      '[1]',
      '{"t":1',
      '{"t":1} x',
      '{"t":[[[[1]]]]}',
      '{}',
      'é',
      '{"t":"é"}',
    ),
  },
);

test('are read line by line, each fault by its line', async () => {
  const files = fc.tuple(
    fc.array(line, { maxLength: 60 }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.array(fc.nat(2000), { maxLength: 8 }),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(files, async ([lines, lineEnd, cuts, columns]) => {
      const text = lines.join(lineEnd);
      expect(await read(Buffer.from(text), cuts, columns)).toEqual(expected(text));
    }),
    { numRuns: 500 },
  );
});

test('are refused by line where they are not UTF-8, or have no end', async () => {
  const wrong = Buffer.concat([Buffer.from('{"a":1}\n{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')]);
  await expect(read(wrong, [], true)).rejects.toThrow(
    /^line 2: the file must be UTF-8 text, and here it is not\./,
  );
  const endless = Buffer.alloc(17 * 1024 * 1024, 'x');
  await expect(read(endless, [], true)).rejects.toThrow('line 1: a line must be at most 16 Mi characters.');
});
