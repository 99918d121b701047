import type { Split } from '#shared/operations/service/backup.ts';
import type { BackupRow } from '../../backup/backup-rows.ts';
import type { BackupSecret } from '../../backup/sealed-secrets.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import { Pace } from '../../turns/pace.ts';
import type { SecretRef, Vault } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import { inParts, isOfHash, ownerOfDevice, ownerOfKey, type SecretOwner } from '../secret-owners.ts';

/** Null: it has no secret. */
function ownerOf({ table, row }: BackupRow): SecretOwner | null {
  if (table === 'devices') return ownerOfDevice(row);
  return table === 'api_keys' ? ownerOfKey(row) : null;
}

const nameOf = ({ table, id }: Pick<SecretOwner, 'table' | 'id'>) => `${table} ${id}`;

/** Yields the secrets that the vault has of the rows of a backup, some at a time. Rejects with VaultError, or as the signal's reason. */
export async function* secretsOf(
  rows: readonly BackupRow[],
  vault: Pick<Vault, 'get'>,
  signal: AbortSignal,
): AsyncGenerator<readonly BackupSecret[]> {
  const pace = new Pace();
  for (const owners of inParts(rows.flatMap((row) => ownerOf(row) ?? []))) {
    signal.throwIfAborted();
    const secrets = await Promise.all(owners.map(({ ref }) => vault.get(ref)));
    yield owners.flatMap(({ table, id, hash }, i) => {
      const secret = secrets[i] ?? null;
      return isOfHash(secret, hash) ? { table, id, secret } : [];
    });
    await pace.pause();
  }
}

/** What a restore does to the vault. */
export interface SecretsPlan {
  readonly split: Split;
  /** Secrets of rows that are here, or come back, which the vault lacks. */
  readonly lacking: readonly BackupSecret[];
}

/** Compares secrets of a backup with what the vault has. `put`: the rows that come back. Rejects with VaultError. */
export async function planSecrets(
  secrets: readonly BackupSecret[],
  put: readonly BackupRow[],
  context: Pick<Context, 'metadata' | 'vault'>,
): Promise<SecretsPlan> {
  const coming = new Map(put.flatMap((row) => ownerOf(row) ?? []).map((owner) => [nameOf(owner), owner]));
  const split = { new: 0, same: 0, differ: 0 };
  const lacking: BackupSecret[] = [];
  await compare(secrets, context, coming, (secret, owner, kept) => {
    if (owner === null) split.differ++;
    else if (isOfHash(kept, owner.hash)) split.same++;
    else {
      split.new++;
      lacking.push(secret);
    }
  });
  return { split, lacking };
}

/** Keeps secrets where their rows are still here, and the vault still lacks them. Rejects with VaultError. */
export async function keepSecrets(
  secrets: readonly BackupSecret[],
  context: Pick<Context, 'metadata' | 'vault'>,
): Promise<void> {
  for (const some of inParts(secrets)) {
    const lacking: { readonly ref: SecretRef; readonly secret: string }[] = [];
    await compare(some, context, new Map(), ({ secret }, owner, kept) => {
      if (owner !== null && !isOfHash(kept, owner.hash)) lacking.push({ ref: owner.ref, secret });
    });
    await Promise.all(lacking.map(({ ref, secret }) => context.vault.set(ref, secret)));
  }
}

/** Tells of each secret whose it is, by its hash, null for nobody's, and what the vault has of that. */
async function compare(
  secrets: readonly BackupSecret[],
  { metadata, vault }: Pick<Context, 'metadata' | 'vault'>,
  coming: ReadonlyMap<string, SecretOwner>,
  tell: (secret: BackupSecret, owner: SecretOwner | null, kept: string | null) => void,
): Promise<void> {
  const pace = new Pace();
  for (const some of inParts(secrets)) {
    const owners = await metadata.read((tables) =>
      Promise.all(
        some.map(async (each): Promise<SecretOwner | null> => {
          const { table, id, secret } = each;
          const found = coming.get(nameOf(each)) ?? (await ownerIn(tables, table, id));
          return found !== null && isOfHash(secret, found.hash) ? found : null;
        }),
      ),
    );
    const kept = await Promise.all(owners.map(async (owner) => owner && vault.get(owner.ref)));
    for (const [i, secret] of some.entries()) tell(secret, owners[i] ?? null, kept[i] ?? null);
    await pace.pause();
  }
}

async function ownerIn(
  tables: Tables,
  table: BackupSecret['table'],
  id: string,
): Promise<SecretOwner | null> {
  if (table === 'devices') {
    const device = await tables.get('devices', id);
    return device && ownerOfDevice(device);
  }
  const key = await tables.get('api_keys', id);
  return key && ownerOfKey(key);
}
