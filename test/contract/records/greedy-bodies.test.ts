import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* Memory of bodies is shared (docs/running.md, "Limits"): whoever holds all that is theirs keeps nobody else out. */

/** Announces the most that a JSON body may have, and takes with it what that may need: 26 of them are one key's part. */
const ANNOUNCED = 1024 * 1024;
const OF_ONE = 30;

let service: RunningService;
let world: World;
let other: { readonly key: string; readonly devices: string; readonly token: string };
let sockets: Socket[] = [];

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  const project = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Other' });
  const devices = `/v2/projects/${project.id}/devices`;
  const made = await dataOf(service, 'POST', devices, { name: 'Bystander', source: 'http' });
  const { device_token } = made['metadata'] as { device_token: string };
  other = { key: await world.issueKey(['write', 'admin'], [project.id]), devices, token: device_token };
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(() => service.stop());

/** Begins a request of which nothing more comes. */
async function begin(path: string, authorization: string, length: number): Promise<void> {
  const { hostname, port, host } = new URL(service.service.http_url ?? '');
  const socket = connect(Number(port), hostname);
  sockets.push(socket.on('error', () => {}));
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nContent-Length: ${length}\r\n\r\n{`,
  );
}

/** Everything that somebody of another project may ask for with a body. */
async function othersGoOn(): Promise<void> {
  const { key, devices, token } = other;
  const answers = await Promise.all([
    service.request('POST', '/integrations/http', { key: token, body: { a: 1 } }),
    service.request('POST', devices, { key, body: { name: 'One more', source: 'http' } }),
    service.request('POST', devices.replace('/v2', '/_local/v1'), {
      key,
      body: { devices: [{ name: 'And one' }] },
    }),
  ]);
  expect(answers.map(({ envelope }) => [envelope.status, envelope.message])).toEqual([
    [200, 'Data stored successfully.'],
    [201, 'Device created successfully.'],
    [201, 'Devices created successfully.'],
  ]);
}

test('a key is one, in however many ways its header is written', async () => {
  const key = await world.issueKey(['write'], [world.project_id]);
  const path = `/v2/projects/${world.project_id}/devices`;
  for (const way of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer  '])
    for (let n = 0; n < OF_ONE; n++) await begin(path, `${way}${key}`, ANNOUNCED);
  await othersGoOn();
});

test('keys of one project, however many, leave something to other projects', async () => {
  const path = `/v2/projects/${world.project_id}/devices`;
  for (let each = 0; each < 3; each++) {
    const key = await world.issueKey(['write'], [world.project_id]);
    for (let n = 0; n < OF_ONE; n++) await begin(path, `Bearer ${key}`, ANNOUNCED);
  }
  await othersGoOn();
});
