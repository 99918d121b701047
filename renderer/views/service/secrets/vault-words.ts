import type { SecretsNow } from '#shared/operations/secrets.ts';

export const VAULTS: Readonly<Record<SecretsNow['kind'], string>> = {
  keychain: 'The system’s keychain',
  file: 'Encrypted files in the data directory',
  memory: 'Memory only',
  database: 'The database, sealed',
};

export const OPENED_BY = {
  passphrase: 'The passphrase in FIELDBENCH_PASSPHRASE',
  'key-file': 'vault.key, a file beside it',
};

export const WHAT_IS_KEPT =
  'In it are the service’s API keys, the tokens of devices and the private keys of its certificates. Where it loses one, devices and keys go on working: only its text cannot be shown any more.';
