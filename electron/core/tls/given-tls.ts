import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { nodeFiles } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';
import { StartError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import { Serial } from '../turns/serial.ts';
import { lasts, spanOf, type KeyPair } from './certificates.ts';
import { isLoopback, type OwnNames } from './names.ts';
import type { TlsFiles } from './tls.ts';

/** ms between two checks of a given certificate's files: renewals replace them without notice. */
const CHECK_MS = 300_000;
/** When people are told that a certificate ends. */
const DAYS_LEFT = 14;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Certificate that is managed elsewhere, such as a lab's own authority: its chain (PEM, the server's first) and its private
 * key (PEM, without a passphrase). Where the files are replaced by others that fit together these are taken within five
 * minutes; where they do not, it is logged and the ones before stay. `names` tells what the service is called at the moment.
 * One that has ended is used all the same, and noted: who does not check it is served, and the other doors are. Throws
 * StartError `bad-flag`, whose message names the file and what is wrong with it.
 */
export async function openGivenTls(options: {
  readonly certFile: string;
  readonly keyFile: string;
  readonly names: () => OwnNames;
  /** Of the machine, ms since 1970. */
  readonly wallMs?: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): Promise<TlsFiles> {
  const { certFile, keyFile, names, wallMs = machineClock.wallMs, log } = options;
  const listeners = new Set<() => void>();
  let problem = '';
  let server = await readPair(certFile, keyFile);

  async function renewNow(): Promise<void> {
    try {
      const found = await readPair(certFile, keyFile);
      problem = '';
      if (found.cert === server.cert && found.key === server.key) return;
      server = found;
      for (const listener of listeners) listener();
      log.info(`The server certificate was taken anew from ${certFile}.`);
    } catch (error) {
      // One that stays as bad is told of once.
      const isNew = problem !== (problem = (error as Error).message);
      if (isNew) log.error('The server certificate of before stays in use', error);
    }
  }

  const serial = new Serial();
  const renew = () => serial.run(renewNow);
  const timer = machineClock.every(CHECK_MS, () => void renew()).unref();
  const authority = () => authorityOf(server.cert);

  return {
    get ca_file() {
      return authority() === null ? null : certFile;
    },
    get ca_certificate() {
      return authority();
    },
    get notes() {
      return notesOn(server.cert, certFile, names(), wallMs());
    },
    current: () => server,
    onRenewed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    renew,
    close: () => clearInterval(timer),
  };
}

async function readPair(certFile: string, keyFile: string): Promise<KeyPair> {
  const cert = await readText('tls-cert', certFile);
  const key = await readText('tls-key', keyFile);
  const [own] = certificatesIn(cert, certFile);
  if (!own)
    throw bad(
      `--tls-cert ${certFile} holds no certificate. It takes a chain in PEM, the server's certificate first.`,
    );
  if (!own.checkPrivateKey(privateKey(key, keyFile)))
    throw bad(
      `--tls-key ${keyFile} is not the key of the first certificate in ${certFile} (${own.subject}). Name the two that belong together.`,
    );
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw bad(`The certificate in ${certFile} cannot be used: ${(error as Error).message}.`, error);
  }
  return { cert, key };
}

async function readText(flag: string, file: string): Promise<string> {
  try {
    const bytes = await readWhole(nodeFiles, file);
    if (bytes !== null) return bytes.toString('utf8');
  } catch (error) {
    throw bad(`--${flag} ${file} cannot be read: ${(error as Error).message}.`, error);
  }
  throw bad(`--${flag} ${file} is not there.`);
}

function certificatesIn(pem: string, file: string): X509Certificate[] {
  try {
    return (pem.match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one));
  } catch (error) {
    throw bad(`--tls-cert ${file} holds a certificate that cannot be read.`, error);
  }
}

function privateKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw bad(
      pem.includes('ENCRYPTED')
        ? `The key in ${file} is locked by a passphrase. --tls-key takes one without, in a file that only the service may read.`
        : `--tls-key ${file} holds no private key. It takes one in PEM, without a passphrase.`,
      error,
    );
  }
}

/** Returns the certificate for clients to trust: the last one, if self-signed; else its authority is known to them. */
function authorityOf(chain: string): string | null {
  const last = (chain.match(CERTIFICATE) ?? []).at(-1);
  if (last === undefined) return null;
  const read = new X509Certificate(last);
  return read.checkIssued(read) ? `${last}\n` : null;
}

function notesOn(chain: string, certFile: string, { dns, ips }: OwnNames, nowMs: number): string[] {
  const [own] = chain.match(CERTIFICATE) ?? [];
  if (own === undefined) return [];
  const read = new X509Certificate(own);
  const named = dns.some((name) => !isLoopback(name) && read.checkHost(name) !== undefined);
  const addressed = ips.some((ip) => !isLoopback(ip) && read.checkIP(ip) !== undefined);
  return [
    ...(lasts(own, DAYS_LEFT, nowMs)
      ? []
      : [
          `The certificate in ${certFile} holds ${spanOf(own)}. Put the next one there; it is taken without a restart.`,
        ]),
    ...(named || addressed
      ? []
      : [
          `The certificate in ${certFile} names ${read.subjectAltName ?? 'no host'}, and nothing that this machine knows itself by. Clients must reach it by that name.`,
        ]),
  ];
}

const bad = (message: string, cause?: unknown) => new StartError('bad-flag', message, { cause });
