import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SMALL_PAYLOAD } from '#core/ingest/upload.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { createWorld, type World } from '../world.ts';

/* What a device stores at once is the same whether the service's thread or a worker reads it (docs/running.md, "Limits"). */

let service: RunningService;
let world: World;
beforeAll(async () => {
  service = await runService({ workerScript: WORKER_SCRIPT });
  world = await createWorld(service);
});
afterAll(() => service.stop());

const NDJSON = 'application/x-ndjson';
const BLANKS = ' '.repeat(SMALL_PAYLOAD + 1);

interface Device {
  readonly id: string;
  readonly token: string;
}

async function newDevice(): Promise<Device> {
  const { envelope } = await service.request('POST', `/v2/projects/${world.project_id}/devices`, {
    body: { name: 'Rig', source: 'http' },
  });
  const { id, metadata } = envelope.data as unknown as { id: string; metadata: { device_token: string } };
  return { id, token: metadata.device_token };
}

const dataOf = ({ id }: Device) => `/v2/projects/${world.project_id}/devices/${id}/data`;

async function stored(device: Device): Promise<unknown> {
  const { envelope } = await service.request('GET', `${dataOf(device)}?page=1&limit=10000&range=all`);
  return envelope.data;
}

const store = (
  device: Device,
  bytes: string,
  type = 'application/json',
  headers: Record<string, string> = {},
) => service.request('POST', '/integrations/http', { key: device.token, raw: { type, bytes }, headers });

test('small and large bodies get the same answer and store the same', async () => {
  const [small, large] = [await newDevice(), await newDevice()];
  const value = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom({ b: 1 }, [1, 'x'], { c: { d: { e: { f: 1 } } } }, '\ud800'),
  );
  const record = fc.record(
    {
      timestamp: fc.constantFrom(1000, 2000, '2026-03-02T20:30:21.202946Z'),
      a: value,
      é: value,
      n: fc.nat(),
    },
    { requiredKeys: ['timestamp'] },
  );
  const payloads = fc.tuple(
    fc.array(record, { maxLength: 40 }).map((list) => list.map((one) => JSON.stringify(one))),
    fc.boolean(),
    fc.constantFrom('', '', '', '{', ']', 'x'),
  );
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(payloads, async ([records, asLines, fault]) => {
      const type = asLines ? NDJSON : 'application/json';
      const body = (blanks: string) =>
        asLines ? `${records.join('\n')}${blanks}\n${fault}` : `[${records.join()}${blanks}]${fault}`;
      const answers = [await store(small, body(''), type), await store(large, body(BLANKS), type)];
      expect(answers[1]?.envelope).toEqual(answers[0]?.envelope);
      if (answers[0]?.status === 200) accepted++;
      expect(await stored(large)).toEqual(await stored(small));
      for (const device of [small, large]) await service.request('DELETE', dataOf(device));
    }),
    { numRuns: 30 },
  );
  expect(accepted).toBeGreaterThan(2);
});

test('an Idempotency-Key holds between both', async () => {
  const device = await newDevice();
  const headers = { 'Idempotency-Key': 'once' };
  const first = await store(device, `[{"n":1},{"n":2}${BLANKS}]`, 'application/json', headers);
  expect(first.envelope).toMatchObject({ status: 200, data: { stored: 2 } });
  expect((await store(device, '[{"n":1},{"n":2}]', 'application/json', headers)).envelope).toEqual(
    first.envelope,
  );
  const again = await store(device, `[{"n":1},{"n":2}${BLANKS}]`, 'application/json', headers);
  expect(again.envelope).toEqual(first.envelope);
  expect(await stored(device)).toHaveLength(2);
  const { envelope } = await service.request('GET', `/v2/projects/${world.project_id}/devices/${device.id}`);
  expect((envelope.data as unknown as { last_seen: string }).last_seen).not.toBe('0001-01-01T00:00:00Z');
});

test('the record that brings one key too many is named', async () => {
  const device = await newDevice();
  const records = Array.from({ length: 5000 }, (_, n) => `{"n":1,"some_long_name_of_a_key_${n}":1}`);
  const answer = await store(device, `[${records.join()}]`);
  expect(answer.envelope).toMatchObject({ status: 400, data: null });
  expect(answer.envelope.message).toMatch(/^record 4096: a device holds at most 4096 distinct keys/);
  expect(await stored(device)).toEqual([]);
});

test('while a large body is read, others are answered', async () => {
  const device = await newDevice();
  const records = Array.from({ length: 300_000 }, (_, n) => `{"timestamp":${n},"a":{"b":${n}}}`).join('\n');
  const storing = { isOver: false };
  const answer = store(device, records, NDJSON).finally(() => (storing.isOver = true));
  let meanwhile = 0;
  while (!storing.isOver) {
    expect((await service.request('GET', '/v2/projects')).status).toBe(200);
    meanwhile++;
  }
  expect((await answer).envelope).toMatchObject({ status: 200, data: { stored: 300_000 } });
  expect(meanwhile).toBeGreaterThan(20);
});

test('a token that is renewed while a large body comes stores nothing, whatever is wrong with the body', async () => {
  const device = await newDevice();
  const path = `/_local/v1/projects/${world.project_id}/devices/${device.id}/token`;
  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`[{"n":1}${BLANKS}`);
    await service.request('POST', path);
    yield Buffer.from(',oops]');
  }
  const response = await fetch(`${service.service.http_url ?? service.service.base_url}/integrations/http`, {
    method: 'POST',
    headers: { authorization: `Bearer ${device.token}` },
    body: slowly(),
    duplex: 'half',
  });
  expect(response.status).toBe(401);
  expect(await stored(device)).toEqual([]);
});

test('an unknown token hears 401 of 65 MiB, a known one 413', async () => {
  const device = await newDevice();
  const bytes = 'x'.repeat(65 * 1024 * 1024);
  const unknown = await store({ ...device, token: 'unknown' }, bytes);
  expect(unknown.envelope).toMatchObject({ status: 401, data: null });
  expect((await store(device, bytes)).envelope).toMatchObject({
    status: 413,
    message: 'The body must be at most 64 MiB (67108864 bytes).',
  });
});
