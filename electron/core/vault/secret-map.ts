import { parseJson } from '#shared/values/json.ts';
import type { SecretRef } from './vault.ts';

/** One secret kept, one deleted (`secret` is null), or every token of a project deleted. */
export type Change =
  | { readonly ref: SecretRef; readonly secret: string | null }
  | { readonly allTokensOf: string };

/** Secrets by name, for the vaults that are small enough to be held whole. */
export type SecretMap = Map<string, string>;

/** A change as it is written: a name and its secret, or null; or the beginning of the names that go. */
export type Entry = { readonly name: string; readonly secret: string | null } | { readonly prefix: string };

export function nameOf(ref: SecretRef): string {
  return ref.kind === 'device-token'
    ? `${tokenPrefix(ref.project_id)}${encodeURIComponent(ref.device_id)}`
    : `${ref.kind}/${encodeURIComponent(ref.id)}`;
}

/** Inverse of `nameOf`. Throws for a name that it does not make. */
export function refOf(name: string): SecretRef {
  const [kind, first = '', second] = name.split('/').map(decodeURIComponent);
  if (kind === 'device-token' && second !== undefined) return { kind, project_id: first, device_id: second };
  if (isSingle(kind) && second === undefined) return { kind, id: first };
  throw new Error(`"${name}" names no secret.`);
}

const SINGLE = ['api-key', 'tls-key', 'other-service', 'signing-key', 'mail-password', 'probe'] as const;
const isSingle = (kind: string | undefined): kind is (typeof SINGLE)[number] =>
  SINGLE.some((one) => one === kind);

const tokenPrefix = (project_id: string) => `device-token/${encodeURIComponent(project_id)}/`;

export function entryOf(change: Change): Entry {
  return 'allTokensOf' in change
    ? { prefix: tokenPrefix(change.allTokensOf) }
    : { name: nameOf(change.ref), secret: change.secret };
}

/** Applies an entry; returns how many secrets it replaced or removed. */
export function apply(secrets: SecretMap, change: Entry): number {
  if ('prefix' in change) {
    const before = secrets.size;
    for (const name of secrets.keys()) if (name.startsWith(change.prefix)) secrets.delete(name);
    return before - secrets.size;
  }
  if (change.secret === null) return secrets.delete(change.name) ? 1 : 0;
  const before = secrets.size;
  secrets.set(change.name, change.secret);
  return secrets.size === before ? 1 : 0;
}

export const entriesText = (changes: readonly Entry[]) => JSON.stringify(changes);

/** Reads what `entriesText` wrote. Throws TypeError or SyntaxError where it is something else. */
export function readEntries(text: string): readonly Entry[] {
  const entries = parseJson(text);
  if (Array.isArray(entries) && entries.every(isEntry)) return entries;
  throw new TypeError('A frame of the vault holds no changes of secrets.');
}

/** By hand: a start reads ten thousand, which a schema would take longer for than for everything else of the vault. */
function isEntry(thing: unknown): thing is Entry {
  if (typeof thing !== 'object' || thing === null) return false;
  let fields = 0;
  for (const _ in thing) fields++;
  if ('prefix' in thing) return fields === 1 && typeof thing.prefix === 'string';
  if (!('name' in thing && 'secret' in thing) || fields !== 2) return false;
  return typeof thing.name === 'string' && (typeof thing.secret === 'string' || thing.secret === null);
}
