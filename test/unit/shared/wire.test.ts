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
  {
    type: 'arrays',
    n: 8,
    arrays: {
      start: 0,
      end: 1,
      width: 1,
      keys: [
        {
          key: 'count',
          interval: 1,
          before: null,
          after: null,
          counts: Uint32Array.of(1),
          min: floats(1),
          max: floats(1),
          first: floats(1),
          last: floats(1),
          firstTimes: floats(1),
          lastTimes: floats(1),
          wraps: 2,
          resets: 3,
          statistics: {
            key: 'count',
            count: 1,
            texts: 0,
            min: 1,
            max: 1,
            mean: 1,
            sd: null,
            p5: 1,
            p95: 1,
            percentiles: 'exact',
            percentile_error: 0,
            first: 1,
            last: 1,
            first_time: '1970-01-01T00:00:00.000001Z',
            last_time: '1970-01-01T00:00:00.000001Z',
            gaps: 0,
            longest_gap_us: null,
            below: null,
            above: null,
            rate_per_s: null,
          },
        },
      ],
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
