import { expect, test, vi } from 'vitest';
import { createEventBus } from '#core/base/event-bus.ts';
import { Arrivals } from '#core/ingest/arrivals.ts';

/* What is kept of arrivals: no more than there is room for, and no longer than somebody asks. */

const record = (text: string) => ({ timestamp: 0, received: 0, keys: ['t'], values: [text] });
const payload = (texts: readonly string[]) => ({ count: texts.length, records: texts.map(record) });

function setUp() {
  const events = createEventBus();
  const arrivals = new Arrivals(events);
  let ids = 0;
  const since = (device: string, after?: string, withinMs = 0, signal?: AbortSignal) =>
    arrivals.since(device, after, { withinMs, signal, newId: () => `id-${ids++}` });
  const add = (device: string, texts: readonly string[]) => arrivals.add(device, payload(texts), null);
  return { events, since, add };
}

test('of a device that nobody follows nothing is kept', async () => {
  const { since, add } = setUp();
  add('d', ['a']);
  const { after, records } = await since('d');
  expect(records).toEqual([]);
  add('d', ['b']);
  expect((await since('d', after)).records).toEqual(['{"timestamp":"1970-01-01T00:00:00.000000Z","t":"b"}']);
});

test('the oldest go where there is no room, by their number and by their length', async () => {
  const { since, add } = setUp();
  const { after } = await since('d');
  add(
    'd',
    Array.from({ length: 9000 }, () => ''),
  );
  add(
    'd',
    Array.from({ length: 1500 }, () => ''),
  );
  const full = await since('d', after);
  expect([full.missed, full.records.length]).toEqual([500, 10_000]);
  add(
    'd',
    Array.from({ length: 30 }, () => 'x'.repeat(65_000)),
  );
  const long = await since('d', full.after);
  expect(long.records.length).toBe(30 - (long.missed ?? 0));
  expect(long.records.join('').length).toBeLessThanOrEqual(1024 * 1024);
  add('d', ['x'.repeat(1024 * 1024)]);
  expect(await since('d', long.after)).toMatchObject({ missed: 1, records: [] });
});

test('what nobody asked for in two minutes is forgotten, and makes room for another device', async () => {
  vi.useFakeTimers();
  const { since, add } = setUp();
  const { after } = await since('d0');
  for (let i = 1; i < 64; i++) await since(`d${i}`);
  await expect(since('another')).rejects.toMatchObject({ status: 429 });
  await vi.advanceTimersByTimeAsync(119_000);
  await since('d0', after);
  await vi.advanceTimersByTimeAsync(2000);
  await since('another');
  add('d0', ['kept']);
  expect(await since('d0', after)).toMatchObject({ missed: 0, records: [expect.stringContaining('kept')] });
  await vi.advanceTimersByTimeAsync(121_000);
  expect(await since('d0', after)).toMatchObject({ missed: null, records: [] });
});

test('a question that waits keeps what it waits for, and ends with its asker', async () => {
  vi.useFakeTimers();
  const { since, add } = setUp();
  const { after } = await since('d');
  const waiting = since('d', after, 600_000);
  await vi.advanceTimersByTimeAsync(300_000);
  add('d', ['late']);
  expect((await waiting).records).toHaveLength(1);
  const gone = new AbortController();
  const given = since('d', (await since('d')).after, 60_000, gone.signal);
  gone.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
});

test('where events may have been lost nothing is shown that may have been deleted', async () => {
  const { events, since, add } = setUp();
  const { after } = await since('d');
  add('d', ['a']);
  events.missed(['records.removed']);
  add('d', ['b']);
  expect(await since('d', after)).toMatchObject({ missed: 1, records: [expect.stringContaining('"b"')] });
});
