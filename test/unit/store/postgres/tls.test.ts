import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAddress } from '#core/store/postgres/connection/address.ts';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';
import { giveToPostgres } from '../../../helpers/postgres/postgres-programs.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../../helpers/postgres/postgres.ts';

/* What crosses a network is encrypted, and who answers there proves who it is. */

describe('the address of a database', () => {
  test.each([
    ['postgres://u@127.0.0.1/d', 'off'],
    ['postgres://u@localhost,[::1]:5433/d', 'off'],
    ['postgres://u@lab.example/d', 'checked'],
    ['postgres://u@localhost,10.0.0.7/d', 'checked'],
    ['postgres://u@10.0.0.7/d?sslmode=disable', 'off'],
    ['postgres://u@lab.example/d?sslmode=require', 'any-certificate'],
  ])('%s: %s', (url, tls) => {
    expect(parseAddress(url)).toMatchObject({ tls, authority: null });
  });

  test.each([
    ['sslmode=prefer', /sslmode must be one of disable, require, verify-full, got "prefer"/],
    ['sslcert=a', /takes sslmode and sslrootcert after "\?", got "sslcert"/],
    ['sslmode=require&sslrootcert=/ca.pem', /sslrootcert is for sslmode=verify-full, got sslmode=require/],
    ['sslrootcert=/nowhere/ca.pem', /sslrootcert must be a file with the certificate.*"\/nowhere\/ca.pem"/],
    [`sslrootcert=${import.meta.filename}`, /sslrootcert must be a file with the certificate/],
  ])('with ?%s is refused', (query, why) => {
    expect(() => parseAddress(`postgres://u@lab.example/d?${query}`)).toThrow(why);
  });
});

describe.skipIf(!hasPostgres)('a database with a certificate', () => {
  let folder: string;
  let secure: Postgres;
  let plain: Postgres;
  let caFile: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-tls-'));
    const names = { dns: ['localhost'], ips: ['127.0.0.1'] };
    const authority = createAuthority(names, Date.now());
    const { cert, key } = issueServer(authority, names, Date.now());
    caFile = join(folder, 'ca.pem');
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(caFile, authority.cert);
    await writeFile(certFile, cert);
    await writeFile(keyFile, key, { mode: 0o600 });
    await giveToPostgres([folder, certFile, keyFile]);
    [secure, plain] = await Promise.all([
      startPostgres({ ssl: 'on', ssl_cert_file: `'${certFile}'`, ssl_key_file: `'${keyFile}'` }),
      startPostgres(),
    ]);
  });
  afterAll(async () => {
    await Promise.all([secure.stop(), plain.stop()]);
    await rm(folder, { recursive: true });
  });

  const ask = async (url: string) => {
    const database = await openDatabase({ url, patienceMs: 4000 });
    try {
      const [row] = await database.ask('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()', []);
      return row?.['ssl'];
    } finally {
      await database.close();
    }
  };

  test('is reached over TLS by who knows its authority', async () => {
    expect(await ask(`${secure.url()}?sslrootcert=${caFile}`)).toBe(true);
    expect(await ask(`${secure.url()}?sslmode=require`)).toBe(true);
    expect(await ask(secure.url())).toBe(false);
  });

  test('is not believed by who does not, nor is one that speaks no TLS, and both are told what to do', async () => {
    const stranger = ask(`${secure.url()}?sslmode=verify-full`);
    await expect(stranger).rejects.toMatchObject({ name: 'StoreError', code: 'unreachable' });
    await expect(stranger).rejects.toThrow(/could not be reached over TLS: .*certificate.*sslrootcert=FILE/);
    await expect(ask(`${plain.url()}?sslmode=require`)).rejects.toThrow(/it speaks no TLS.*sslmode=disable/);
  });
});
