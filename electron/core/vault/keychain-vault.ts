import { coalesce } from './coalesce.ts';
import type { Keychain } from './keychain.ts';
import type { Change } from './secret-map.ts';
import { TokenPacks } from './token-packs.ts';
import type { SecretRef, Vault } from './vault.ts';

type TokenRef = Extract<SecretRef, { kind: 'device-token' }>;
type SingleRef = Exclude<SecretRef, TokenRef>;

const accountOf = (ref: SingleRef) => `${ref.kind} ${ref.id}`;

/**
 * A vault in the OS keychain. Every name carries the installation id, so that the data folders of one machine stay
 * apart; one service at a time uses a folder (core/disk/lock/lock.ts), so nobody else changes its entries.
 */
export function createKeychainVault(keychain: Keychain, installationId: string): Vault {
  const service = `Fieldbench ${installationId}`;
  const opened = new Map<string, Promise<TokenPacks>>();

  function packsOf(project_id: string): Promise<TokenPacks> {
    let packs = opened.get(project_id);
    if (!packs) {
      packs = TokenPacks.open(keychain, `${service} devices of ${project_id}`);
      opened.set(project_id, packs);
      packs.catch(() => opened.delete(project_id));
    }
    return packs;
  }

  async function write(changes: readonly Change[]): Promise<void> {
    const { singles, projects } = joined(changes);
    for (const { ref, secret } of singles.values()) {
      if (secret === null) await keychain.delete(service, accountOf(ref));
      else await keychain.set(service, accountOf(ref), secret);
    }
    for (const [project_id, { fromNothing, tokens }] of projects) {
      const packs = await packsOf(project_id);
      if (fromNothing) await packs.removeAll();
      await packs.change(tokens);
    }
  }

  const writes = coalesce(write);
  return {
    kind: 'keychain',
    async get(ref) {
      if (ref.kind !== 'device-token') return keychain.get(service, accountOf(ref));
      return (await packsOf(ref.project_id)).get(ref.device_id);
    },
    set: (ref, secret) => writes.add({ ref, secret }),
    delete: (ref) => writes.add({ ref, secret: null }),
    deleteProject: (project_id) => writes.add({ allTokensOf: project_id }),
    close: () => writes.settled(),
  };
}

interface ProjectChanges {
  /** Whether every token before these went. */
  readonly fromNothing: boolean;
  readonly tokens: Map<string, string | null>;
}

/** What is left to do of changes in order: of several to one secret only the last counts. */
function joined(changes: readonly Change[]) {
  const singles = new Map<string, { ref: SingleRef; secret: string | null }>();
  const projects = new Map<string, ProjectChanges>();
  for (const change of changes) {
    if ('allTokensOf' in change) {
      projects.set(change.allTokensOf, { fromNothing: true, tokens: new Map() });
      continue;
    }
    const { ref, secret } = change;
    if (ref.kind === 'device-token') {
      const project = projects.get(ref.project_id) ?? { fromNothing: false, tokens: new Map() };
      project.tokens.set(ref.device_id, secret);
      projects.set(ref.project_id, project);
    } else singles.set(accountOf(ref), { ref, secret });
  }
  return { singles, projects };
}
