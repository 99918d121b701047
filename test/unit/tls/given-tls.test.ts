import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { beforeEach, describe, expect, test } from 'vitest';
import type { KeyPair } from '#core/tls/certificates.ts';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';
import { openGivenTls } from '#core/tls/given-tls.ts';
import type { OwnNames } from '#core/tls/names.ts';
import type { TlsFiles } from '#core/tls/tls.ts';
import { openTestDoors } from '../http/fixture.ts';
import { directory, nowMs, run, wait, makeFolderForEach } from './fixture.ts';

makeFolderForEach();

const NAMES: OwnNames = { dns: ['localhost', 'lab.example'], ips: ['127.0.0.1'] };
let authority: KeyPair;
let certFile: string;
let keyFile: string;
let logged: string[];
beforeEach(async () => {
  authority = createAuthority(NAMES, nowMs());
  [certFile, keyFile] = [join(directory, 'chain.pem'), join(directory, 'key.pem')];
  logged = [];
  await put(issueServer(authority, NAMES, nowMs()));
});

async function put({ cert, key }: KeyPair, chain = authority.cert): Promise<void> {
  await writeFile(certFile, cert + chain);
  await writeFile(keyFile, key);
}

async function open(names = NAMES): Promise<TlsFiles> {
  const log = {
    info: (line: string) => void logged.push(line),
    error: (line: string, error?: unknown) => void logged.push(`${line}: ${(error as Error).message}`),
  };
  const tls = await openGivenTls({ certFile, keyFile, names: () => names, wallMs: nowMs, log });
  tls.close();
  return tls;
}

/** The subject that a client sees, and the suite that both agree on; `ca`: what it trusts. */
async function seen(tls: TlsFiles, ca: string, wishes = {}) {
  const doors = await openTestDoors({ tls: true, port: 0 }, { tls });
  const { port } = new URL(doors.doors.base_url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', ca, ...wishes });
  try {
    await once(socket, 'secureConnect');
    return { name: socket.getPeerCertificate().subject.CN, suite: socket.getCipher().name };
  } finally {
    socket.destroy();
    await doors.close();
  }
}

describe('a given certificate', () => {
  test('is what clients see, and its authority what they are told to trust if the chain has it', async () => {
    const tls = await open();
    expect(await seen(tls, authority.cert)).toMatchObject({ name: 'Fieldbench' });
    expect([tls.ca_file, tls.ca_certificate]).toEqual([certFile, authority.cert]);
    expect(tls.notes).toEqual([]);
    await put(issueServer(authority, NAMES, nowMs()), '');
    expect(await open()).toMatchObject({ ca_file: null, ca_certificate: null });
  });

  test('may have a key of RSA, for clients of TLS 1.2, too', async () => {
    const subject = ['-subj', '/CN=lab.example', '-addext', 'subjectAltName=DNS:lab.example,IP:127.0.0.1'];
    const to = ['-keyout', keyFile, '-out', certFile, '-days', '30', '-nodes'];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...to]);
    const tls = await open();
    const { name, suite } = await seen(tls, tls.ca_certificate ?? '', { maxVersion: 'TLSv1.2' });
    expect([name, suite]).toEqual(['lab.example', expect.stringContaining('ECDHE-RSA-')]);
  });

  test('is taken anew where its files were replaced, by connections from then on', async () => {
    const tls = await open();
    const heard: string[] = [];
    tls.onRenewed(() => heard.push(tls.current().cert));
    await tls.renew();
    expect(heard).toEqual([]);
    const next = issueServer(authority, NAMES, nowMs());
    await put(next);
    await tls.renew();
    expect(heard).toEqual([next.cert + authority.cert]);
    expect(logged).toEqual([`The server certificate was taken anew from ${certFile}.`]);
    expect(tls.current().key).toBe(next.key);
  });

  test('stays where what it is replaced by does not fit, which is told once, until it does', async () => {
    const tls = await open();
    const before = tls.current();
    const next = issueServer(authority, NAMES, nowMs());
    await writeFile(keyFile, next.key);
    await tls.renew();
    await tls.renew();
    expect(tls.current()).toEqual(before);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('stays in use');
    await rm(certFile);
    await tls.renew();
    expect(logged[1]).toContain(`--tls-cert ${certFile} is not there`);
    await put(next);
    await tls.renew();
    expect(tls.current().key).toBe(next.key);
  });

  test('says when it ends soon, and that it names nothing that the machine is called', async () => {
    const tls = await open({ dns: ['localhost', 'other.example'], ips: ['127.0.0.1', '10.0.0.7'] });
    expect(tls.notes).toEqual([expect.stringContaining('DNS:localhost, DNS:lab.example')]);
    wait(390);
    expect(tls.notes[0]).toMatch(/holds from .* to .*the next one/);
    wait(10);
    expect((await open()).notes[0]).toMatch(/holds from .* to .*the next one/);
  });
});

describe('what cannot be used is refused by name', () => {
  const refused = async () => {
    const error = await open().then(
      () => 'opened',
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'StartError', code: 'bad-flag' });
    return (error as Error).message;
  };

  test('a file that is not there, a folder, and one with something else', async () => {
    await rm(keyFile);
    expect(await refused()).toBe(`--tls-key ${keyFile} is not there.`);
    await writeFile(keyFile, 'nothing');
    expect(await refused()).toBe(
      `--tls-key ${keyFile} holds no private key. It takes one in PEM, without a passphrase.`,
    );
    await writeFile(certFile, 'nothing');
    expect(await refused()).toContain(`${certFile} holds no certificate. It takes a chain in PEM`);
    await writeFile(certFile, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(await refused()).toContain('a certificate that cannot be read');
    certFile = directory;
    expect(await refused()).toContain(`--tls-cert ${directory} cannot be read`);
  });

  test('a key of another certificate, one with a passphrase, and two that are swapped', async () => {
    const { cert, key } = issueServer(authority, NAMES, nowMs());
    await writeFile(certFile, cert);
    expect(await refused()).toContain(`${keyFile} is not the key of the first certificate in ${certFile}`);
    const locked = ['pkcs8', '-topk8', '-in', join(directory, 'plain.pem'), '-out', keyFile];
    await writeFile(join(directory, 'plain.pem'), key);
    await run('openssl', [...locked, '-passout', 'pass:secret']);
    expect(await refused()).toContain(`${keyFile} is locked by a passphrase`);
    await put({ cert: key, key: cert }, '');
    expect(await refused()).toContain(`${certFile} holds no certificate`);
  });
});
