import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { VaultError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { writeAtomically } from '../disk/atomic-file.ts';
import { startError } from '../disk/errors.ts';
import { nodeFiles } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';
import {
  AUTHORITY_DAYS_LEFT,
  covers,
  createAuthority,
  isGood,
  issueServer,
  type KeyPair,
} from './certificates.ts';
import { ownNames } from './names.ts';

/** The service's own CA and server certificate, kept good while it runs. */
export interface TlsFiles {
  /** The CA's certificate, PEM: what clients are told to trust. */
  readonly ca_file: string;
  /** The server's certificate and key, PEM. */
  current(): KeyPair;
  /** Hears that there is another server certificate; returns what stops it. */
  onRenewed(listener: () => void): () => void;
  /** Makes another server certificate where this one ends soon or lacks a name of the machine. */
  renew(): Promise<void>;
  /** Stops looking after it. */
  close(): void;
}

const RENEW_DAYS = 30;
const CHECK_MS = 86_400_000;
const CA_KEY = { kind: 'tls-key', id: 'ca' } as const;
const SERVER_KEY = { kind: 'tls-key', id: 'server' } as const;

type KeyRef = typeof CA_KEY | typeof SERVER_KEY;

/** Where private keys are kept, such as a Vault (vault/vault.ts). Errors: `VaultError`. */
export interface PrivateKeys {
  /** Null where it is not there. */
  get(ref: KeyRef): Promise<string | null>;
  set(ref: KeyRef, key: string): Promise<void>;
}

/**
 * Opens `<directory>/tls`: ca.pem and cert.pem there, the private keys in the vault. What is missing, does not fit
 * together or ends soon is made anew. `host` is the configured one. Throws StartError, VaultError.
 */
export async function openTls(options: {
  readonly directory: string;
  readonly host: string;
  readonly vault: PrivateKeys;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<TlsFiles> {
  const { host, vault, clock, log } = options;
  const directory = join(options.directory, 'tls');
  const caFile = join(directory, 'ca.pem');
  const certFile = join(directory, 'cert.pem');
  const listeners = new Set<() => void>();
  const nowMs = () => clock.now() / 1000;
  const read = async (file: string, ref: KeyRef): Promise<KeyPair> => ({
    cert: await readText(file),
    key: (await vault.get(ref)) ?? '',
  });

  async function goodAuthority(): Promise<KeyPair> {
    const kept = await read(caFile, CA_KEY);
    if (isGood(kept, AUTHORITY_DAYS_LEFT, nowMs())) return kept;
    if (kept.cert !== '')
      log.warn(
        `The certificate authority was made anew, because the old one's key is lost or it ends. Trust ${caFile}.`,
      );
    const made = await createAuthority(nowMs());
    await keep(made, caFile, CA_KEY);
    return made;
  }

  async function goodServer(kept: KeyPair): Promise<KeyPair> {
    const authority = await goodAuthority();
    const names = ownNames(host);
    if (isGood(kept, RENEW_DAYS, nowMs()) && covers(kept, authority, names)) return kept;
    const made = await issueServer(authority, names, nowMs());
    await keep(made, certFile, SERVER_KEY);
    return made;
  }

  /** The key first: a certificate whose key is not kept would be found useless at the next start. */
  async function keep({ cert, key }: KeyPair, file: string, ref: KeyRef): Promise<void> {
    await vault.set(ref, key);
    await writeAtomically(file, cert, { mode: 0o644 });
  }

  async function openFiles(): Promise<KeyPair> {
    try {
      await nodeFiles.makeDirectory(directory, 0o755);
      return await goodServer(await read(certFile, SERVER_KEY));
    } catch (error) {
      throw error instanceof VaultError ? error : startError(error, directory);
    }
  }

  let server = await openFiles();
  const renew = async () => {
    const good = await goodServer(server);
    if (good === server) return;
    server = good;
    for (const listener of listeners) listener();
    log.info('The server certificate was renewed.');
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.error('The server certificate could not be renewed', error));
  }, CHECK_MS).unref();

  return {
    ca_file: caFile,
    current: () => server,
    onRenewed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    renew,
    close: () => clearInterval(timer),
  };
}

/** The file's text; "" where there is none. */
async function readText(file: string): Promise<string> {
  return (await readWhole(nodeFiles, file))?.toString('utf8') ?? '';
}
