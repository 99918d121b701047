import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { hasPostgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { connectOf, portOf, publishOf, rawClient, subscribeOf, type Device } from '../mqtt/world.ts';
import { dataOf } from '../world.ts';

/* What the act `mqtt` says reaches clients of every service of a lab (docs/mqtt.md, "Alarms"). */

const WAIT = { timeout: 60_000, interval: 50 };
const LASTING = { clean: false, properties: { sessionExpiryInterval: 3600 } };

describe.skipIf(!hasPostgres)('messages of alarms in a lab', () => {
  let lab: Lab;
  let folder: string;
  const directories: string[] = [];
  const running: RunningService[] = [];
  let device: Device;

  const start = async (place: number) =>
    void (running[place] = await lab.start({
      directory: directories[place]!,
      mqttPort: { number: 0, isAsked: true },
    }));
  const at = (place: number) => running[place]!;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
    lab = await startLab(await sharedPostgres(), 0);
    directories.push(join(folder, 'a'), join(folder, 'b'));
    await start(0);
    await start(1);
    const { id: project } = await dataOf(at(0), 'POST', '/_local/v1/projects', { name: 'Plant' });
    const { metadata } = await dataOf(at(0), 'POST', `/v2/projects/${project}/devices`, {
      name: 'Boiler',
      source: 'mqtt',
    });
    const { device_id, device_token } = metadata as { device_id: string; device_token: string };
    device = { id: device_id, token: device_token, project };
    await dataOf(at(1), 'POST', `/_local/v1/projects/${project}/functions`, {
      device_id,
      name: 'Hot',
      type: 'rule',
      condition: { when: { key: 't', above: 30 }, acts: [{ do: 'mqtt' }] },
    });
  });
  afterAll(async () => {
    await lab.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function signedIn(place: number, clientId: string, more = {}) {
    const client = await rawClient(portOf(at(place).service.mqtt_url));
    client.send(connectOf(device, 5, { clientId, ...more }));
    expect(await client.next()).toMatchObject({ cmd: 'connack', reasonCode: 0 });
    return client;
  }

  async function listening(place: number, clientId: string, more = {}) {
    const client = await signedIn(place, clientId, more);
    client.send(subscribeOf(`devices/${device.id}/alarms`, 1));
    await client.nextOf('suback');
    return client;
  }

  async function store(place: number, t: number): Promise<void> {
    const client = await signedIn(place, 'sensor');
    client.send(publishOf(device, JSON.stringify({ t }), { qos: 1, messageId: 500 }));
    await client.nextOf('puback');
    client.end();
  }

  type Listening = Awaited<ReturnType<typeof listening>>;
  const said = async (client: Listening) => {
    const { payload } = await client.nextOf('publish');
    return JSON.parse(String(payload)) as { key: string; event: string };
  };
  const untilDone = (place: number, acts: number) =>
    vi.waitFor(async () => {
      const path = `/_local/v1/projects/${device.project}/alarms`;
      const alarms = (await dataOf(at(place), 'GET', path)) as unknown as readonly Alarm[];
      expect(alarms.flatMap((alarm) => alarm.acts.map(({ state }) => state))).toEqual(
        Array.from({ length: acts }, () => 'done'),
      );
    }, WAIT);

  test('clients of both services hear each, whichever judges, and who was away hears of it after a restart', async () => {
    const [here, there] = [await listening(0, 'here'), await listening(1, 'there')];
    const away = await listening(1, 'away', LASTING);
    away.end();
    await store(0, 31);
    await untilDone(0, 1);
    const [first, second] = [await said(here), await said(there)];
    expect([first.event, second]).toEqual(['raised', first]);

    // What is said while a service is away is there when it is back, for its sessions.
    await at(1).service.close();
    await store(0, 20);
    await untilDone(0, 2);
    const ended = await said(here);
    expect(ended.event).toBe('ended');
    await start(1);
    const back = await signedIn(1, 'away', LASTING);
    expect([await said(back), await said(back)]).toEqual([first, ended]);
    // Nobody else hears what was said before.
    const late = await listening(1, 'late');
    expect((await late.before()).filter(({ cmd }) => cmd === 'publish')).toEqual([]);
    for (const client of [here, there, back, late]) client.end();
  });
});
