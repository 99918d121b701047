import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DoorsNow } from '#shared/operations/service/doors.ts';
import { networkHosts } from '#core/tls/names.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { connectOf, mqttWorld, portOf, RawClient, rawClient } from './mqtt/world.ts';

/* Doors that are changed while the service runs (docs/local-api.md, "Doors"). */

const OPEN = {
  tls: true,
  port: 0,
  httpPort: 0,
  mqttPort: { number: 0, isAsked: true },
  flags: new Set([]),
} as const;
/** Each service has doors of its own. */
const ALONE = { isAlone: true };
let service: RunningService;

beforeEach(async () => {
  service = await runService(OPEN, ALONE);
});
afterEach(() => service.stop());

const update = async (body: unknown) => {
  const { status, envelope } = await service.request('PATCH', '/_local/v1/doors', { body });
  return { status, message: envelope.message, data: envelope.data as unknown as DoorsNow };
};
const now = async () =>
  (await service.request('GET', '/_local/v1/doors')).envelope.data as unknown as DoorsNow;

/** A port that nobody has at the moment; `hold` keeps it. */
async function freePort(hold = false): Promise<{ port: number; release: () => void }> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const release = () => void server.close();
  if (!hold) {
    release();
    await once(server, 'close');
  }
  return { port, release };
}

const takesMqtt = async (port: number | null) => {
  const client = await rawClient(port ?? 0).catch(() => null);
  client?.end();
  return client !== null;
};

test('a door is opened, moved and shut at once, and stays so after a restart', async () => {
  expect(await now()).toMatchObject({ fixed: null, flags: [], network: false, mqtts_port: null });
  const { port } = await freePort();
  const opened = await update({ mqtts_port: port });
  expect(opened).toMatchObject({ status: 200, data: { mqtts_port: port } });
  expect(service.service.mqtts_url).toBe(`mqtts://127.0.0.1:${port}`);
  expect(await takesMqtt(port)).toBe(true);

  const other = (await freePort()).port;
  await update({ mqtt_port: other, mqtts_port: null });
  expect(await takesMqtt(other)).toBe(true);
  expect(await takesMqtt(port)).toBe(false);
  expect((await service.request('GET', '/_local/v1/status')).envelope.data).toMatchObject({
    mqtt_url: `mqtt://127.0.0.1:${other}`,
    mqtts_url: null,
  });

  const { directory } = service;
  await service.service.close();
  service = await runService({ ...OPEN, directory }, ALONE);
  expect(await now()).toMatchObject({ mqtt_port: other, mqtts_port: null });
});

test('the doors over TLS are opened to the network and closed again, at the same ports', async () => {
  const { port } = await freePort();
  await update({ mqtts_port: port });
  const { https_port } = await now();
  expect(await update({ network: true })).toMatchObject({
    status: 200,
    data: { network: true, https_port, mqtts_port: port },
  });
  expect(service.service.host).toBe('0.0.0.0');
  const status = async () =>
    (await service.request('GET', '/_local/v1/status')).envelope.data as unknown as {
      network_hosts: string[];
    };
  expect(JSON.parse(await readFile(join(service.directory, 'doors.json'), 'utf8'))).toEqual({
    version: 1,
    mqtts_port: port,
    network: true,
  });
  await update({ network: false });
  expect((await status()).network_hosts).toEqual([]);
  expect(await takesMqtt(port)).toBe(true);
});

test('the port of HTTPS moves under who asks for it, who is answered', async () => {
  const { port } = await freePort();
  expect(await update({ https_port: port })).toMatchObject({ status: 200, data: { https_port: port } });
  expect(service.service.base_url).toBe(`https://127.0.0.1:${port}`);
  const plain = (await freePort()).port;
  expect(await update({ http_port: plain })).toMatchObject({ status: 200, data: { http_port: plain } });
  expect(await now()).toMatchObject({ http_port: plain });
});

test('a port that another has is refused, named with its field, and everything stays as it was', async () => {
  const before = await now();
  const taken = await freePort(true);
  const { port } = await freePort();
  const refused = await update({ mqtts_port: port, mqtt_port: taken.port });
  expect(refused).toMatchObject({ status: 400, message: expect.stringMatching(/^mqtt_port .*in use/) });
  expect(await now()).toEqual(before);
  expect(await takesMqtt(before.mqtt_port)).toBe(true);
  expect(await takesMqtt(port)).toBe(false);
  await expect(readFile(join(service.directory, 'doors.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  taken.release();
});

test('a flag wins, and says so', async () => {
  const { directory } = service;
  const { port } = await freePort();
  await update({ mqtts_port: port });
  await service.service.close();
  service = await runService({ ...OPEN, directory, mqttsPort: null, flags: new Set(['mqtts_port']) }, ALONE);
  expect(await now()).toMatchObject({ mqtts_port: null, flags: ['mqtts_port'] });
  expect(await update({ mqtts_port: port })).toMatchObject({
    status: 400,
    message: expect.stringContaining('flag of the start'),
  });
  await service.service.close();
  service = await runService({ directory }, ALONE);
  expect(await update({ mqtt_port: port })).toMatchObject({
    status: 400,
    message: expect.stringContaining('--tls off'),
  });
});

test.each([{ mqtt_port: 0 }, { https_port: null }, { http_port: 70_000 }, { network: 'yes' }])(
  '%j is refused',
  async (body) => {
    expect((await update(body)).status).toBe(400);
  },
);

test('settings that cannot be read cost nothing but themselves, and are told of', async () => {
  const { directory } = service;
  await service.service.close();
  await writeFile(join(directory, 'doors.json'), '{"version":9}');
  service = await runService({ ...OPEN, directory }, ALONE);
  const { notes } = (await service.request('GET', '/_local/v1/status')).envelope.data as unknown as {
    notes: string[];
  };
  expect(notes.join()).toContain('doors.json is damaged or of a newer Fieldbench');
});

/** This machine as others know it. */
const [OWN_HOST] = networkHosts('0.0.0.0');

test.skipIf(OWN_HOST === undefined)(
  'a balancer brings more MQTT clients than one machine may have, where it is a trusted proxy',
  async () => {
    const answered = async (trustedProxies: readonly string[]) => {
      const other = await mqttWorld({ ...OPEN, host: '0.0.0.0', mqttsPort: 0, trustedProxies }, ALONE);
      const port = portOf(other.service.mqtts_url);
      const device = await other.makeDevice();
      const clients = Array.from({ length: 300 }, (_, n) => {
        const client = new RawClient(connectTls({ host: OWN_HOST, port, rejectUnauthorized: false }), 5);
        client.send(connectOf(device, 5, { clientId: `client ${n}` }));
        return client;
      });
      const answers = await Promise.all(clients.map((client) => client.next()));
      await other.stop();
      return answers.filter((answer) => answer?.cmd === 'connack').length;
    };
    expect(await answered([`${OWN_HOST}`])).toBe(300);
    expect(await answered([])).toBe(256);
  },
);
