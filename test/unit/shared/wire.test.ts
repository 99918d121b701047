import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage, type ClientMessage, type ServerMessage } from '#shared/bridge/wire.ts';

/* What a WebSocket carries must be what Electron's structured clone carries. */

const floats = (...values: number[]) => Float64Array.from(values);

const messages: (ClientMessage | ServerMessage)[] = [
  { type: 'call', n: 1, id: 'projects.list', input: { odd: '\ud800', $: 0, bytes: [1] } },
  {
    type: 'stream',
    n: 2,
    id: 'chart.series',
    input: { project_id: 'p', device_id: 'd', keys: ['a'], width: 10 },
  },
  { type: 'chunk', n: 3, bytes: Uint8Array.of(1, 2, 3) },
  { type: 'bytes', n: 4, bytes: new Uint8Array() },
  {
    type: 'arrays',
    n: 5,
    arrays: { offset: 0, total: 2, timestamps: floats(2, 1), columns: [floats(NaN, -0)] },
  },
  { type: 'arrays', n: 6, arrays: { offset: 0, total: 0, timestamps: floats(), columns: [] } },
  {
    type: 'arrays',
    n: 7,
    arrays: {
      start: -5,
      end: 5,
      width: 1,
      keys: ['a', 'b'].map((key, i) => ({
        key,
        interval: i === 0 ? null : 5.5,
        before: i === 0 ? null : { instant: -9, value: 0.1 },
        after: null,
        counts: Uint32Array.of(i, 4_000_000_000, 7).subarray(0, 2 + i),
        min: floats(i + 1),
        max: floats(i + 2),
        first: floats(i + 3),
        last: floats(i + 4),
        firstTimes: floats(i + 5),
        lastTimes: floats(NaN),
      })),
    },
  },
  { type: 'event', topic: 'projects.changed', payload: { account_id: 'a', project_id: 'p' } },
  { type: 'subscribe', topic: 'records.stored', filter: { device_id: 'd' } },
  { type: 'resync' },
];

test.each(messages)('$type $n crosses unchanged', (message) => {
  expect(decodeMessage(encodeMessage(message))).toEqual(structuredClone(message));
});

test('a frame is read wherever it lies in memory', () => {
  const message = messages[4]!;
  const frame = encodeMessage(message);
  const shifted = new Uint8Array(frame.length + 3);
  shifted.set(frame, 3);
  expect(decodeMessage(shifted.subarray(3))).toEqual(message);
  expect(decodeMessage(Buffer.from(shifted.buffer, 3))).toEqual(message);
});

test.each([
  [new Uint8Array()],
  [Uint8Array.of(255, 255, 0, 0, 1)],
  [encodeMessage(messages[2]!).slice(0, -8)],
])('a frame that is cut off is refused', (frame) => {
  expect(() => decodeMessage(frame)).toThrow();
});
