import 'reflect-metadata';
import { KeyObject } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { describe, expect, test } from 'vitest';
import { trustOf } from '#core/remote/trust.ts';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';

/* Whom a connection to another service believes (docs/remote.md), by handshakes. */

interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** As `openssl req -x509` makes it: signed by itself, with the flag of an authority, naming no address. */
async function selfSigned(isAuthority: boolean): Promise<Pair> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Gateway',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm,
    keys,
    extensions: [new x509.BasicConstraintsExtension(isAuthority, undefined, true)],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: cert.toString('pem'), key };
}

/** What a connection that trusts the certificate says of a server that shows another, or the same: null where it is well. */
async function meets(shown: Pair & { readonly chain?: string }, trusted: string): Promise<string | null> {
  const server = createServer({ key: shown.key, cert: shown.cert + (shown.chain ?? '') }, (socket) =>
    socket.on('error', () => undefined).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = { host: '127.0.0.1', port, isPlain: false, url: `https://127.0.0.1:${port}` };
  try {
    return await new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, ...trustOf(address, trusted) }, () => {
        socket.end();
        resolve(null);
      });
      socket.on('error', (error) => resolve(error.message));
    });
  } finally {
    server.close();
  }
}

describe('a certificate that a server signed for itself', () => {
  test.each([true, false])(
    'is believed from that server, whatever it names (an authority: %s)',
    async (flag) => {
      const own = await selfSigned(flag);
      expect(await meets(own, own.cert)).toBeNull();
      expect(await meets(await selfSigned(flag), own.cert)).not.toBeNull();
    },
  );
});

describe('the certificate of an authority', () => {
  test('is believed of servers that it signed, at the address which they name', async () => {
    const authority = await createAuthority({ dns: ['gateway.lan'], ips: ['127.0.0.1'] }, Date.now());
    const here = await issueServer(authority, { dns: [], ips: ['127.0.0.1'] }, Date.now());
    expect(await meets({ ...here, chain: authority.cert }, authority.cert)).toBeNull();
    const elsewhere = await issueServer(authority, { dns: ['gateway.lan'], ips: [] }, Date.now());
    expect(await meets({ ...elsewhere, chain: authority.cert }, authority.cert)).toMatch(/127\.0\.0\.1/);
  });
});
