import { coalesce } from '../turns/coalesce.ts';
import type { Keychain } from './keychain.ts';
import { TokenPacks } from './token-packs.ts';
import type { FolderVault, SecretRef } from './vault.ts';

type TokenRef = Extract<SecretRef, { kind: 'device-token' }>;
type SingleRef = Exclude<SecretRef, TokenRef>;

interface SingleChange {
  readonly account: string;
  /** Null deletes it. */
  readonly secret: string | null;
}
/** A token kept, or deleted (null), or all of the project's deleted. */
type TokenChange = { readonly device_id: string; readonly secret: string | null } | 'delete all';

const accountOf = (ref: SingleRef) => `${ref.kind} ${ref.id}`;

/**
 * A vault in the OS keychain. Every name carries the installation id, so that the data folders of one machine stay
 * apart; one service at a time uses a folder (core/disk/lock/lock.ts), so nobody else changes its entries. Nothing is read
 * before somebody asks for it. Projects do not wait for each other: of two that change, each has every second turn.
 */
export function createKeychainVault(keychain: Keychain, installationId: string): FolderVault {
  const service = `Fieldbench ${installationId}`;
  const singles = coalesce<SingleChange>(async (changes) => {
    for (const [account, secret] of new Map(changes.map((one) => [one.account, one.secret]))) {
      if (secret === null) await keychain.delete(service, account);
      else await keychain.set(service, account, secret);
    }
  });
  const projects = new Map<string, ProjectTokens>();

  function tokensOf(project_id: string): ProjectTokens {
    const known = projects.get(project_id);
    if (known) return known;
    const made = new ProjectTokens(() => TokenPacks.open(keychain, `${service} devices of ${project_id}`));
    projects.set(project_id, made);
    return made;
  }

  function change(ref: SecretRef, secret: string | null): Promise<void> {
    if (ref.kind !== 'device-token') return singles.add({ account: accountOf(ref), secret });
    return tokensOf(ref.project_id).writes.add({ device_id: ref.device_id, secret });
  }

  async function get(ref: SecretRef): Promise<string | null> {
    if (ref.kind !== 'device-token') return keychain.get(service, accountOf(ref));
    return (await tokensOf(ref.project_id).packs()).get(ref.device_id);
  }

  return {
    kind: 'keychain',
    get,
    async readKept(refs) {
      const found: (string | null)[] = [];
      for (const ref of refs) found.push(await get(ref));
      return found;
    },
    set: (ref, secret) => change(ref, secret),
    delete: (ref) => change(ref, null),
    deleteProject: (project_id) => tokensOf(project_id).writes.add('delete all'),
    async close() {
      await singles.settled();
      for (const { writes } of projects.values()) await writes.settled();
    },
  };
}

/** The tokens of one project, whose packs are opened when they are needed first. */
class ProjectTokens {
  readonly #open: () => Promise<TokenPacks>;
  #opened: Promise<TokenPacks> | null = null;
  readonly writes = coalesce<TokenChange>((changes) => this.#write(changes));

  constructor(open: () => Promise<TokenPacks>) {
    this.#open = open;
  }

  packs(): Promise<TokenPacks> {
    if (this.#opened) return this.#opened;
    const opened = this.#open();
    this.#opened = opened;
    opened.catch(() => (this.#opened = null));
    return opened;
  }

  /** Makes changes in order: of several to one device only the last counts. */
  async #write(changes: readonly TokenChange[]): Promise<void> {
    const packs = await this.packs();
    const deletedAt = changes.lastIndexOf('delete all');
    if (deletedAt >= 0) await packs.removeAll();
    const tokens = new Map<string, string | null>();
    for (const one of changes.slice(deletedAt + 1))
      if (one !== 'delete all') tokens.set(one.device_id, one.secret);
    await packs.change(tokens);
  }
}
