import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import type { OwnTls } from '#core/tls/tls.ts';
import { AUTHORIZED, openTestDoors } from '../http/fixture.ts';
import {
  authority,
  directory,
  fingerprint,
  nowMs,
  open,
  opened,
  read,
  run,
  vault,
  wait,
  makeFolderForEach,
} from './fixture.ts';

makeFolderForEach();

describe('the certificate', () => {
  test('names localhost, loopback, the machine and its addresses', async () => {
    const cert = read(await open('lab.example'));
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const name of ['localhost', 'lab.example', hostname().toLowerCase()])
      expect(cert.checkHost(name)).toBe(name);
    for (const { address } of own.filter((one) => !one.address.startsWith('fe80')))
      expect([address, cert.checkIP(address)]).toEqual([address, expect.any(String)]);
    expect(cert.checkIP('::1')).toBeDefined();
    expect(cert.checkHost('example.com')).toBeUndefined();
  });

  test('is one that browsers take: P-256, for servers, at most 397 days, no CA', async () => {
    const cert = read(await open());
    const days = (Date.parse(cert.validTo) - Date.parse(cert.validFrom)) / 86_400_000;
    expect(days).toBeLessThanOrEqual(397);
    expect(cert.ca).toBe(false);
    expect(cert.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(cert.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  });

  test('comes from a CA of three years that signs servers and no further CAs', async () => {
    const ca = await authority(await open());
    expect(ca.ca).toBe(true);
    const days = (Date.parse(ca.validTo) - nowMs()) / 86_400_000;
    expect(days).toBeGreaterThan(1090);
    expect(days).toBeLessThan(1100);
    expect(ca.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(read(opened[0] as OwnTls).verify(ca.publicKey)).toBe(true);
  });

  test('leaves no private key on the disk', async () => {
    const tls = await open();
    const files = await Promise.all(
      ['ca.pem', 'cert.pem'].map((name) => readFile(join(directory, 'tls', name), 'utf8')),
    );
    expect(files.join()).not.toContain('PRIVATE');
    expect([...vault.secrets.values()]).toEqual([expect.stringContaining('PRIVATE'), tls.current().key]);
    expect((await stat(tls.ca_file)).mode & 0o777).toBe(0o644);
  });
});

describe('at a start', () => {
  test('what is good is kept', async () => {
    const first = await open();
    const second = await open();
    expect(second.current()).toEqual(first.current());
  });

  test.each([
    ['with 29 days left', async () => wait(368)],
    [
      'after the server key was lost',
      async () => void vault.secrets.delete('{"kind":"tls-key","id":"server"}'),
    ],
    ['when cert.pem was cut', () => writeFile(join(directory, 'tls/cert.pem'), '-----BEGIN CERT')],
    ['when cert.pem is gone', () => rm(join(directory, 'tls/cert.pem'))],
  ])('another certificate of the same CA is made %s', async (_, happens) => {
    const first = await open();
    const ca = await fingerprint(first.ca_file);
    await happens();
    const second = await open();
    expect(second.current().cert).not.toBe(first.current().cert);
    expect(await fingerprint(second.ca_file)).toBe(ca);
    expect(read(second).verify((await authority(second)).publicKey)).toBe(true);
  });

  test('another certificate is made when a name is missing', async () => {
    await open('127.0.0.1');
    expect(read(await open('lab.example')).checkHost('lab.example')).toBe('lab.example');
  });

  test.each([
    ['its key was lost', async () => vault.secrets.clear()],
    [
      'ca.pem is another one',
      async () => writeFile(join(directory, 'tls/ca.pem'), await readFile(join(directory, 'tls/cert.pem'))),
    ],
    ['it ends within a certificate’s life', async () => wait(720)],
  ])('all of it is made anew when, of the CA, %s', async (_, happens) => {
    const first = await open();
    const ca = await fingerprint(first.ca_file);
    await happens();
    const second = await open();
    expect(await fingerprint(second.ca_file)).not.toBe(ca);
    expect(read(second).verify((await authority(second)).publicKey)).toBe(true);
  });

  test('a folder that cannot be written to is named', async () => {
    await writeFile(join(directory, 'tls'), 'a file stands here');
    await expect(open()).rejects.toThrow(join(directory, 'tls'));
  });
});

describe('a door with it', () => {
  test('is trusted by curl and by Node, with the CA and not without', async () => {
    const tls = await open();
    const { doors, close } = await openTestDoors({ tls: true }, { tls });
    const { port } = new URL(doors.base_url);
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `https://${host}:${port}/v2/projects`;
      const { stdout } = await run('curl', [
        '-sS',
        '--noproxy',
        '*',
        '--cacert',
        tls.ca_file,
        '-H',
        `Authorization: ${AUTHORIZED.authorization}`,
        url,
      ]);
      expect(JSON.parse(stdout)).toMatchObject({ status: 200 });
      const request = httpsRequest(url, {
        ca: await readFile(tls.ca_file),
        headers: AUTHORIZED,
        agent: false,
      });
      request.end();
      const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
      response.resume();
      expect(response.statusCode).toBe(200);
    }
    await expect(run('curl', ['-sS', '--noproxy', '*', `${doors.base_url}/v2/projects`])).rejects.toThrow(
      /certificate/,
    );
    await close();
  });

  test('has plain HTTP on loopback beside it, with the same routes, and says no to plain HTTP itself', async () => {
    const { doors, close } = await openTestDoors({ tls: true, httpPort: 0 }, { tls: await open() });
    expect(doors.base_url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(doors.http_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const reply = await fetch(`${doors.http_url}/v2/projects`, { headers: AUTHORIZED });
    expect(reply.status).toBe(200);
    await expect(fetch(doors.base_url.replace('https', 'http'))).rejects.toThrow('fetch failed');
    // A body that is held back is asked for, or its sender refused, behind either door.
    for (const base of [doors.base_url, doors.http_url]) {
      const asked = async (key: string) => {
        const held = ['-H', 'Expect: 100-continue', '-H', `Authorization: ${key}`, '-d', '{"name":"x"}'];
        const url = `${base}/v2/projects/p/devices`;
        const { stdout } = await run('curl', [
          '-sSik',
          '--noproxy',
          '*',
          '--expect100-timeout',
          '30',
          ...held,
          url,
        ]);
        return stdout.match(/^HTTP\/1\.1 \d+/gm);
      };
      expect(await asked(AUTHORIZED.authorization)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 201']);
      expect(await asked('Bearer wrong')).toEqual(['HTTP/1.1 401']);
    }
    await close();
  });

  test('looks after its certificate every few minutes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const tls = await open();
    const { promise: renewed, resolve } = Promise.withResolvers<void>();
    const first = tls.current();
    const stop = tls.onRenewed(resolve);
    wait(380);
    vi.advanceTimersByTime(600_000);
    vi.useRealTimers();
    await renewed;
    stop();
    expect(tls.current().cert).not.toBe(first.cert);
  });

  test('shows the renewed certificate while it runs', async () => {
    const tls = await open();
    const { doors, close } = await openTestDoors({ tls: true }, { tls });
    const before = await shown(doors.base_url);
    await tls.renew();
    expect(await shown(doors.base_url)).toBe(before);
    wait(380);
    await tls.renew();
    const after = await shown(doors.base_url);
    expect(after).not.toBe(before);
    expect(after).toBe(read(tls).fingerprint256);
    await close();
  });
});

async function shown(url: string): Promise<string> {
  const socket: TLSSocket = connect({
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}
