import type { VaultKind } from '#shared/operations/service/service.ts';
import type { OpenedVault } from './vault.ts';

/** Places of secrets, by kind of vault. */
export const PLACES: Readonly<Record<VaultKind, string>> = {
  keychain: 'in the system’s keychain',
  file: 'in encrypted files of the data directory',
  memory: 'in memory',
  database: 'in the database',
};

/** Returns what is said of a vault at the start: where it is and why, and the warning there may be. */
export function aboutSecrets(
  kind: VaultKind,
  { reason, warning }: Pick<OpenedVault, 'reason' | 'warning'>,
): string[] {
  return [`${PLACES[kind]}: ${reason}`, ...(warning === null ? [] : [warning])];
}
