import { applyChange, nameOf, type Change } from './secret-map.ts';
import type { Vault } from './vault.ts';

/** A vault that ends with the process: for tests, and for rigs that start anew each time. */
export function createMemoryVault(): Vault {
  const secrets = new Map<string, string>();
  // In place: nothing has to be written first, and a copy for each of ten thousand new devices takes seconds.
  const apply = (change: Change) => {
    applyChange(secrets, change);
    return Promise.resolve();
  };
  return {
    kind: 'memory',
    get: (ref) => Promise.resolve(secrets.get(nameOf(ref)) ?? null),
    set: (ref, secret) => apply({ ref, secret }),
    delete: (ref) => apply({ ref, secret: null }),
    deleteProject: (project_id) => apply({ allTokensOf: project_id }),
    close: () => Promise.resolve(),
  };
}
