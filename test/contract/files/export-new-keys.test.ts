import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFolder, type FolderOptions } from '#core/folder/open-folder.ts';
import type { RecordStore } from '#core/store/store.ts';
import { overlaid } from '../../helpers/store/overlaid.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/* A record that arrives after an export was planned and before it is read is there whole, also where its key is new. */

/** Runs when somebody has just been told the keys of a device. */
let told: () => Promise<unknown> = () => Promise.resolve();

function telling(store: RecordStore): RecordStore {
  return overlaid(store, {
    async keys(...given) {
      const keys = await store.keys(...given);
      const run = told;
      told = () => Promise.resolve();
      await run();
      return keys;
    },
  });
}

const open = async (options: FolderOptions) => {
  const backend = await openFolder(options);
  return { ...backend, records: telling(backend.records) };
};

let service: RunningService;
let world: World;

beforeAll(async () => {
  service = await runService({}, { open });
});
afterAll(() => service.stop());

test.each([
  ['ndjson', '{"timestamp":"2026-01-01T00:00:00.000000Z","newcomer":7}'],
  ['csv', '2026-01-01T00:00:00.000000Z,7'],
])('%s has the newcomer', async (format, line) => {
  world = await createWorld(service);
  const { project_id, device_id, device_token: key } = world;
  const path = `/_local/v1/projects/${project_id}/devices/${device_id}/records`;
  await service.request('DELETE', path);
  const store = (body: unknown) => service.request('POST', '/integrations/http', { key, body });
  told = () => store({ timestamp: '2026-01-01T00:00:00Z', newcomer: 7 });
  const { text } = await service.request('GET', `${path}?format=${format}`);
  expect(text.trim().split(/\r?\n/).at(-1)).toBe(line);
});

test('keys that were named stay the columns, whatever comes', async () => {
  const { project_id, device_id, device_token: key } = await createWorld(service);
  const path = `/_local/v1/projects/${project_id}/devices/${device_id}/records`;
  await service.request('DELETE', path);
  await service.request('POST', '/integrations/http', { key, body: { timestamp: 0, a: 1, b: 2 } });
  const { text } = await service.request('GET', `${path}?format=csv&keys=b`);
  expect(text).toBe('timestamp,"b"\r\n1970-01-01T00:00:00.000000Z,2\r\n');
});
