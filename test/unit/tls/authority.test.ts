import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { issueServer } from '#core/tls/make-certificates.ts';
import type { OwnNames } from '#core/tls/names.ts';
import {
  authority,
  directory,
  fingerprint,
  log,
  nowMs,
  open,
  read,
  run,
  vault,
  wait,
  makeFolderForEach,
} from './fixture.ts';

makeFolderForEach();

describe('the authority', () => {
  const output = async (command: string, args: readonly string[]) => {
    const { stdout, stderr } = await run(command, [...args]).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );
    return stdout + stderr;
  };

  /** What OpenSSL says of a certificate of the authority's for these names. */
  async function verified(names: OwnNames): Promise<string> {
    const pair = {
      cert: await readFile(join(directory, 'tls/ca.pem'), 'utf8'),
      key: vault.secrets.get('{"kind":"tls-key","id":"ca"}') ?? '',
    };
    const { cert } = issueServer(pair, names, nowMs());
    const file = join(directory, 'forged.pem');
    await writeFile(file, cert);
    return output('openssl', [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-CAfile',
      join(directory, 'tls/ca.pem'),
      file,
    ]);
  }

  test('signs for this machine and private networks, as OpenSSL sees it', async () => {
    await open('lab.example');
    const dns = [
      'localhost',
      'rig.local',
      'rig.lan',
      'a.b.internal',
      'nas.home.arpa',
      'lab.example',
      'sub.lab.example',
    ];
    const ips = [
      '127.0.0.1',
      '127.9.9.9',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.7.7',
      '169.254.1.1',
      '100.64.0.1',
      '::1',
      'fd00::7',
      'fe80::1',
    ];
    expect(await verified({ dns, ips })).toMatch(/: OK$/m);
  });

  test.each([
    ['bank.example'],
    ['localhost.bank.example'],
    ['com'],
    ['9.9.9.9'],
    ['172.32.0.1'],
    ['11.0.0.1'],
    ['2001:db8::1'],
    ['::2'],
  ])('does not sign for %s', async (name) => {
    await open('lab.example');
    const isAddress = /[\d:]/.test(name) && !/[g-z]/.test(name);
    expect(await verified(isAddress ? { dns: [], ips: [name] } : { dns: [name], ips: [] })).toMatch(
      /permitted subtree violation/,
    );
  });

  test.each([
    ['198.51.100.7', ['198.51.100.7'], ['198.51.100.8']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::9'], ['2001:db8:1:3::9']],
    ['2001:db8::7', ['2001:db8::1'], ['2001:db8:0:1::1']],
  ])(
    'of a machine that is %s signs for it, and for its net where that changes daily',
    async (ip, may, mayNot) => {
      const tls = await open(ip, () => ({ dns: ['localhost'], ips: ['127.0.0.1', ip] }));
      expect(read(tls).checkIP(ip)).toBeDefined();
      expect(await verified({ dns: [], ips: [ip, ...may] })).toMatch(/: OK$/m);
      for (const other of mayNot)
        expect(await verified({ dns: [], ips: [other] })).toMatch(/permitted subtree violation/);
    },
  );

  test('stays when an address outside of it comes, which is left out and said', async () => {
    const ips = ['127.0.0.1'];
    const tls = await open('0.0.0.0', () => ({ dns: ['localhost'], ips: [...ips] }));
    const ca = await fingerprint(tls.ca_file);
    expect(tls.notes).toEqual([]);
    ips.push('198.51.100.7', '10.0.0.7');
    await tls.renew();
    expect(await fingerprint(tls.ca_file)).toBe(ca);
    expect(read(tls).checkIP('198.51.100.7')).toBeUndefined();
    expect(read(tls).checkIP('10.0.0.7')).toBeDefined();
    expect(tls.notes).toEqual([expect.stringMatching(/does not name 198\.51\.100\.7, because .*ca\.pem/)]);
  });

  test('outlives a clock that says 1970, and so does the server certificate; clients have better clocks', async () => {
    const tls = await open();
    const before = await fingerprint(tls.ca_file);
    wait(100);
    await tls.renew();
    const years = nowMs() / 86_400_000;
    wait(-years);
    const inSeventy = await open();
    expect(nowMs()).toBeLessThan(1000);
    expect(await fingerprint(inSeventy.ca_file)).toBe(before);
    expect(read(inSeventy).fingerprint).toBe(read(tls).fingerprint);
    wait(years);
    expect(await fingerprint((await open()).ca_file)).toBe(before);
  });

  test('that is made by such a clock holds as soon as it is right, for as long as one', async () => {
    wait(-nowMs() / 86_400_000);
    const tls = await open();
    expect(Date.parse((await authority(tls)).validFrom)).toBe(Date.UTC(2024, 11, 31, 23));
    expect(Date.parse(read(tls).validFrom)).toBe(Date.UTC(2024, 11, 31, 23));
  });

  test.each([
    ['holds only from 20', () => wait(1000)],
    ['key of the old one is lost', () => vault.secrets.clear()],
  ])('is made anew for one reason, which is said: %s', async (reason, happens) => {
    await open();
    const warn = vi.spyOn(log, 'warn');
    happens();
    await open();
    expect(warn.mock.calls).toEqual([[expect.stringContaining(reason)]]);
    warn.mockRestore();
  });

  test('is made anew where it is from a future that a wrong clock has told of', async () => {
    wait(36_500);
    const before = await fingerprint((await open()).ca_file);
    wait(-36_500);
    expect(await fingerprint((await open()).ca_file)).not.toBe(before);
  });

  test('is made anew for a --host that it may not sign for', async () => {
    const first = await open('127.0.0.1');
    const ca = await fingerprint(first.ca_file);
    const second = await open('lab.example');
    expect(await fingerprint(second.ca_file)).not.toBe(ca);
    expect(read(second).checkHost('lab.example')).toBe('lab.example');
  });

  test('of an earlier version is kept, and said to be bound to nothing', async () => {
    await writeEarlierAuthority();
    // It holds from when OpenSSL came to make it.
    wait(1);
    const tls = await open();
    const ca = await fingerprint(tls.ca_file);
    expect(tls.notes).toEqual([expect.stringContaining('may sign for any site there is')]);
    expect(read(tls).verify((await authority(tls)).publicKey)).toBe(true);
    expect(await fingerprint((await open('lab.example')).ca_file)).toBe(ca);
  });
});

/** As the version before constraints made it. */
async function writeEarlierAuthority(): Promise<void> {
  const folder = join(directory, 'tls');
  await mkdir(folder, { recursive: true });
  const key = join(directory, 'earlier.key');
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '3650',
    '-subj',
    '/CN=Fieldbench CA 0/O=Fieldbench',
    '-keyout',
    key,
    '-out',
    join(folder, 'ca.pem'),
    '-addext',
    'basicConstraints=critical,CA:TRUE,pathlen:0',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  ]);
  vault.secrets.set('{"kind":"tls-key","id":"ca"}', await readFile(key, 'utf8'));
}
