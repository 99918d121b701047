import type { SecretRef } from './vault.ts';

/** One secret kept, one deleted (`secret` is null), or every token of a project deleted. */
export type Change =
  { readonly ref: SecretRef; readonly secret: string | null } | { readonly allTokensOf: string };

/** Secrets by name, for the vaults that are small enough to be held whole. */
export type SecretMap = ReadonlyMap<string, string>;

export function nameOf(ref: SecretRef): string {
  return ref.kind === 'device-token'
    ? `${tokenPrefix(ref.project_id)}${encodeURIComponent(ref.device_id)}`
    : `${ref.kind}/${encodeURIComponent(ref.id)}`;
}

const tokenPrefix = (project_id: string) => `device-token/${encodeURIComponent(project_id)}/`;

/** The secrets after the changes, in order. */
export function changed(secrets: SecretMap, changes: readonly Change[]): SecretMap {
  const result = new Map(secrets);
  for (const change of changes) applyChange(result, change);
  return result;
}

export function applyChange(secrets: Map<string, string>, change: Change): void {
  if ('allTokensOf' in change) {
    const prefix = tokenPrefix(change.allTokensOf);
    for (const name of secrets.keys()) if (name.startsWith(prefix)) secrets.delete(name);
  } else if (change.secret === null) secrets.delete(nameOf(change.ref));
  else secrets.set(nameOf(change.ref), change.secret);
}
