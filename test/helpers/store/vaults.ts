import { openFolder, type FolderOptions } from '#core/folder/open-folder.ts';
import { VaultError } from '#core/base/errors.ts';
import type { Keychain } from '#core/vault/keychain.ts';

/** A keychain in memory, for services that are opened one after the other. */
export function memoryKeychain(): Keychain & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  const name = (service: string, account: string) => `${service}/${account}`;
  return {
    entries,
    get: (service, account) => Promise.resolve(entries.get(name(service, account)) ?? null),
    set: (service, account, secret) => Promise.resolve(void entries.set(name(service, account), secret)),
    delete: (service, account) => Promise.resolve(void entries.delete(name(service, account))),
  };
}

/** What opens a folder on a machine with this keychain, or without any. */
export const openWith = (keychain: Keychain | null) => (options: FolderOptions) =>
  openFolder({
    ...options,
    keychain: () =>
      keychain
        ? Promise.resolve(keychain)
        : Promise.reject(new VaultError('no-keychain', 'There is no OS keychain.', { cause: 'none' })),
  });
