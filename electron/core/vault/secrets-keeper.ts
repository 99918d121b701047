import type { SecretsNow, SelfTest } from '#shared/operations/service/secrets.ts';
import type { FolderVaultKind } from '#shared/operations/service/service.ts';
import { nodeFiles } from '../disk/files.ts';
import { badRequest } from '../base/errors.ts';
import { PLACES } from './about.ts';
import { recordKind } from './kind-record.ts';
import { MovableVault, type Move } from './movable-vault.ts';
import { flagOf, isFileVault, openKind, removeCopies, type VaultOptions } from './open-vault.ts';
import { hasFileVault, removeSecrets } from './remove-secrets.ts';
import { testVault } from './self-test.ts';
import type { OpenedVault, SecretRef, Vault } from './vault.ts';

type Lasting = Exclude<FolderVaultKind, 'memory'>;

/** The vault while the service runs, and what can be done with it. Errors: VaultError, and a 400 Refusal. */
export class SecretsKeeper {
  readonly vault: MovableVault;
  readonly #options: VaultOptions;
  #opened: OpenedVault;
  #isBusy = false;

  constructor(opened: OpenedVault, options: VaultOptions) {
    this.#opened = opened;
    this.#options = options;
    this.vault = new MovableVault(opened.vault);
  }

  /** Facts about the vault, for people. */
  get about(): Pick<OpenedVault, 'reason' | 'warning'> {
    return this.#opened;
  }

  now(): SecretsNow {
    const { vault, reason, warning } = this.#opened;
    return {
      kind: vault.kind,
      reason,
      warning,
      opened_by: isFileVault(vault) ? vault.openedBy : null,
      passphrase: this.#options.passphrase !== null,
      fixed: this.#fixed(),
    };
  }

  /** Why the vault cannot be moved; null where it can. */
  #fixed(): string | null {
    const { kind } = this.#options;
    if (kind === 'auto') return null;
    return `${flagOf(this.#options)} says at the start where secrets are kept, and wins: start without it to move them.`;
  }

  /** Keeps something for a moment, reads it from where it is kept, and deletes it. */
  test(): Promise<SelfTest> {
    return testVault(this.vault);
  }

  /** Takes other keys for what protects the secrets. */
  async rotate(): Promise<void> {
    const { vault } = this.#opened;
    if (!isFileVault(vault))
      throw badRequest(
        vault.kind === 'memory'
          ? 'Secrets in memory are protected by no key: there is nothing to rotate.'
          : 'The system protects its keychain by keys of its own: change the password that opens it there.',
      );
    await this.#alone(() => vault.rotate());
  }

  /**
   * Moves every secret to another vault: copies them, reads them back, makes it the one that counts, and removes them from
   * where they were. A crash leaves one of the two vaults whole and in use; the next start removes what is in the other.
   */
  async move(
    to: Lasting,
    work: Pick<Move, 'refs' | 'progress' | 'signal'>,
  ): Promise<{ readonly moved: number; readonly left: string | null }> {
    const { vault, kind } = { vault: this.#opened.vault, kind: this.#opened.vault.kind };
    const fixed = this.#fixed();
    if (fixed !== null) throw badRequest(fixed);
    if (kind === to) throw badRequest(`to is where the secrets are already: ${PLACES[to]}.`);
    if (kind === 'memory') throw badRequest('Secrets in memory end with the service: they are not moved.');
    return this.#alone(() => this.#move(vault, kind, to, work));
  }

  async #move(from: Vault, kind: Lasting, to: Lasting, work: Pick<Move, 'refs' | 'progress' | 'signal'>) {
    const options = this.#options;
    const place = { directory: options.directory, files: options.files ?? nodeFiles };
    let listed: readonly SecretRef[] = [];
    const refs = async () => (listed = isFileVault(from) ? from.refs() : await work.refs());
    const everyRef = (vault: Vault) => [...listed, ...(isFileVault(vault) ? vault.refs() : [])];
    if (to === 'file' && (await hasFileVault(place)))
      throw badRequest(
        'The data directory has a file vault from before, which is not in use. Start with --vault file to use that one, or move vault.json and its journal away.',
      );
    let target: OpenedVault | null = null;
    let moved: number;
    try {
      // Said before the first copy is made, so that no crash leaves one that nobody knows of.
      await recordKind(place, kind, to);
      target = await openKind(options, to, 'the secrets were moved there');
      moved = await this.vault.move(target.vault, {
        ...work,
        refs,
        commit: () => recordKind(place, to, kind),
        undo: () => recordKind(place, kind, to),
      });
    } catch (error) {
      await this.#takeBack(target?.vault ?? null, kind, to, everyRef(from));
      throw error;
    }
    this.#opened = target;
    const left = await this.#removeFrom(from, everyRef(target.vault), place).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    return { moved, left };
  }

  /** After a commit: the old ones go. Where that fails, the next start removes them. */
  async #removeFrom(from: Vault, refs: readonly SecretRef[], place: Parameters<typeof recordKind>[0]) {
    if (isFileVault(from)) {
      await from.close();
      await removeCopies(this.#options, 'file', []);
    } else {
      await removeSecrets(from, refs);
      await from.close();
    }
    await recordKind(place, this.vault.kind);
  }

  /** After a move that failed: its copies go. Where that fails, the next start removes them. */
  async #takeBack(
    target: Vault | null,
    kind: Lasting,
    to: Lasting,
    refs: readonly SecretRef[],
  ): Promise<void> {
    const { log, directory, files = nodeFiles } = this.#options;
    try {
      // Where it is not sure which of the two the next start takes, both stay.
      await recordKind({ directory, files }, kind, to);
      if (target && to === 'keychain') await removeSecrets(target, refs);
      await target?.close();
      if (to === 'file') await removeCopies(this.#options, 'file', []);
      await recordKind({ directory, files }, kind);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn(`Copies of secrets may be left ${PLACES[to]}; the next start removes them: ${reason}`);
    }
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy)
      throw badRequest('The secrets are being moved or rotated already: wait until that is done.');
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
    }
  }
}
