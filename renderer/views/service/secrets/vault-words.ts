import type { SecretsNow } from '#shared/operations/service/secrets.ts';

export const VAULTS: Readonly<Record<SecretsNow['kind'], string>> = {
  keychain: 'The system’s keychain',
  file: 'Encrypted files in the data directory',
  memory: 'Memory only',
  database: 'The database, sealed',
};

/** Returns the words for the vault's opener; null for a vault without one. */
export function openedByWords({ kind, opened_by }: SecretsNow): string | null {
  if (opened_by === null) return null;
  if (opened_by === 'passphrase') return 'The passphrase in FIELDBENCH_PASSPHRASE';
  return kind === 'database' ? 'The file that --key-file names' : 'vault.key, a file beside it';
}

export const WHAT_IS_KEPT =
  'In it are the service’s API keys, the tokens of devices, the private keys of its certificates and the key that signs what is handed over. Where it loses a token or an API key, that goes on working: only its text cannot be shown any more.';
