import { createHash, X509Certificate } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach } from 'vitest';
import { ownNames } from '#core/tls/names.ts';
import { openTls, type OwnTls } from '#core/tls/tls.ts';
import type { SecretRef, Vault } from '#core/vault/vault.ts';

/* A folder with certificates, anew for each test. */

const DAY_US = 86_400_000_000;
export const run = promisify(execFile);
export const log = { info() {}, warn(_line: string) {}, error() {} };

function memoryVault(): Vault & { readonly secrets: Map<string, string> } {
  const secrets = new Map<string, string>();
  const nameOf = (ref: SecretRef) => JSON.stringify(ref);
  return {
    kind: 'memory',
    secrets,
    get: async (ref) => secrets.get(nameOf(ref)) ?? null,
    readKept: async (refs) => refs.map((ref) => secrets.get(nameOf(ref)) ?? null),
    set: async (ref, secret) => void secrets.set(nameOf(ref), secret),
    delete: async (ref) => void secrets.delete(nameOf(ref)),
    deleteProject: async () => {},
    close: async () => {},
  };
}

export let directory: string;
export let vault: ReturnType<typeof memoryVault>;
let now: number;
export const opened: OwnTls[] = [];

/** What is in a folder has its authority in a file. */
export interface TlsInFolder extends OwnTls {
  readonly ca_file: string;
}

/** Makes the folder before each test of a file, and removes it. */
export function makeFolderForEach(): void {
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fieldbench-tls-'));
    vault = memoryVault();
    now = Date.now() * 1000;
  });
  afterEach(async () => {
    for (const tls of opened.splice(0)) tls.close();
    await rm(directory, { recursive: true, force: true });
  });
}

/** Time goes by, in days. */
export const wait = (days: number) => void (now += days * DAY_US);
export const nowMs = () => now / 1000;

export async function open(host = '127.0.0.1', names = () => ownNames(host)): Promise<TlsInFolder> {
  const tls = await openTls({ directory, folder: 'tls', host, names, vault, wallMs: nowMs, log });
  opened.push(tls);
  if (tls.ca_file === null) throw new Error('The authority is in no file.');
  return tls as TlsInFolder;
}

export const read = (tls: OwnTls) => new X509Certificate(tls.current().cert);
export const authority = async (tls: TlsInFolder) => new X509Certificate(await readFile(tls.ca_file));
export const fingerprint = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
