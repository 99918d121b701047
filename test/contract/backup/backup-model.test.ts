import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockOf } from '../../helpers/clock.ts';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { dataOf } from '../world.ts';
import { backupOf, restored } from './backups.ts';

/*
 * A backup at any moment of a random story, restored at its end: to another installation, to the same one, and in place of what
 * is there. The model is a list of records for each device, in the order in which the device has them.
 */

interface Device {
  readonly id: string;
  readonly token: string;
  readonly path: string;
}

const DEVICES = 3;
/** Few instants and values, so that records meet at one time and are equal. */
const record = fc
  .record({
    timestamp: fc.integer({ min: 0, max: 12 }).map((n) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()),
    a: fc.option(fc.constantFrom(0, 1, 2.5, -1e300), { nil: undefined }),
    b: fc.option(fc.constantFrom('x', 'ünï', ''), { nil: undefined }),
  })
  .filter(({ a, b }) => a !== undefined || b !== undefined);
const device = fc.nat({ max: DEVICES - 1 });
const span = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))
  .map(([a, b]) =>
    [Math.min(a, b), Math.max(a, b)].map((n) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()),
  );
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant('store'),
      device,
      records: fc.array(record, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('import'),
      device,
      records: fc.array(record, { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('delete'), device, span }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('purge'), device }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function makeDevices(service: RunningService): Promise<Device[]> {
  const { id: project } = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Lab' });
  const made: Device[] = [];
  for (let n = 0; n < DEVICES; n++) {
    const { id, metadata } = await dataOf(service, 'POST', `/v2/projects/${project}/devices`, {
      name: `Device ${n}`,
      source: 'http',
    });
    const { device_token: token } = metadata as { device_token: string };
    made.push({ id, token, path: `/_local/v1/projects/${project}/devices/${id}` });
  }
  return made;
}

async function take(service: RunningService, devices: readonly Device[], given: Step): Promise<void> {
  const { path, token } = devices[given.device]!;
  const done = ({ status, text }: { status: number; text: string }) =>
    expect([200, 201], text).toContain(status);
  if ('records' in given && given.is === 'store')
    return done(await service.request('POST', '/integrations/http', { key: token, body: given.records }));
  if ('records' in given) {
    const bytes = given.records.map((each) => `${JSON.stringify(each)}\n`).join('');
    const raw = { type: 'application/x-ndjson', bytes };
    return done(await service.request('POST', `${path}/records?format=ndjson`, { raw }));
  }
  const query = 'span' in given ? `?start=${given.span[0]}&end=${given.span[1]}` : '';
  done(await service.request('DELETE', `${path}/records${query}`));
}

/** The records of each device, oldest first, as lines. */
async function linesOf(service: RunningService, devices: readonly Device[]): Promise<string[][]> {
  const all: string[][] = [];
  for (const { path } of devices) {
    const { status, text } = await service.request('GET', `${path}/records?format=ndjson`);
    all.push(status === 200 ? text.split('\n').filter((line) => line !== '') : []);
  }
  return all;
}

const recordsOf = async (to: RunningService, file: Buffer, query = '') =>
  (await restored(to, file, query)).records;

const timeOf = (line: string) => (JSON.parse(line) as { timestamp: string }).timestamp;

/** What is there, and behind it, at its time, what the backup has more of: of equal records as many as either has. */
function merged(there: readonly string[], saved: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const line of there) count.set(line, (count.get(line) ?? 0) + 1);
  const lacking = saved.filter((line) => {
    const left = count.get(line) ?? 0;
    count.set(line, left - 1);
    return left <= 0;
  });
  return [...there, ...lacking]
    .map((line, n) => ({ line, n, time: timeOf(line) }))
    .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.n - b.n))
    .map(({ line }) => line);
}

const sum = (lists: readonly (readonly string[])[]) => lists.reduce((total, list) => total + list.length, 0);

describe.skipIf(inDatabase)('a backup of any story', () => {
  test(
    'brings each device to what the model says, and counts what it brings',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 12 }),
          fc.array(step, { maxLength: 8 }),
          fc.boolean(),
          async (before, after, isWoken) => {
            let now = Date.UTC(2026, 2, 3) * 1000;
            const clock = clockOf(() => (now += 1_000_000));
            let service = await runService({ vault: 'memory' }, { clock });
            const other = await runService({ vault: 'memory' }, { clock });
            try {
              const devices = await makeDevices(service);
              for (const each of before) await take(service, devices, each);
              if (isWoken) {
                // Devices that nobody has asked for since the start.
                await service.service.close();
                service = await runService({ vault: 'memory', directory: service.directory }, { clock });
              }
              const file = await backupOf(service);
              const saved = await linesOf(service, devices);
              for (const each of after) await take(service, devices, each);
              const there = await linesOf(service, devices);

              expect(await recordsOf(other, file)).toEqual({ new: sum(saved), same: 0, differ: 0 });
              expect(await linesOf(other, devices)).toEqual(saved);

              const both = there.map((lines, n) => merged(lines, saved[n]!));
              const added = sum(both) - sum(there);
              const counts = {
                new: added,
                same: sum(saved) - added,
                differ: sum(there) - (sum(saved) - added),
              };
              expect(await recordsOf(service, file, '?dry_run=true')).toEqual(counts);
              expect(await linesOf(service, devices)).toEqual(there);
              expect(await recordsOf(service, file)).toEqual(counts);
              expect(await linesOf(service, devices)).toEqual(both);
              expect(await recordsOf(service, file)).toMatchObject({ new: 0, same: sum(saved) });
              expect(await linesOf(service, devices)).toEqual(both);

              await recordsOf(service, file, '?replace=true');
              expect(await linesOf(service, devices)).toEqual(saved);
              expect(await recordsOf(service, file)).toEqual({ new: 0, same: sum(saved), differ: 0 });
            } finally {
              await service.stop();
              await other.stop();
            }
          },
        ),
        { numRuns: someRuns(80) },
      );
    },
  );
});
