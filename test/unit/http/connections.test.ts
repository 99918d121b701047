import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { Call, Principal } from '#core/api/call.ts';
import { unauthorized } from '#core/base/errors.ts';
import { connectionLimits, type ConnectionLimits } from '#core/http/connections.ts';
import { createPeerLimits } from '#core/net/peers.ts';
import { makeFolderForEach, open as openTls } from '../tls/fixture.ts';
import { answer, AUTHORIZED, openTestDoors, PRINCIPAL, type TestDoors } from './fixture.ts';

makeFolderForEach();

/* Real sockets against small limits; each address of 127/8 is a peer of its own here. */

const LIMITS: ConnectionLimits = { most: 6, mostOfPeer: 3, peerOf: (address) => address };
const REQUEST = `GET /v2/projects HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${AUTHORIZED.authorization}\r\n\r\n`;

let doors: TestDoors | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await doors?.close();
});

const opened = async (
  handle?: (call: Call) => ReturnType<typeof answer> | Promise<ReturnType<typeof answer>>,
) => (doors = await openTestDoors({}, { connectionLimits: LIMITS, ...(handle && { handle }) }));

/** A connection of a peer. */
async function from(peer: string, port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: peer });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Whether a request on it is answered; false where it was closed. */
async function isAnswered(socket: Socket, request = REQUEST): Promise<boolean> {
  if (socket.destroyed || socket.readableEnded) return false;
  const heard = Promise.race([
    once(socket, 'data').then(() => true),
    new Promise<boolean>((resolve) =>
      socket.once('close', () => resolve(false)).once('end', () => resolve(false)),
    ),
  ]);
  socket.write(request);
  return heard;
}

async function connectedAndUsed(peer: string, port: number): Promise<Socket> {
  const socket = await from(peer, port);
  expect(await isAnswered(socket)).toBe(true);
  return socket;
}

describe('connections of one peer', () => {
  test('beyond its share close the one that has been idle longest, and leave other peers alone', async () => {
    const { port } = await opened();
    const other = await connectedAndUsed('127.0.0.9', port);
    const [first, second, third] = [
      await connectedAndUsed('127.0.0.2', port),
      await connectedAndUsed('127.0.0.2', port),
      await connectedAndUsed('127.0.0.2', port),
    ];
    // Used again, so that the second has been idle longest.
    expect(await isAnswered(first)).toBe(true);
    const closed = once(second, 'close');
    const fourth = await connectedAndUsed('127.0.0.2', port);
    await closed;
    for (const socket of [first, third, fourth, other]) expect(await isAnswered(socket)).toBe(true);
  });

  test('that say nothing at all hold nobody else up', async () => {
    const { port } = await opened();
    const silent = await Promise.all(Array.from({ length: 20 }, () => from('127.0.0.2', port)));
    expect(await isAnswered(await from('127.0.0.3', port))).toBe(true);
    expect(await isAnswered(await from('127.0.0.2', port))).toBe(true);
    await expect
      .poll(() => silent.filter((socket) => !socket.readableEnded && !socket.destroyed).length)
      .toBe(2);
  });

  test('are dropped beyond its share where all are busy, which finish', async () => {
    const gate = Promise.withResolvers<void>();
    const { port, calls } = await opened(async () => {
      await gate.promise;
      return answer('projects.list', []);
    });
    const busy = [
      await from('127.0.0.2', port),
      await from('127.0.0.2', port),
      await from('127.0.0.2', port),
    ];
    const answered = busy.map((socket) => isAnswered(socket));
    await expect.poll(() => calls.length).toBe(3);
    expect(await isAnswered(await from('127.0.0.2', port))).toBe(false);
    const other = isAnswered(await from('127.0.0.3', port));
    await expect.poll(() => calls.length).toBe(4);
    gate.resolve();
    expect(await Promise.all([...answered, other])).toEqual([true, true, true, true]);
    // Idle again, they make room.
    expect(await isAnswered(await from('127.0.0.2', port))).toBe(true);
  });

  test('have all their share again after they left', async () => {
    const { port } = await opened();
    for (let round = 0; round < 5; round++) {
      const three = await Promise.all([2, 2, 2].map(() => connectedAndUsed('127.0.0.2', port)));
      const gone = three.map((socket) => once(socket, 'close'));
      for (const socket of three) socket.destroy();
      await Promise.all(gone);
    }
    expect(await isAnswered(await from('127.0.0.2', port))).toBe(true);
  });
});

