import type { SecretsNow } from '#shared/operations/service/secrets.ts';
import type { Backend } from '../backend/backend.ts';
import { badRequest } from '../base/errors.ts';
import { testVault } from '../vault/self-test.ts';
import type { Vault } from '../vault/vault.ts';
import type { KeySource } from './vault-key.ts';

const FIXED =
  'The secrets of a lab lie in its database, where all its services find them: they are not moved.';

/** Secrets operations on the vault of a database: it can be tested, not moved, and given another key by no service. */
export function createLabSecrets(vault: Vault, source: KeySource): Backend['secrets'] {
  const isFile = 'file' in source;
  const about = {
    reason: isFile ? 'sealed with the key of --key-file' : 'sealed with the passphrase of the services',
    warning: null,
  };
  return {
    about,
    now: (): SecretsNow => ({
      kind: vault.kind,
      ...about,
      opened_by: isFile ? 'key-file' : 'passphrase',
      passphrase: !isFile,
      fixed: FIXED,
    }),
    test: () => testVault(vault),
    rotate: () =>
      Promise.reject(
        badRequest(
          'The key of a lab is the same for all its services: none of them can change it alone. Stop them all, and run "fieldbench lab rotate-key".',
        ),
      ),
    move: () => Promise.reject(badRequest(FIXED)),
  };
}
