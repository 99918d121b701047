import { afterEach, expect, test } from 'vitest';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { dataOf } from '../world.ts';
import { simulated, type Place, type Simulated } from './simulated.ts';

/* docs/rigs.md, "Snapshots": what a restore ends. */

let rig: Simulated;

afterEach(() => rig.service.stop());

const SNAPSHOTS = '/_local/v1/snapshots';
const SIMULATED = { every_ms: 1000, keys: { temperature: { shape: 'constant', value: 21 } } } as const;
const restore = (name: string) => rig.service.request('POST', `${SNAPSHOTS}/${name}/restore`, { body: {} });

/** Starts a simulator in a world of its own; resolves with that one's key. */
async function startElsewhere(): Promise<string> {
  const { api_key } = await dataOf(rig.service, 'POST', '/_local/v1/accounts', { name: 'Another' });
  const key = api_key as string;
  const made = async (path: string, body: object) =>
    (await rig.service.request('POST', path, { key, body })).envelope.data as unknown as {
      readonly id: string;
    };
  const { id: project_id } = await made('/_local/v1/projects', { name: 'Theirs' });
  const { id: device_id } = await made(`/v2/projects/${project_id}/devices`, {
    name: 'Probe',
    source: 'http',
  });
  await made('/_local/v1/simulators', { project_id, device_id, ...SIMULATED });
  return key;
}

test.skipIf(inDatabase)(
  'a restore ends the simulators of its world, and nothing is stored into what it restored',
  async () => {
    rig = await simulated();
    const place: Place = await rig.device();
    const { project_id, device_id } = place;
    const key = await startElsewhere();
    await rig.start({ project_id, device_id, ...SIMULATED });
    await rig.start({ project_id, device_id, ...SIMULATED, through: 'http' });
    await rig.advance(3000);
    await dataOf(rig.service, 'POST', SNAPSHOTS, { name: 'before' });
    const before = await rig.records(place);
    expect(before).toHaveLength(6);

    await rig.advance(5000);
    // Much at once, which is a job and under way when the world is restored.
    await rig.start({ project_id, device_id, ...SIMULATED, speed: 'max', count: 5_000_000 });
    expect((await restore('none')).status).toBe(404);
    expect(await rig.list()).toHaveLength(3);
    expect((await restore('before')).status).toBe(200);

    expect(await rig.list()).toEqual([]);
    expect(await rig.records(place)).toEqual(before);
    await rig.advance(60_000);
    expect(await rig.records(place)).toEqual(before);
    const { envelope } = await rig.service.request('GET', '/_local/v1/simulators', { key });
    expect(envelope.data).toMatchObject([{ state: 'running', stored: 68 }]);

    // It is a device as any other one: what is started now stores.
    await rig.start({ project_id, device_id, ...SIMULATED });
    await rig.advance(2000);
    expect(await rig.records(place)).toHaveLength(8);
    expect(rig.service.logged.filter((line) => !line.includes('--clock'))).toEqual([]);
  },
);
