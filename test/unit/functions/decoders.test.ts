import { expect, test } from 'vitest';
import { createDecoders } from '#core/functions/decoders.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';

/* What is asked of the sandbox, and how much of its answers is taken. */

const DEVICE = { id: 'd', project_id: 'p' };
const DECODER = { script: 'function decodeUplink() {}', form: { payload: 'bytes' } } as const;
const uplinks = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    timestamp: n,
    received: n,
    bytes: Buffer.from([n % 256]),
    port: null,
  }));

function decodersWith(answer: (input: string) => string, asked: number[] = []) {
  const metadata: Pick<Metadata, 'read'> = { read: () => Promise.reject(new Error('not asked')) };
  return createDecoders({
    metadata,
    sandbox: {
      run: (_group, _script, _name, inputs) => {
        asked.push(inputs.length);
        return Promise.resolve(inputs.map((input) => ({ ok: true, text: answer(input) })));
      },
    },
  });
}

test('many payloads go to the sandbox some at a time, and their records stay in order', async () => {
  const asked: number[] = [];
  const echo = (input: string) => `{"data":{"first":${(JSON.parse(input) as { bytes: number[] }).bytes[0]}}}`;
  const records = await decodersWith(echo, asked).decode(uplinks(600), DEVICE, DECODER);
  expect(asked).toEqual([256, 256, 88]);
  expect(records.map(({ timestamp, values }) => [timestamp, values[1]])).toEqual(
    Array.from({ length: 600 }, (_, n) => [n, n % 256]),
  );
});

test('what is returned for one request is bounded together, and no payload is lost for it', async () => {
  const text = JSON.stringify({
    data: { a: 'x'.repeat(60_000), b: 'y'.repeat(60_000), c: 'z'.repeat(60_000) },
  });
  const records = await decodersWith(() => text).decode(uplinks(500), DEVICE, DECODER);
  const kept = records.filter(({ keys }) => keys.includes('a'));
  expect(kept).toHaveLength(Math.floor((32 * 1024 * 1024) / text.length));
  const left = records.slice(kept.length);
  for (const { keys, values } of left) {
    expect(keys).toEqual(['uplink.bytes', 'uplink.error']);
    expect(values[1]).toBe(
      'the decoder returned more than 33,554,432 characters for the payloads of one request',
    );
  }
});
