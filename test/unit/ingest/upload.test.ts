import { expect, test } from 'vitest';
import { readPayload, type Payload } from '#core/ingest/upload.ts';
import { Block } from '#core/store/blocks/block/block.ts';
import { packRecords } from '#core/store/blocks/block/packer.ts';
import type { ThreadWork } from '#core/store/store.ts';
import { createThreads } from '#core/threads/threads.ts';

/* What becomes of a payload that is read in the service's own thread: packed where it has many records. */

const notAsked = () => Promise.reject(new Error('The payload is read here.'));
const threadWork: ThreadWork = {
  threads: createThreads({ script: '/there/is/none.js' }),
  pack: packRecords,
  batch: notAsked,
  append: notAsked,
  snapshot: notAsked,
  anySnapshot: notAsked,
};

const read = async (text: string, work: ThreadWork | null = threadWork): Promise<Payload> =>
  readPayload({ contentType: 'application/json', bytes: Buffer.from(text), now: () => 5 }, work);

const rowsOf = (payload: Payload) =>
  'upload' in payload
    ? payload.upload.packed.reduce((rows, bytes) => rows + new Block(Buffer.from(bytes.buffer)).rows, 0)
    : 0;

const record = (n: number) => `{"timestamp":${1_700_000_000_000 + n},"temperature":${n / 10},"state":"on"}`;
const records = (count: number, extra = '') =>
  `[${Array.from({ length: count }, (_, n) => record(n)).join(',')}${extra}]`;

test('hundreds of records are packed, and a key is known by the first record that has it', async () => {
  const payload = await read(records(900, ',{"late":1},{"late":2,"last":3}'));
  expect(payload.count).toBe(902);
  expect(rowsOf(payload)).toBe(902);
  const keys = 'upload' in payload ? [...payload.upload.keys] : [];
  expect(keys).toEqual([
    ['temperature', 0],
    ['state', 0],
    ['late', 900],
    ['last', 901],
  ]);
});

test('fewer stay records, in the order in which they came', async () => {
  const payload = await read(records(300));
  const kept = 'records' in payload ? payload.records : [];
  expect(kept.map(({ values }) => values[0])).toEqual(Array.from({ length: 300 }, (_, n) => n / 10));
});

test('a bad record among hundreds is named by its number', async () => {
  await expect(read(records(700, ',{"a":[[[[[1]]]]]}'))).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('record 701') as unknown,
  });
});

test.each([
  ['that is packed', threadWork, 125_000, 8],
  ['that is not', null, 4_000_000, 32],
])(
  'a payload %s takes little memory though its records are of two kinds in turn',
  async (_, work, size, most) => {
    const kind = (letter: string) =>
      `{${Array.from({ length: 20 }, (__, i) => `"${letter}${i.toString(36)}":1`).join(',')}}`;
    const [a, b] = [kind('a'), kind('b')];
    const stretch = [...Array<string>(17).fill(a), ...Array<string>(17).fill(b)].join(',');
    const text = `[${Array<string>(Math.floor(size / (stretch.length + 1)))
      .fill(stretch)
      .join(',')}]`;
    let peak = 0;
    const before = process.memoryUsage().arrayBuffers;
    const look = () => (peak = Math.max(peak, process.memoryUsage().arrayBuffers - before));
    const timer = setInterval(look, 1);
    const payload = await read(text, work);
    look();
    clearInterval(timer);
    expect(payload.count).toBe(Math.floor(size / (stretch.length + 1)) * 34);
    expect(peak / 2 ** 20).toBeLessThan(most);
  },
);
