import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { OwnNames } from '#core/tls/names.ts';
import { openTls } from '#core/tls/tls.ts';
import { ask, openTestDoors } from '../http/fixture.ts';
import { directory, log, nowMs, open, opened, read, vault, makeFolderForEach } from './fixture.ts';

makeFolderForEach();

/** What a client that checks the certificate gets at an address: "" or the code of its refusal. */
async function refusal(host: string, port: number, ca: Buffer): Promise<string> {
  const socket = connect({ host, port, ca });
  try {
    await once(socket, 'secureConnect');
    return '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
  }
}

describe('a network that comes up', () => {
  const ips = ['127.0.0.1'];
  const names = (): OwnNames => ({ dns: ['localhost'], ips: [...ips] });
  afterEach(() => void ips.splice(1));

  test('is in the certificate after the first connection through it, whose client checks it', async () => {
    const tls = await open('0.0.0.0', names);
    const { doors, close } = await openTestDoors({ tls: true, host: '0.0.0.0' }, { tls, names });
    const port = Number(new URL(doors.base_url).port);
    const ca = await readFile(tls.ca_file);
    const before = tls.current().cert;
    expect(await refusal('127.0.0.2', port, ca)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(tls.current().cert).toBe(before);
    ips.push('127.0.0.2');
    const renewed = new Promise<void>((resolve) => void tls.onRenewed(resolve));
    await refusal('127.0.0.2', port, ca);
    await renewed;
    expect(await refusal('127.0.0.2', port, ca)).toBe('');
    expect(await refusal('127.0.0.1', port, ca)).toBe('');
    await close();
  });

  test('is in the certificate after a request that names it', async () => {
    const tls = await open('0.0.0.0', names);
    const { doors, close, port } = await openTestDoors({ tls: true, httpPort: 0 }, { tls, names });
    expect((await ask(port, 'GET', '/v2/projects', { headers: { host: '127.0.0.3' } })).status).toBe(403);
    ips.push('127.0.0.3');
    const renewed = new Promise<void>((resolve) => void tls.onRenewed(resolve));
    expect((await ask(port, 'GET', '/v2/projects', { headers: { host: '127.0.0.3' } })).status).toBe(401);
    await renewed;
    expect(read(tls).checkIP('127.0.0.3')).toBeDefined();
    expect(doors.base_url).toContain('https://127.0.0.1');
    await close();
  });

  test('is looked after by one renewal at a time, and none is lost', async () => {
    let busy = 0;
    let most = 0;
    const tls = await openTls({
      directory,
      folder: 'tls',
      host: '0.0.0.0',
      names,
      vault: {
        get: (ref) => vault.get(ref),
        async set(ref, key) {
          most = Math.max(most, ++busy);
          await new Promise((resolve) => setImmediate(resolve));
          await vault.set(ref, key);
          busy--;
        },
      },
      wallMs: nowMs,
      log,
    });
    opened.push(tls);
    const renewals = [4, 5, 6].map((n) => {
      ips.push(`127.0.0.${n}`);
      return tls.renew();
    });
    await Promise.all(renewals);
    expect(most).toBe(1);
    for (const ip of ips) expect(read(tls).checkIP(ip)).toBeDefined();
  });
});
