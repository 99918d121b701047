import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Events } from '#shared/domain/events.ts';
import { backupOf, restored } from '../backup/backups.ts';
import { inDatabase, SERVICES } from '../../helpers/postgres/database-of-tests.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* Windows hear when functions of a device come, change and go, whatever brings and takes them. */

let service: RunningService;
let project: string;
let device: string;
let decoder: string;
beforeAll(async () => void (service = await runService()));
afterAll(() => service.stop());

const data = (method: string, path: string, body?: unknown) => dataOf(service, method, path, body);
const local = () => `/_local/v1/projects/${project}`;
const functions = () => `${local()}/functions`;
const makeDevice = (name: string) =>
  data('POST', `/v2/projects/${project}/devices`, { name, source: 'http' });

beforeEach(async () => {
  project = (await data('POST', '/_local/v1/projects', { name: 'Cold store' })).id;
  device = (await makeDevice('Door 3')).id;
  decoder = (await data('POST', functions(), { device_id: device, name: 'Door', type: 'decoder' })).id;
});

/** Expects a window to hear of functions in these places alone while something is done. */
async function heardOf(act: () => Promise<unknown>, places: readonly object[]): Promise<void> {
  const window = openWindow(service.service);
  const heard: Events['functions.changed'][] = [];
  window.bridge.subscribe('functions.changed', (event) => heard.push(event));
  await act();
  if (SERVICES === 1) await expect.poll(() => heard).toEqual(places);
  // Other services tell later, and what comes twice in a moment once.
  else for (const place of places) await expect.poll(() => heard).toContainEqual(place);
  window.close();
}

const here = () => ({ account_id: service.service.account_id, project_id: project, device_id: device });

describe('a window hears', () => {
  test('that one came, changed and went, and nothing where it was refused', async () => {
    await heardOf(async () => {
      const added = await data('POST', functions(), { device_id: device, name: 'Spare', type: 'decoder' });
      await data('PATCH', `${functions()}/${added.id}`, { name: 'Other' });
      await data('DELETE', `${functions()}/${added.id}`);
      const wrong = { device_id: 'none', name: 'No', type: 'decoder' };
      expect((await service.request('POST', functions(), { body: wrong })).status).toBe(400);
    }, [here(), here(), here()]);
  });

  test('that they went with their device, and came back by undo', async () => {
    await makeDevice('Without a function');
    let undo = '';
    const path = `${local()}/devices/${device}`;
    await heardOf(async () => {
      undo = ((await data('DELETE', path))['undo'] as { id: string }).id;
    }, [here()]);
    await heardOf(() => data('POST', `/_local/v1/undo/${undo}`), [here()]);
    await heardOf(() => data('DELETE', `/v2/projects/${project}/devices/${device}`), [here()]);
  });

  test('that they went with their project, and came back by undo', async () => {
    let undo = '';
    await heardOf(async () => {
      undo = ((await data('DELETE', local()))['undo'] as { id: string }).id;
    }, [here()]);
    await heardOf(() => data('POST', `/_local/v1/undo/${undo}`), [here()]);
    await heardOf(() => data('DELETE', `/v2/projects/${project}`), [here()]);
  });

  test('that they moved with their device, in both projects', async () => {
    const { id: to } = await data('POST', '/_local/v1/projects', { name: 'Roof' });
    const without = await makeDevice('Without a function');
    await heardOf(async () => {
      await data('POST', `${local()}/devices/${without.id}/move`, { to });
      await data('POST', `${local()}/devices/${device}/move`, { to });
    }, [here(), { ...here(), project_id: to }]);
  });

  test.skipIf(inDatabase)('that a snapshot brought back what they were', async () => {
    await data('POST', '/_local/v1/snapshots', { name: project });
    await data('PATCH', `${functions()}/${decoder}`, { name: 'Other' });
    await heardOf(() => data('POST', `/_local/v1/snapshots/${project}/restore`, {}), [here()]);
    expect(await data('GET', `${functions()}/${decoder}`)).toMatchObject({ name: 'Door' });
  });

  test.skipIf(inDatabase)('that a backup brought them back, where their device is now', async () => {
    const file = await backupOf(service, `?device_id=${device}`);
    const { id: to } = await data('POST', '/_local/v1/projects', { name: 'Roof' });
    await data('POST', `${local()}/devices/${device}/move`, { to });
    await data('DELETE', `/_local/v1/projects/${to}/functions/${decoder}`);
    await heardOf(() => restored(service, file), [{ ...here(), project_id: to }]);
  });
});