test('all connections of a door together close the longest idle one beyond their limit', async () => {
  const { port } = await opened();
  const six: Socket[] = [];
  for (let n = 0; n < 6; n++) six.push(await connectedAndUsed(`127.0.0.${2 + (n % 3)}`, port));
  const closed = once(six[0] as Socket, 'close');
  expect(await isAnswered(await from('127.0.0.8', port))).toBe(true);
  await closed;
  for (const socket of six.slice(1)) expect(await isAnswered(socket)).toBe(true);
});

test('whose project has more than half of all that are busy makes room for others', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const keys: Readonly<Record<string, Principal>> = {
    'Bearer greedy': { ...PRINCIPAL, key_id: 'greedy', project_ids: new Set(['greedy']) },
    'Bearer its other': { ...PRINCIPAL, key_id: 'its other', project_ids: new Set(['greedy']) },
    'Bearer else': { ...PRINCIPAL, key_id: 'else', project_ids: new Set(['else']) },
  };
  doors = await openTestDoors(
    {},
    {
      connectionLimits: { ...LIMITS, mostOfPeer: 10 },
      authenticate(authorization = '') {
        const key = keys[authorization];
        if (!key) throw unauthorized('No such key.');
        begun.push(authorization);
        return key;
      },
      async handle() {
        await gate.promise;
        return answer('projects.list', []);
      },
    },
  );
  const { port } = doors;
  const ask = async (key: string) => {
    const socket = await from('127.0.0.2', port);
    const before = begun.length;
    const answered = isAnswered(socket, REQUEST.replace(AUTHORIZED.authorization, `Bearer ${key}`));
    await Promise.race([answered, expect.poll(() => begun.length).toBe(before + 1)]);
    return { answered };
  };
  const first = [];
  for (const key of ['greedy', 'greedy', 'greedy', 'its other', 'else', 'else']) first.push(await ask(key));
  const other = await ask('else');
  // Three of each: nobody has more than half.
  const late = await ask('else');
  expect(await late.answered).toBe(false);
  gate.resolve();
  const answered = await Promise.all([...first, other].map((one) => one.answered));
  expect(answered).toEqual([true, true, false, true, true, true, true]);
});

test('the same holds behind TLS', async () => {
  const tls = await openTls();
  const { doors: open, close } = await openTestDoors({ tls: true }, { tls, connectionLimits: LIMITS });
  const port = Number(new URL(open.base_url).port);
  const ca = await readFile(tls.ca_file);
  const secure = async () => {
    const socket = connectTls({ host: '127.0.0.1', port, ca, servername: 'localhost' });
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'secureConnect');
    expect(await isAnswered(socket)).toBe(true);
    return socket;
  };
  const [first, second] = [await secure(), await secure(), await secure()];
  expect(await isAnswered(first as Socket)).toBe(true);
  const closed = once(second as Socket, 'close');
  const fourth = await secure();
  await closed;
  for (const socket of [first as Socket, fourth]) expect(await isAnswered(socket)).toBe(true);
  await close();
});

test.each([
  ['127.0.0.1', null],
  ['::1', null],
  ['::ffff:127.0.0.1', null],
  ['192.168.1.7', '192.168.1.7'],
  ['::ffff:192.168.1.7', '192.168.1.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['fe80::1', 'fe80:0:0:0::/64'],
])('an address %s counts as %s', (address, peer) => {
  expect(connectionLimits().peerOf(address)).toBe(peer);
});

test.each([
  ['10.0.0.5', null],
  ['::ffff:10.0.0.5', null],
  ['10.0.0.6', '10.0.0.6'],
  ['10.1.2.3', null],
  ['2001:db8:1:2:3:4:5:6', null],
  ['2001:db9::1', '2001:db9:0:0::/64'],
])('with trusted proxies, an address %s counts as %s', (address, peer) => {
  const trusted = createPeerLimits(['10.0.0.5', '10.1.0.0/16', '2001:db8::/32']);
  expect(trusted.peerOf(address)).toBe(peer);
});
