import { openEncryptedFile } from './encrypted-file.ts';
import { createKeychainVault } from './keychain-vault.ts';
import { openKeychain } from './keychain.ts';
import { createMemoryVault } from './memory.ts';
import type { Vault } from './vault.ts';

/** Opens the vault that `--vault` names. Throws VaultError, whose message says what to install or set. */
export async function openVault(options: {
  readonly kind: Vault['kind'];
  /** The data folder. */
  readonly directory: string;
  /** From FIELDBENCH_PASSPHRASE; only the file vault needs it. */
  readonly passphrase: string | null;
  /** `settings.installation_id` of the metadata. */
  readonly installationId: string;
}): Promise<Vault> {
  switch (options.kind) {
    case 'keychain':
      return createKeychainVault(await openKeychain(), options.installationId);
    case 'file':
      return openEncryptedFile(options);
    case 'memory':
      return createMemoryVault();
  }
}
