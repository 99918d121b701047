import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/* docs/running.md, "Limits": distinct keys of a device, and the size of a series. */

const MOST_KEYS = 4096;
/** Neighbours that a gateway reports in a record: each with a key of its own, and never again. */
const NEIGHBOURS = 20;

let service: RunningService;
let world: World;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
});
afterAll(() => service.stop());

/** What a gateway sends that names the radios it hears in keys. */
function heard(records: number): object[] {
  const radio = (n: number) => `rssi_${n.toString(16).padStart(12, '0')}`;
  const around = (i: number) =>
    Array.from({ length: NEIGHBOURS }, (_, n) => [radio(i * NEIGHBOURS + n), -40 - n] as const);
  return Array.from({ length: records }, (_, i) => ({
    timestamp: i * 1000,
    ...Object.fromEntries(around(i)),
  }));
}

/** How many turns the event loop takes until then. */
async function countTurns(over: AbortSignal): Promise<number> {
  for (let turns = 0; ; turns++) {
    if (over.aborted) return turns;
    await setImmediate();
  }
}

/** Each with numbers in 256 columns and gaps in all others. */
function csvRows(): string {
  const rows = Array.from({ length: Math.ceil((MOST_KEYS + 1) / 256) }, (_, row) => {
    const cells = Array.from({ length: MOST_KEYS + 1 }, (__, i) => (Math.floor(i / 256) === row ? '1' : ''));
    return `2026-01-01T00:00:${String(row).padStart(2, '0')}Z,${cells.join(',')}\n`;
  });
  return rows.join('');
}

const send = (token: string, body: unknown) =>
  service.request('POST', '/integrations/http', { key: token, body });
const pathOf = (device_id: string) => `/v2/projects/${world.project_id}/devices/${device_id}`;
const localOf = (device_id: string) => `/_local/v1/projects/${world.project_id}/devices/${device_id}`;

async function newDevice(): Promise<{ id: string; token: string }> {
  const { envelope } = await service.request('POST', `/v2/projects/${world.project_id}/devices`, {
    body: { name: 'Gateway', source: 'http' },
  });
  const { id, metadata } = envelope.data as unknown as { id: string; metadata: { device_token: string } };
  return { id, token: metadata.device_token };
}

test('a gateway that names what it hears in keys is told so, and nobody else is', async () => {
  const gateway = await newDevice();
  const { envelope } = await send(gateway.token, heard(20_000));
  // 204 records with 20 new keys each fit; the 205th brings the first one too many as its 17th.
  expect(envelope).toMatchObject({ success: false, status: 400, data: null });
  expect(envelope.message).toMatch(/^record 205: .*at most 4096 distinct keys.*"rssi_[0-9a-f]{12}"/);
  expect((await service.request('GET', `${pathOf(gateway.id)}/data/keys`)).envelope.data).toEqual([]);
  expect((await send(gateway.token, heard(204))).status).toBe(200);
  expect((await send(gateway.token, { rssi: -50 })).status).toBe(200);
  expect((await send(world.device_token, { temperature: 20 })).status).toBe(200);
});

test.each(['text/csv', 'application/x-ndjson'])('an import of %s names the key', async (type) => {
  const { id } = await newDevice();
  const text =
    type === 'text/csv'
      ? `time,${Array.from({ length: MOST_KEYS + 1 }, (_, i) => `k${i}`).join(',')}\n${csvRows()}`
      : Array.from({ length: MOST_KEYS + 1 }, (_, i) => `{"timestamp":${i},"k${i}":1}\n`).join('');
  const { status, envelope } = await service.request('POST', `${localOf(id)}/records`, {
    raw: { type, bytes: text },
  });
  expect(status).toBe(400);
  expect(envelope.message).toMatch(/at most 4096 distinct keys.*"k4096"/);
  expect((await service.request('GET', `${pathOf(id)}/data/keys`)).envelope.data).toEqual([]);
});

test('a series of all keys a device may have is answered in turns, and one too large is refused', async () => {
  const { id, token } = await newDevice();
  for (let first = 0; first < MOST_KEYS; first += 256) {
    const values = Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`k${first + i}`, first]));
    await send(
      token,
      Array.from({ length: 40 }, (_, row) => ({ timestamp: row * 1000, ...values })),
    );
  }
  const refused = await service.request('GET', `${localOf(id)}/series?width=245`);
  expect(refused.envelope).toMatchObject({ status: 400 });
  expect(refused.envelope.message).toMatch(/at most 1000000, got 4096 keys of 245 columns/);

  const unknown = Array.from({ length: 1000 }, (_, i) => `none${i}`).join(',');
  const few = await service.request('GET', `${localOf(id)}/series?width=10000&keys=${unknown},k7`);
  const { keys } = few.envelope.data as unknown as { keys: { key: string; counts: number[] }[] };
  expect(keys).toHaveLength(1001);
  expect(keys[0]).toEqual({ key: 'none0', counts: [], min: [], max: [], first: [], last: [] });
  expect(keys[1000]?.counts).toHaveLength(10_000);

  const over = new AbortController();
  const counting = countTurns(over.signal);
  const { envelope } = await service.request('GET', `${localOf(id)}/series?width=244`);
  over.abort();
  const all = (envelope.data as unknown as { keys: { counts: number[] }[] }).keys;
  expect(all).toHaveLength(MOST_KEYS);
  expect(all.every(({ counts }) => counts.reduce((sum, n) => sum + n, 0) === 40)).toBe(true);
  // In one go it would take hardly any; in turns at least one for each piece.
  expect(await counting).toBeGreaterThan(60);
});
