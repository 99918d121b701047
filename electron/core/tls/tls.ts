import { join } from 'node:path';
import { EARLIEST } from '../base/clock.ts';
import { VaultError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import { writeAtomically } from '../disk/atomic-file.ts';
import { filesOnly, writtenAs } from '../disk/contents.ts';
import { startError } from '../disk/errors.ts';
import { nodeFiles, type Files } from '../disk/files.ts';
import { areOnDisk } from '../disk/held-files.ts';
import { readWhole } from '../disk/whole-file.ts';
import { Serial } from '../turns/serial.ts';
import { SERVER_DAYS, beginOf, covers, isGood, isPair, lasts, spanOf, type KeyPair } from './certificates.ts';
import { rangesOf, type Ranges } from './constraints.ts';
import { isLoopback, isWildcard, type OwnNames } from './names.ts';

/** A server certificate and what it is trusted by, kept good while the service runs: its own (openTls) or a given one. */
export interface TlsFiles {
  /** The CA's certificate, PEM: what clients are told to trust. Null where they know whom to trust, or it is in no file. */
  readonly ca_file: string | null;
  /** The same, PEM; null where they know whom to trust. */
  readonly ca_certificate: string | null;
  /** Notes on them, for people to read. */
  readonly notes: readonly string[];
  /** The server's certificate and key, PEM. */
  current(): KeyPair;
  /** Adds a listener for another server certificate; returns its removal. */
  onRenewed(listener: () => void): () => void;
  /**
   * Makes another server certificate where this one ends soon or lacks a name that the machine has by now. Calls come one
   * after another; it never rejects, a failure is logged.
   */
  renew(): Promise<void>;
  /** Stops looking after it. */
  close(): void;
}

/** The service's own authority and certificate. */
export interface OwnTls extends TlsFiles {
  readonly ca_certificate: string;
}

export const CA_FILE = 'ca.pem';
const CERT_FILE = 'cert.pem';
/** The files of its folder. */
export const TLS_CONTENTS = filesOnly(writtenAs(CA_FILE, CERT_FILE));

const RENEW_DAYS = 30;
/** ms between two checks of names: networks come and go without an event. A check in memory costs next to nothing. */
const CHECK_MS = 300_000;
const CA_KEY = { kind: 'tls-key', id: 'ca' } as const;
const SERVER_KEY = { kind: 'tls-key', id: 'server' } as const;

type KeyRef = typeof CA_KEY | typeof SERVER_KEY;

/** Store of private keys, such as a Vault (vault/vault.ts). Errors: `VaultError`. */
export interface PrivateKeys {
  /** Null where it is not there. */
  get(ref: KeyRef): Promise<string | null>;
  set(ref: KeyRef, key: string): Promise<void>;
}

/**
 * Opens `<directory>/<folder>`: ca.pem and cert.pem there, the private keys in the vault. What is missing, does not fit
 * together or ends soon is made anew. `host` is the configured one, `names` tells what the machine is called at the
 * moment. Throws StartError, VaultError.
 */
export async function openTls(options: {
  readonly directory: string;
  readonly files?: Files;
  readonly folder: string;
  readonly host: string;
  readonly names: () => OwnNames;
  readonly vault: PrivateKeys;
  /** Of the machine, ms since 1970. */
  readonly wallMs?: () => number;
  readonly log: Logger;
}): Promise<OwnTls> {
  const { files = nodeFiles, host, names, vault, wallMs = machineClock.wallMs, log } = options;
  const directory = join(options.directory, options.folder);
  const caFile = join(directory, CA_FILE);
  const certFile = join(directory, CERT_FILE);
  /** Nobody else reads a file in memory. */
  const ca_file = areOnDisk(files) ? caFile : null;
  const listeners = new Set<() => void>();
  /** By what is kept, it is this late at least, in ms. */
  let latestMs = EARLIEST / 1000;
  /** A clock that cannot be right must cost no authority, which everyone has to trust again: clients have better ones. */
  const nowMs = () => (wallMs() < EARLIEST / 1000 ? latestMs : wallMs());
  const read = async (file: string, ref: KeyRef): Promise<KeyPair> => ({
    cert: await readText(files, file),
    key: (await vault.get(ref)) ?? '',
  });
  /** The authority's certificate, and what it may sign for. */
  let authority: { readonly cert: string; readonly ranges: Ranges | null } = { cert: '', ranges: null };

  async function goodAuthority(): Promise<KeyPair> {
    const kept = await read(caFile, CA_KEY);
    latestMs = Math.max(latestMs, beginOf(kept.cert) ?? 0);
    const why = whyAnew(kept);
    if (why === null) return know(kept);
    if (kept.cert !== '')
      log.warn(`The certificate authority was made anew, because ${why}. Trust ${caFile}.`);
    const { createAuthority } = await import('./make-certificates.ts');
    const made = createAuthority(names(), nowMs());
    await keep(made, caFile, CA_KEY);
    return know(made);
  }

  /** Only the host that was asked for is worth another authority, which everyone has to trust again. */
  function whyAnew(kept: KeyPair): string | null {
    if (!isPair(kept)) return 'the key of the old one is lost, or one of the two is damaged';
    if (!lasts(kept.cert, SERVER_DAYS, nowMs())) return `the old one holds only ${spanOf(kept.cert)}`;
    if (!isWildcard(host) && rangesOf(kept.cert)?.includes(host.toLowerCase()) === false)
      return `the old one may not sign for ${host}`;
    return null;
  }

  function know(pair: KeyPair): KeyPair {
    authority = { cert: pair.cert, ranges: rangesOf(pair.cert) };
    return pair;
  }

  const maySign = (name: string) => authority.ranges?.includes(name) ?? true;

  /** Returns the names for the certificate: the machine's, as far as the authority may sign for them. */
  function wanted(): OwnNames {
    const { dns, ips } = names();
    return { dns: dns.filter(maySign), ips: ips.filter(maySign) };
  }

  async function goodServer(kept: KeyPair): Promise<KeyPair> {
    latestMs = Math.max(latestMs, beginOf(kept.cert) ?? 0);
    const signer = await goodAuthority();
    if (isFine(kept)) return kept;
    const { issueServer } = await import('./make-certificates.ts');
    const made = issueServer(signer, wanted(), nowMs());
    await keep(made, certFile, SERVER_KEY);
    return made;
  }

  const isFine = (pair: KeyPair) =>
    isGood(pair, RENEW_DAYS, nowMs()) &&
    lasts(authority.cert, SERVER_DAYS, nowMs()) &&
    covers(pair, authority.cert, wanted());

  /** The key first: a certificate whose key is not kept would be found useless at the next start. */
  async function keep({ cert, key }: KeyPair, file: string, ref: KeyRef): Promise<void> {
    await vault.set(ref, key);
    await writeAtomically(file, cert, { mode: 0o644, files });
  }

  async function openFiles(): Promise<KeyPair> {
    try {
      await files.makeDirectory(directory, 0o755);
      return await goodServer(await read(certFile, SERVER_KEY));
    } catch (error) {
      throw error instanceof VaultError ? error : startError(error, directory);
    }
  }

  let server = await openFiles();

  async function renewNow(): Promise<void> {
    // What is in memory says whether there is anything to do: the vault may have to ask somebody.
    if (isFine(server)) return;
    try {
      server = await goodServer(server);
      for (const listener of listeners) listener();
      log.info('The server certificate was renewed.');
    } catch (error) {
      log.error('The server certificate could not be renewed', error);
    }
  }

  const serial = new Serial();
  const renew = () => serial.run(renewNow);
  const timer = machineClock.every(CHECK_MS, () => void renew()).unref();

  return {
    ca_file,
    get ca_certificate() {
      return authority.cert;
    },
    get notes() {
      return notesOn(ca_file, host, authority.ranges, names());
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

function notesOn(
  caFile: string | null,
  host: string,
  ranges: Ranges | null,
  { dns, ips }: OwnNames,
): string[] {
  const removed = caFile === null ? '' : `remove ${caFile}, `;
  const anew = `stop the service, ${removed}start again, and trust the new one`;
  if (!ranges)
    return [
      `The certificate authority ${caFile ?? 'of the service'} is of an earlier version, and may sign for any site there is. To have one that may sign for this machine and private networks alone, ${anew}.`,
    ];
  const outside = isLoopback(host) ? [] : [...dns, ...ips].filter((name) => !ranges.includes(name));
  return outside.length === 0
    ? []
    : [
        `The certificate does not name ${outside.join(', ')}, because the certificate authority may not sign for it. To have it there, ${anew}.`,
      ];
}

/** The file's text; "" where there is none. */
async function readText(files: Files, file: string): Promise<string> {
  return (await readWhole(files, file))?.toString('utf8') ?? '';
}
