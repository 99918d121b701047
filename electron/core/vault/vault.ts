import type { FolderVaultKind, VaultKind } from '#shared/operations/service/service.ts';

/** Reference to a secret, by its owner. */
export type SecretRef =
  | { readonly kind: 'api-key'; readonly id: string }
  | { readonly kind: 'device-token'; readonly project_id: string; readonly device_id: string }
  | { readonly kind: 'tls-key'; readonly id: string }
  /** The API key of a service elsewhere. */
  | { readonly kind: 'other-service'; readonly id: string }
  /** The key by which an installation signs what it hands over. */
  | { readonly kind: 'signing-key'; readonly id: string }
  /** The password for the mail server of the settings. */
  | { readonly kind: 'mail-password'; readonly id: string }
  /** Secret of a self-test. */
  | { readonly kind: 'probe'; readonly id: string };

/**
 * Vault: store of plain secrets in the OS keychain, an encrypted file, or memory. metadata.json holds only their SHA-256
 * hashes. test/suites/vault.ts holds these rules. Errors: `VaultError`.
 */
export interface Vault {
  readonly kind: VaultKind;
  /** The secret, or null where the vault has none (it may have lost it; the hash still works). */
  get(ref: SecretRef): Promise<string | null>;
  /** As `get`, in the order asked, and from where it is kept, whatever is in memory: as the next start finds it. */
  readKept(refs: readonly SecretRef[]): Promise<readonly (string | null)[]>;
  /** Resolves once the secret is kept. Calls that wait together are joined into one write. */
  set(ref: SecretRef, secret: string): Promise<void>;
  /** As `set`, unless a secret is kept by then: of a vault that several services have open, and absent of one that a service has to itself. */
  setFirst?(ref: SecretRef, secret: string): Promise<void>;
  /** Deletes a secret; none to delete is fine. */
  delete(ref: SecretRef): Promise<void>;
  /** Removes the tokens of every device of a project. */
  deleteProject(project_id: string): Promise<void>;
  /** Finishes what is under way. */
  close(): Promise<void>;
}

/** A vault of a data folder. */
export interface FolderVault extends Vault {
  readonly kind: FolderVaultKind;
}

/** A vault, and what people are told of it: at the start, and by the status. */
export interface OpenedVault {
  readonly vault: FolderVault;
  /** Why it is this kind: a clause without a full stop. */
  readonly reason: string;
  /** Other readers of the secrets, or what ends them, for people to read; null for none. */
  readonly warning: string | null;
  /** Changes by this start, for people to read. */
  readonly notes: readonly string[];
}
