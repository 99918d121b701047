import { apply, entryOf, nameOf, type Change, type SecretMap } from './secret-map.ts';
import type { FolderVault } from './vault.ts';

/** Vault that ends with the process: for tests, and for rigs that begin empty each time. */
export function createMemoryVault(): FolderVault {
  const secrets: SecretMap = new Map();
  const change = (changes: Change) => {
    apply(secrets, entryOf(changes));
    return Promise.resolve();
  };
  return {
    kind: 'memory',
    get: (ref) => Promise.resolve(secrets.get(nameOf(ref)) ?? null),
    readKept: (refs) => Promise.resolve(refs.map((ref) => secrets.get(nameOf(ref)) ?? null)),
    set: (ref, secret) => change({ ref, secret }),
    delete: (ref) => change({ ref, secret: null }),
    deleteProject: (project_id) => change({ allTokensOf: project_id }),
    close: () => Promise.resolve(),
  };
}
