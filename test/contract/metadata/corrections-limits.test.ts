import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_CORRECTIONS, MOST_FORMER_VERSIONS } from '#shared/domain/corrections.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { openBackend } from '#core/service/open-backend.ts';
import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import type { StoredCorrection } from '#core/store/metadata/metadata-schema.ts';
import type { NewRow } from '#core/store/metadata/metadata.ts';
import { bytesOf } from '#core/store/metadata/weights.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { aDevice, aProject } from '../../suites/metadata/rows.ts';
import { dataOf } from '../world.ts';

/* How many corrections a device has, how much history, and what one costs (docs/local-api.md, "Corrections"). */

const NOW = 1_772_483_421_202_946;
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [PROJECT, FULL, CHANGED] = [idOf(1), idOf(2), idOf(3)];

const flag = (n: number, device_id: string): NewRow<'corrections'> => ({
  id: idOf(1_000_000 + n),
  project_id: PROJECT,
  device_id,
  what: { kind: 'quality', keys: ['temperature'], from: NOW, to: NOW + 1e9, quality: 'fail' },
  version: 1,
  changed: NOW,
  by: 'app',
  reason: 'door open',
  created: NOW,
});

let service: RunningService;
beforeAll(async () => {
  service = await runService(
    {},
    {
      async open(options) {
        const metadata = await openFolderMetadata({ ...options, chance: systemRandom });
        await metadata.change(async (tables) => {
          const { default_account_id } = await tables.settings();
          await tables.insert('projects', aProject(PROJECT, default_account_id));
          for (const [i, id] of [FULL, CHANGED].entries())
            await tables.insert('devices', aDevice(id, PROJECT, i + 1));
          for (let n = 1; n < MOST_CORRECTIONS; n++) await tables.insert('corrections', flag(n, FULL));
          const { created, ...version } = await tables.insert('corrections', flag(0, CHANGED));
          for (let n = 1; n < MOST_FORMER_VERSIONS; n++)
            await tables.insert('correction_history', {
              ...version,
              id: idOf(2_000_000 + n),
              correction_id: version.id,
              version: n,
              first: created,
              place: version.sequence,
              created,
            });
          await tables.patch('corrections', version.id, { version: MOST_FORMER_VERSIONS });
        });
        await metadata.close();
        return openBackend(options);
      },
    },
  );
});
afterAll(() => service.stop());

const path = (device: string) => `/_local/v1/projects/${PROJECT}/devices/${device}/corrections`;
const BODY = { kind: 'calibration', key: 'k', points: [[0, 1]] };

test('a device holds a thousand corrections, and says so', async () => {
  const last = await dataOf(service, 'POST', path(FULL), BODY);
  const { status, envelope } = await service.request('POST', path(FULL), { body: BODY });
  expect([status, envelope.message]).toEqual([
    400,
    'a device holds at most 1000 corrections; delete some first',
  ]);
  expect(await dataOf(service, 'GET', path(FULL))).toHaveLength(MOST_CORRECTIONS);
  await dataOf(service, 'DELETE', `${path(FULL)}/${last.id}`);
  await dataOf(service, 'POST', path(FULL), BODY);
});

test('a history that is full refuses what would forget some of it', async () => {
  const one = `${path(CHANGED)}/${idOf(1_000_000)}`;
  // It takes two: the former version and the removal.
  const removal = await service.request('DELETE', one);
  expect([removal.status, removal.envelope.message]).toEqual([
    400,
    "the history of a device's corrections holds at most 10000 former versions, and has 9999: nothing of it is ever removed, so its corrections stay as they are",
  ]);
  await dataOf(service, 'PATCH', one, { reason: 'the last one' });
  const { status, envelope } = await service.request('PATCH', one, { body: { reason: 'one too many' } });
  expect([status, envelope.message]).toEqual([400, expect.stringContaining('and has 10000:')]);
  expect(await dataOf(service, 'GET', path(CHANGED))).toMatchObject([{ reason: 'the last one' }]);
  expect(await dataOf(service, 'GET', `${path(CHANGED)}/history`)).toHaveLength(MOST_FORMER_VERSIONS + 1);
});

test('a correction takes some 400 bytes, whatever its span, and each former version as much', () => {
  const stored = (row: NewRow<'corrections'>): StoredCorrection => ({ ...row, sequence: 123_456 });
  const short = bytesOf(stored(flag(1, FULL)));
  const of = (what: StoredCorrection['what']) => bytesOf(stored({ ...flag(1, FULL), what }));
  const long = of({ kind: 'quality', keys: ['temperature'], from: 0, to: 7e15, quality: 'fail' });
  const points = Array.from({ length: 10 }, (_, n) => [n * 10, n * 10 + 0.25] as const);
  const certified = of({
    kind: 'calibration',
    key: 'temperature',
    points,
    unit: '°C',
    certificate: 'DKD-K-12345',
    uncertainty: 0.05,
  });
  expect(Math.abs(long - short)).toBeLessThan(20);
  expect(short).toBeLessThan(450);
  expect(certified).toBeLessThan(650);
});
