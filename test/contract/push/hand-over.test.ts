import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatMicros } from '#shared/values/time.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { createWorld, type World } from '../world.ts';
import { someRuns } from '../../helpers/some-runs.ts';

/* docs/local-api.md, "Import and export": recordings come in, go out, come in elsewhere, and go out again as they were. */

let here: RunningService;
let there: RunningService;
let world: World;
beforeAll(async () => {
  // Every part of an export comes from the same service.
  here = await runService({ workerScript: WORKER_SCRIPT }, { isAlone: true });
  there = await runService();
  world = await createWorld(here);
});
afterAll(() => Promise.all([here.stop(), there.stop()]));

interface Device {
  readonly project_id: string;
  readonly device_id: string;
}

async function makeDevice(service: RunningService, project_id: string): Promise<Device> {
  const body = { name: 'Recorder', source: 'http' };
  const { envelope } = await service.request('POST', `/v2/projects/${project_id}/devices`, { body });
  return { project_id, device_id: (envelope.data as unknown as { id: string }).id };
}

async function makeProject(service: RunningService): Promise<string> {
  const { envelope } = await service.request('POST', '/_local/v1/projects', { body: { name: 'Elsewhere' } });
  return (envelope.data as unknown as { id: string }).id;
}

async function bringIn(
  { bridge }: RunningService,
  device: Device,
  file: Uint8Array<ArrayBuffer>,
  format: Format,
) {
  const envelope = await bridge.upload('records.import', { ...device, format }, new Blob([file]));
  if (!envelope.success) throw new Error(envelope.message);
  return envelope.data;
}

type Format = 'csv' | 'ndjson';

/** As a window takes it: `most` bytes at the most, then it is cut; with a beginning, the rest. */
async function takeOut(
  { bridge }: RunningService,
  device: Device,
  format: Format | 'parquet' | 'xlsx',
  { most = Infinity, beginning = new Uint8Array(), state }: Cut = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const cut = new AbortController();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const input = { ...device, format, ...(state !== undefined && { from: beginning.length, state }) };
  const coming = bridge.download(
    'records.export',
    input,
    (piece) => {
      pieces.push(new Uint8Array(piece.subarray(0, Math.max(0, most - bytes))));
      bytes += piece.length;
      if (bytes >= most) cut.abort(new Error('cut'));
    },
    { signal: cut.signal },
  );
  const from = await coming.then(
    (envelope) => {
      if (!envelope.success) throw new Error(envelope.message);
      return envelope.data?.from;
    },
    (reason: unknown) => {
      if (!cut.signal.aborted) throw reason;
      return 0;
    },
  );
  expect(from).toBe(state === undefined ? 0 : beginning.length);
  return new Uint8Array(Buffer.concat([beginning, ...pieces]));
}

interface Cut {
  readonly most?: number;
  readonly beginning?: Uint8Array;
  readonly state?: string;
}

const value = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.integer(),
  fc.boolean(),
  // What a spreadsheet, a line or a quote would trip over; no lone surrogates, which UTF-8 cannot say.
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text.isWellFormed()),
  fc.constantFrom('', ' ', '=1+1', 'a,b;c', '"', '\r\n', '1', 'true', '\u202e'),
);
interface Reading {
  readonly at: number;
  readonly values: Readonly<Record<string, string | number | boolean>>;
}

const recording = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 5_000_000_000 }),
    values: fc.dictionary(fc.constantFrom('t', 'h', 'Größe', 'a b', '"q"', 'state'), value, { minKeys: 1 }),
  }),
  { minLength: 1, maxLength: 60 },
);

const START = Date.UTC(2026, 0, 5) * 1000;
const fileOf = (records: readonly Reading[]) =>
  new TextEncoder().encode(
    records
      .map(({ at, values }) => `${JSON.stringify({ timestamp: formatMicros(START + at), ...values })}\n`)
      .join(''),
  );

test('many recordings, out and in elsewhere and out again, are equal byte for byte', async () => {
  const elsewhere = await makeProject(there);
  await fc.assert(
    fc.asyncProperty(fc.array(recording, { minLength: 1, maxLength: 4 }), async (recordings) => {
      const device = await makeDevice(here, world.project_id);
      let count = 0;
      for (const records of recordings) {
        expect(await bringIn(here, device, fileOf(records), 'ndjson')).toMatchObject({
          stored: records.length,
        });
        count += records.length;
      }
      for (const format of ['csv', 'ndjson'] as const) {
        const out = await takeOut(here, device, format);
        const other = await makeDevice(there, elsewhere);
        expect(await bringIn(there, other, out, format)).toMatchObject({ stored: count, skipped: 0 });
        // Through either format everything is as it was, so that all formats are equal.
        for (const again of ['csv', 'ndjson', 'parquet'] as const)
          expect(await takeOut(there, other, again)).toEqual(await takeOut(here, device, again));
      }
    }),
    { numRuns: someRuns(64) },
  );
});

test('an export that a window was cut off from goes on to the same bytes', async () => {
  const device = await makeDevice(here, world.project_id);
  const lines = Array.from({ length: 30_000 }, (_, i) => ({
    at: i * 1000,
    values: { t: Math.sin(i), state: `s${i % 5}` },
  }));
  await bringIn(here, device, fileOf(lines), 'ndjson');
  for (const format of ['csv', 'ndjson', 'parquet', 'xlsx'] as const) {
    const whole = await takeOut(here, device, format);
    const path = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/records/estimate`;
    const { envelope } = await here.request('GET', `${path}?format=${format}`);
    const { state } = envelope.data as unknown as { state: string };
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (most) => {
        const beginning = await takeOut(here, device, format, { most });
        expect(beginning).toHaveLength(most);
        expect(await takeOut(here, device, format, { beginning, state })).toEqual(whole);
      }),
      { numRuns: someRuns(32) },
    );
  }
});
