import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { nodeFiles, type Files } from '#core/disk/files.ts';
import { openEncryptedFile } from '#core/vault/encrypted-file.ts';
import type { SecretRef, Vault } from '#core/vault/vault.ts';
import { failingFiles, type Attempt, type Fault } from '../../faults/failing-files.ts';

/** scrypt's N for tests: strength costs time by design. */
export const cost = 2 ** 10;
export const passphrase = 'correct horse battery staple';
export const ref: SecretRef = { kind: 'api-key', id: 'a' };
export const tokenOf = (device_id: string, project_id = 'p'): SecretRef => ({
  kind: 'device-token',
  project_id,
  device_id,
});

export const makeFolder = () => mkdtemp(join(tmpdir(), 'fieldbench-vault-'));
export const log = { warn: (message: string) => expect.fail(message) };
/** Real files; `fault` is asked before each operation. */
export const failing = (fault: (what: Attempt, path: string) => Fault | null): Files =>
  failingFiles(nodeFiles, fault);

type Given = Partial<Parameters<typeof openEncryptedFile>[0]>;

/** A folder, and the vaults that a test opens in it. */
export class VaultFolder {
  readonly directory: string;
  readonly #opened: Vault[] = [];

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async make(): Promise<VaultFolder> {
    return new VaultFolder(await makeFolder());
  }

  get path(): string {
    return join(this.directory, 'vault.json');
  }

  async open(given: Given = {}) {
    const { directory } = this;
    const vault = await openEncryptedFile({ directory, passphrase, cost, log, ...given });
    this.#opened.push(vault);
    return vault;
  }

  /** Why it does not open. */
  async refused(given: Given = {}): Promise<unknown> {
    return this.open(given).then(
      () => expect.fail('it opened'),
      (error: unknown) => error,
    );
  }

  async header(): Promise<Record<string, unknown>> {
    return JSON.parse(await readFile(this.path, 'utf8')) as Record<string, unknown>;
  }

  async journals(): Promise<string[]> {
    return (await readdir(this.directory)).filter((name) => name.endsWith('.journal'));
  }

  async journalPath(): Promise<string> {
    return join(this.directory, (await this.journals())[0] ?? 'none');
  }

  /** The bytes of each file by its name. */
  async everything(): Promise<Record<string, Buffer>> {
    const names = await readdir(this.directory);
    const read = async (name: string) => [name, await readFile(join(this.directory, name))] as const;
    return Object.fromEntries(await Promise.all(names.map(read)));
  }

  async remove(): Promise<void> {
    for (const vault of this.#opened) await vault.close();
    await rm(this.directory, { recursive: true });
  }
}
