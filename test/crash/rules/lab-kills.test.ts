import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import {
  connectOf,
  portOf,
  publishOf,
  rawClient,
  subscribeOf,
  type Device,
} from '../../contract/mqtt/world.ts';
import { openHookServer, type HookServer } from '../../contract/rules/hook-server.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { startServiceProcess, type ServiceProcess } from '../../helpers/service/service-process.ts';

/*
 * Of three services over one database the one that judges is killed between a record, its alarm, the acts of that and what became of
 * them: another one goes on, each act is done at least once by one key, alarm and note are there once.
 */

const WAIT = { timeout: 90_000, interval: 50 };
const SERVICES = 3;
const LASTING = { clean: false, clientId: 'listener', properties: { sessionExpiryInterval: 3600 } };

describe.skipIf(!hasPostgres)('the service of a lab that judges, killed', () => {
  let postgres: Postgres;
  let database: Database;
  let hooks: HookServer;
  let folder: string;
  let args: readonly string[];
  const services: ServiceProcess[] = [];
  let device: Device;

  const start = async (place: number) =>
    void (services[place] = await startServiceProcess({ directory: join(folder, `data-${place}`), args }));
  const at = (place: number) => services[place]!;

  async function ask<T>(place: number, method: string, path: string, body?: unknown): Promise<T> {
    const { success, message, data } = await at(place).call<T>(method, path, body);
    if (!success || data === null) throw new Error(`${method} ${path}: ${message}`);
    return data;
  }

  beforeAll(async () => {
    postgres = await startPostgres();
    hooks = await openHookServer();
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
    const keyFile = join(folder, 'lab.key');
    await writeFile(keyFile, randomBytes(32));
    const url = await postgres.database();
    args = ['--store', url, '--key-file', keyFile];
    await start(0);
    await Promise.all([start(1), start(2)]);
    database = await openDatabase({ url });
    const { id: project } = await ask<{ id: string }>(0, 'POST', '/_local/v1/projects', { name: 'Plant' });
    const { metadata } = await ask<{ metadata: { device_id: string; device_token: string } }>(
      1,
      'POST',
      `/v2/projects/${project}/devices`,
      { name: 'Boiler', source: 'mqtt' },
    );
    device = { id: metadata.device_id, token: metadata.device_token, project };
    await ask(2, 'PATCH', '/_local/v1/settings', { webhook_hosts: ['127.0.0.1'] });
    await ask(0, 'POST', `/_local/v1/projects/${project}/functions`, {
      device_id: device.id,
      name: 'Hot',
      type: 'rule',
      condition: {
        when: { key: 't', above: 30 },
        acts: [{ do: 'webhook', url: hooks.url }, { do: 'note' }, { do: 'mqtt' }],
      },
    });
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await database.close();
    await hooks.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The service that judges, by the lease in the database. */
  async function judging(): Promise<number> {
    return vi.waitFor(async () => {
      const rows = await database.ask<{ name: string }>(
        `SELECT s.name FROM under_way u JOIN service s ON s.id = u.service_id WHERE u.name = 'rules' AND u.until > now()`,
      );
      expect(rows).toHaveLength(1);
      const place = services.findIndex(({ directory }) => rows[0]?.name.endsWith(`:${directory}`));
      expect(place).toBeGreaterThanOrEqual(0);
      return place;
    }, WAIT);
  }

  async function signedIn(place: number, more = {}) {
    const client = await rawClient(portOf(at(place).info.mqtt_url));
    client.send(connectOf(device, 5, more));
    expect(await client.next()).toMatchObject({ cmd: 'connack', reasonCode: 0 });
    return client;
  }

  async function store(place: number, t: number): Promise<void> {
    const client = await signedIn(place, { clientId: 'sensor' });
    client.send(publishOf(device, JSON.stringify({ t }), { qos: 1, messageId: 500 }));
    await client.nextOf('puback');
    client.end();
  }

  const other = (...places: number[]) =>
    Array.from({ length: SERVICES }, (_, i) => i).find((i) => !places.includes(i))!;
  const alarmsAt = (place: number) =>
    ask<readonly Alarm[]>(place, 'GET', `/_local/v1/projects/${device.project}/alarms`);

  /** What holds once all is done: one alarm, one note, each key of the webhook with its event. */
  async function holds(place: number, events: readonly string[]): Promise<Alarm> {
    const [alarm, ...others] = await vi.waitFor(async () => {
      expect([...new Set(hooks.said.map(({ event }) => event))]).toEqual(events);
      const all = await alarmsAt(place);
      expect(all.flatMap(({ acts }) => acts.map(({ state }) => state))).toEqual(
        Array.from({ length: 2 * events.length + 1 }, () => 'done'),
      );
      return all;
    }, WAIT);
    expect(others).toEqual([]);
    const path = `/_local/v1/projects/${device.project}/devices/${device.id}/notes`;
    expect((await ask<readonly Note[]>(place, 'GET', path)).map(({ text }) => text)).toEqual(['Hot']);
    for (const { event, key } of hooks.said)
      expect(key).toBe(alarm?.acts.find((act) => act.event === event && act.act.do === 'webhook')?.key);
    return alarm!;
  }

  /** Kills a service as soon as a webhook has come, before its answer. */
  function killMet(place: number): Promise<void> {
    return new Promise((resolve, reject) => {
      hooks.meet = () => {
        hooks.meet = () => {};
        process.kill(at(place).pid, 'SIGKILL');
        at(place).kill().then(resolve, reject);
      };
    });
  }

  test('in the middle of its acts, twice: another one goes on', async () => {
    const first = await judging();
    const listener = other(first);
    const client = await signedIn(listener, LASTING);
    client.send(subscribeOf(`devices/${device.id}/alarms`, 1));
    await client.nextOf('suback');
    client.end();

    const killed = killMet(first);
    await store(other(first, listener), 31);
    await killed;
    const raised = await holds(listener, ['raised']);
    expect(hooks.said.length).toBeGreaterThan(1);
    await start(first);

    const second = await judging();
    const ending = killMet(second);
    await store(other(second), 20);
    await ending;
    const ended = await holds(other(second), ['raised', 'ended']);
    expect([ended.id, ended.state]).toEqual([raised.id, 'ended']);
    await start(second);

    const back = await signedIn(listener, LASTING);
    const keys = new Set<string>();
    const expected = ended.acts.filter(({ act }) => act.do === 'mqtt').map(({ key }) => key);
    while (keys.size < expected.length) {
      const { payload } = await back.nextOf('publish');
      keys.add((JSON.parse(String(payload)) as { key: string }).key);
    }
    expect([...keys].toSorted()).toEqual(expected.toSorted());
    back.end();
  });
});
