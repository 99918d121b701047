import { VaultError } from '../base/errors.ts';
import { nameOf } from './secret-map.ts';
import type { FolderVault, SecretRef } from './vault.ts';

/** Secrets that are copied together: enough for a keychain to pack them, few enough to hear of a cancel soon. */
const TOGETHER = 200;

/** Changes since a move began: secrets, and projects whose tokens were deleted. */
interface Changed {
  readonly refs: Map<string, SecretRef>;
  readonly projects: Set<string>;
}

export interface Move {
  /** Resolves with all that the vault may have secrets of. */
  readonly refs: () => Promise<readonly SecretRef[]>;
  /** Makes the target the one that counts; from then on it is. */
  readonly commit: () => Promise<void>;
  /** Makes sure that the target does not count, after a commit that failed. */
  readonly undo: () => Promise<void>;
  readonly progress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Vault whose secrets can be moved to another one while it is used. Writes meanwhile wait for the last moment alone, in
 * which changes are copied once more.
 */
export class MovableVault implements FolderVault {
  #vault: FolderVault;
  /** Null while there is no move. */
  #changed: Changed | null = null;
  /** Secrets kept since the start, which a list of all secrets may lack. */
  readonly #kept = new Map<string, SecretRef>();
  readonly #underWay = new Set<Promise<void>>();
  /** Fires when changes may go on. */
  #gate: Promise<void> | null = null;
  /** Error of a failed move, after which the next start may take either vault: secrets kept now could be lost. */
  #unsure: VaultError | null = null;

  constructor(vault: FolderVault) {
    this.#vault = vault;
  }

  get kind() {
    return this.#vault.kind;
  }

  get(ref: SecretRef): Promise<string | null> {
    return this.#vault.get(ref);
  }

  readKept(refs: readonly SecretRef[]): Promise<readonly (string | null)[]> {
    return this.#vault.readKept(refs);
  }

  set(ref: SecretRef, secret: string): Promise<void> {
    this.#kept.set(nameOf(ref), ref);
    return this.#change(
      (vault) => vault.set(ref, secret),
      (changed) => changed.refs.set(nameOf(ref), ref),
    );
  }

  delete(ref: SecretRef): Promise<void> {
    this.#kept.delete(nameOf(ref));
    return this.#change(
      (vault) => vault.delete(ref),
      (changed) => changed.refs.set(nameOf(ref), ref),
    );
  }

  deleteProject(project_id: string): Promise<void> {
    for (const [name, ref] of this.#kept)
      if (ref.kind === 'device-token' && ref.project_id === project_id) this.#kept.delete(name);
    return this.#change(
      (vault) => vault.deleteProject(project_id),
      (changed) => changed.projects.add(project_id),
    );
  }

  close(): Promise<void> {
    return this.#vault.close();
  }

  async #change(
    make: (vault: FolderVault) => Promise<void>,
    note: (changed: Changed) => unknown,
  ): Promise<void> {
    while (this.#gate) await this.#gate;
    if (this.#unsure) throw this.#unsure;
    if (this.#changed) note(this.#changed);
    const made = make(this.#vault);
    this.#underWay.add(made);
    try {
      await made;
    } finally {
      this.#underWay.delete(made);
    }
  }

  /**
   * Copies every secret to a target, reads all of them back from where it keeps them, and makes it the vault. Resolves with
   * how many there are. Rejects, with everything as it was, with VaultError or the signal's reason.
   */
  async move(target: FolderVault, { refs, commit, undo, progress, signal }: Move): Promise<number> {
    if (this.#changed) throw new VaultError('io', 'The secrets are being moved already.');
    this.#changed = { refs: new Map(), projects: new Set() };
    try {
      const known = new Map([...(await refs()), ...this.#kept.values()].map((ref) => [nameOf(ref), ref]));
      const count = await this.#copy(target, [...known.values()], progress, signal);
      await this.#copyChanged(target);
      const open = Promise.withResolvers<void>();
      this.#gate = open.promise;
      try {
        await Promise.allSettled(this.#underWay);
        await this.#copyChanged(target);
        signal.throwIfAborted();
        await commit().catch(async (error: unknown) => {
          await undo().catch((cause: unknown) => {
            this.#unsure = new VaultError(
              'io',
              'The disk failed while the vault was moved. Start the service again: it takes the vault that is whole.',
              { cause },
            );
          });
          throw error;
        });
        this.#vault = target;
        return count;
      } finally {
        this.#gate = null;
        open.resolve();
      }
    } finally {
      this.#changed = null;
    }
  }

  async #copy(
    target: FolderVault,
    refs: readonly SecretRef[],
    progress: Move['progress'],
    signal: AbortSignal,
  ): Promise<number> {
    let count = 0;
    for (let at = 0; at < refs.length; at += TOGETHER) {
      signal.throwIfAborted();
      count += await this.#copyEach(target, refs.slice(at, at + TOGETHER));
      progress(Math.min(refs.length, at + TOGETHER), refs.length);
    }
    return count;
  }

  async #copyEach(target: FolderVault, refs: readonly SecretRef[]): Promise<number> {
    const secrets = await Promise.all(refs.map((ref) => this.#vault.get(ref)));
    await Promise.all(
      refs.map((ref, i) => {
        const secret = secrets[i] ?? null;
        return secret === null ? target.delete(ref) : target.set(ref, secret);
      }),
    );
    const found = await target.readKept(refs);
    if (found.some((secret, i) => secret !== secrets[i]))
      throw new VaultError(
        'io',
        'The other vault gave back something else than it was given. Nothing was moved: test it, and try again.',
      );
    return secrets.filter((secret) => secret !== null).length;
  }

  /** Copies what changed since it was copied. */
  async #copyChanged(target: FolderVault): Promise<void> {
    const changed = this.#changed;
    if (!changed) return;
    const { refs, projects } = changed;
    this.#changed = { refs: new Map(), projects: new Set() };
    for (const project_id of projects) await target.deleteProject(project_id);
    await this.#copyEach(target, [...refs.values()]);
  }
}
