import { once } from 'node:events';
import { connect, type ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyPair } from '#core/tls/certificates.ts';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';
import { TLS_SUITES } from '#core/tls/suites.ts';
import { openTestDoors, type TestDoors } from '../http/fixture.ts';

let renewed: (() => void) | undefined;
let ca: string;
let doors: TestDoors;
beforeAll(async () => {
  const names = { dns: ['localhost'], ips: ['127.0.0.1'] };
  const authority = createAuthority(names, Date.now());
  const server: KeyPair = issueServer(authority, names, Date.now());
  ca = authority.cert;
  doors = await openTestDoors(
    { tls: true, port: 0 },
    {
      tls: {
        ca_certificate: '',
        ca_file: '/nowhere/ca.pem',
        notes: [],
        current: () => server,
        onRenewed(listener) {
          renewed = listener;
          return () => {};
        },
        renew: async () => {},
        close: () => {},
      },
    },
  );
});
afterAll(() => doors.close());

/** The suite that a client with these wishes gets; rejects where there is none. */
async function negotiated(wishes: ConnectionOptions): Promise<string> {
  const { port } = new URL(doors.doors.base_url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', ca, ...wishes });
  try {
    await once(socket, 'secureConnect');
    return socket.getCipher().name;
  } finally {
    socket.destroy();
  }
}

const wish = (suite: string): ConnectionOptions =>
  suite.startsWith('TLS_')
    ? { ciphers: suite, minVersion: 'TLSv1.3' }
    : { ciphers: suite, maxVersion: 'TLSv1.2' };

test.each(TLS_SUITES)('a client that knows %s alone is served', async (suite) => {
  expect(await negotiated(wish(suite))).toBe(suite);
});

const NOT_OFFERED = ['ECDHE-ECDSA-AES128-CCM', 'ECDHE-ECDSA-AES128-SHA256'];

test.each(NOT_OFFERED)('%s, which BoringSSL has not, is offered by OpenSSL neither', async (suite) => {
  await expect(negotiated(wish(suite))).rejects.toThrow(/handshake failure|EPROTO|ECONNRESET/);
});

test('a renewed certificate changes nothing about that', async () => {
  renewed?.();
  expect(await negotiated(wish('ECDHE-ECDSA-AES256-SHA'))).toBe('ECDHE-ECDSA-AES256-SHA');
  await expect(negotiated(wish('ECDHE-ECDSA-AES128-CCM'))).rejects.toThrow(
    /handshake failure|EPROTO|ECONNRESET/,
  );
});
