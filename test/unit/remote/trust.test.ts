import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { trustOf } from '#core/remote/trust.ts';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';

/* Whom a connection to another service believes (docs/remote.md), by handshakes. */

interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** Signed by itself, naming no address; `isAuthority`: with the flag of an authority. */
async function selfSigned(isAuthority: boolean): Promise<Pair> {
  const flag = `basicConstraints=critical,CA:${String(isAuthority).toUpperCase()}`;
  const { stdout } = await promisify(execFile)('openssl', [
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=Gateway'.split(' '),
    ...`-addext ${flag} -keyout - -out -`.split(' '),
  ]);
  const [key, cert] = stdout.split(/(?=-----BEGIN CERTIFICATE)/);
  if (key === undefined || cert === undefined) throw new Error(`No certificate: ${stdout}`);
  return { cert, key };
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
    const authority = createAuthority({ dns: ['gateway.lan'], ips: ['127.0.0.1'] }, Date.now());
    const here = issueServer(authority, { dns: [], ips: ['127.0.0.1'] }, Date.now());
    expect(await meets({ ...here, chain: authority.cert }, authority.cert)).toBeNull();
    const elsewhere = issueServer(authority, { dns: ['gateway.lan'], ips: [] }, Date.now());
    expect(await meets({ ...elsewhere, chain: authority.cert }, authority.cert)).toMatch(/127\.0\.0\.1/);
  });
});
