import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openLink } from '#core/bridge/remote/link.ts';
import { createLabClient } from '#core/push/lab-client.ts';
import { readAddress } from '#core/remote/address.ts';
import { openTarget } from '#core/remote/target.ts';

/* A service elsewhere that answers what none of ours does. */

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** Starts it; returns its address. */
async function answering(answer: (response: ServerResponse) => void): Promise<string> {
  server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const targetAt = (address: string) => openTarget({ address, certificate: null, api_key: 'fb_x' });
const labAt = (address: string) =>
  createLabClient({
    address: readAddress(address),
    key: 'fb_x',
    certificate: null,
    signal: new AbortController().signal,
  });

/** What it says never ends. */
function endless(response: ServerResponse): void {
  response.writeHead(401, { 'content-type': 'application/json' });
  const piece = Buffer.alloc(4 * 1024 * 1024, 32);
  const go = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', go);
  go();
}

const ways: readonly [string, (url: string) => Promise<unknown>][] = [
  ['a request', (url) => targetAt(url).ask('GET', '/v2/projects')],
  ['a push', (url) => labAt(url).look({ projects: [], devices: [] })],
  [
    'a window that is opened',
    (url) => openLink({ target: targetAt(url), listener: () => {}, lost: () => {} }),
  ],
];

test.each(ways)('%s ends where the answer does not', async (_, ask) => {
  const url = await answering(endless);
  await expect(ask(url)).rejects.toThrow(/It answers with more than 268435456 bytes at once\./);
});

const success = (data: unknown) => (response: ServerResponse) =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ success: true, action: 'a', status: 200, message: 'm', data }));

test.each([
  ['nothing', null, 'data'],
  ['an installation that is none', { installation_id: 'a b', projects: [], devices: [] }, 'installation_id'],
  [
    'devices that are none',
    { installation_id: crypto.randomUUID(), projects: [], devices: [{ id: 'd' }] },
    'devices.0',
  ],
])('a push is ended by a lab that answers with %s, which is named', async (_, data, name) => {
  const url = await answering(success(data));
  const asked = labAt(url).look({ projects: [], devices: [] });
  await expect(asked).rejects.toMatchObject({ name: 'LabLost', message: expect.stringContaining(name) });
});

test('what a newer lab says beside what is known is left out', async () => {
  const installation_id = crypto.randomUUID();
  const url = await answering(success({ installation_id, projects: [], devices: [], more: 1 }));
  expect(await labAt(url).look({ projects: [], devices: [] })).toEqual({
    installation_id,
    projects: [],
    devices: [],
  });
});
