import { countOf } from '#shared/values/counts.ts';
import { createSystemClock } from '../base/system-clock.ts';
import { explain, StartError, StoreError, UnreachableError, UsageError } from '../base/errors.ts';
import { examineLab } from '../lab/examine.ts';
import { RotationRefused, rotateVaultKey } from '../lab/rotate-key.ts';
import type { KeySource } from '../lab/vault-key.ts';
import { openDatabase, type Database } from '../store/postgres/connection/connections.ts';
import type { ControlCommand } from './ask/control.ts';
import { absolutePath, parseFlags } from './parse.ts';
import { CommandError } from './refusal.ts';
import { storePassword } from './store-password.ts';

const STORE_HELP = `  --store URL         postgres://user@host/database, its password in FIELDBENCH_STORE_PASSWORD
  --store-password-file F
                      its password is in this file`;

export const LAB_FLAGS_HELP = `${STORE_HELP}
  --json              for machines, errors too

  fieldbench lab check --store postgres://fieldbench@database/fieldbench`;

export const ROTATE_KEY_FLAGS_HELP = `${STORE_HELP}
  --key-file F        the key that the secrets are sealed with; or set FIELDBENCH_PASSPHRASE
  --new-key-file F    32 random bytes that are to open them; or set FIELDBENCH_NEW_PASSPHRASE
  --old-key-lost      in place of --key-file: removes the secrets, which nothing opens any more
  --json              for machines, errors too

  fieldbench lab rotate-key --store postgres://fieldbench@database/fieldbench --key-file lab.key --new-key-file new.key`;

const STORE_OPTIONS = {
  store: { type: 'string' },
  'store-password-file': { type: 'string' },
  json: { type: 'boolean' },
} as const;

/**
 * `fieldbench lab check`: says how a lab's database is, and what is to be mended. Resolves with 0, or 1 where something is.
 * Throws UsageError, UnreachableError where nobody lets it in, and StoreError where the database cannot be asked.
 */
export const labCheck: ControlCommand = async (args, { print }) => {
  const { json, ...flags } = parseFlags(args, STORE_OPTIONS);
  const database = await open('lab check', flags);
  try {
    const examined = await examineLab(database);
    for (const line of json ? [JSON.stringify(examined)] : linesOf(examined)) print(line);
    return examined.faults.length === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
};

/**
 * `fieldbench lab rotate-key`: gives the secrets of a database another key, while no service runs. Resolves with 0. Throws
 * CommandError (3) where one runs, UsageError, UnreachableError, VaultError where the old key does not fit, and StoreError.
 */
export const labRotateKey: ControlCommand = async (args, { print }) => {
  const { json, ...flags } = parseFlags(args, {
    ...STORE_OPTIONS,
    'key-file': { type: 'string' },
    'new-key-file': { type: 'string' },
    'old-key-lost': { type: 'boolean' },
  });
  const isLost = flags['old-key-lost'] === true;
  const [from, to] = [
    oldKey(absolutePath('key-file', flags['key-file']), isLost),
    newKey(flags['new-key-file']),
  ];
  const database = await open('lab rotate-key', flags);
  try {
    const count = await rotateVaultKey(database, from, to, createSystemClock());
    const how = 'file' in to ? `--key-file ${to.file}` : 'the new passphrase in FIELDBENCH_PASSPHRASE';
    const done = isLost
      ? `${countOf(count, 'secret')} removed: keys and tokens go on working, and their texts cannot be shown any more.`
      : `${countOf(count, 'secret')} sealed with the new key. Backups from before open with the old one alone: keep it as long as them.`;
    for (const line of json
      ? [JSON.stringify({ secrets: count, removed: isLost })]
      : [done, `Start all services with ${how}.`])
      print(line);
    return 0;
  } catch (error) {
    if (error instanceof RotationRefused) throw new CommandError(3, error.message);
    if (error instanceof StartError) throw new UsageError(error.message, { cause: error });
    throw error;
  } finally {
    await database.close();
  }
};

/** Null: it is lost. Throws UsageError. */
function oldKey(file: string | null, isLost: boolean): KeySource | null {
  const passphrase = process.env['FIELDBENCH_PASSPHRASE'];
  if (isLost && file !== null)
    throw new UsageError(
      '--old-key-lost removes all secrets, which --key-file opens. Leave one of the two away.',
    );
  if (isLost) return null;
  if (file !== null) return { file };
  if (passphrase !== undefined) return { passphrase };
  throw new UsageError(
    'lab rotate-key needs what opens the secrets now: --key-file FILE, or the passphrase in FIELDBENCH_PASSPHRASE.',
  );
}

/** Throws UsageError. */
function newKey(given: string | undefined): KeySource {
  const file = absolutePath('new-key-file', given);
  const passphrase = process.env['FIELDBENCH_NEW_PASSPHRASE'] ?? '';
  if ((file === null) === (passphrase === ''))
    throw new UsageError(
      'lab rotate-key needs what is to open the secrets: either --new-key-file FILE, or a passphrase in FIELDBENCH_NEW_PASSPHRASE.',
    );
  return file === null ? { passphrase } : { file };
}

const linesOf = ({ facts, faults, remarks }: Awaited<ReturnType<typeof examineLab>>) => [
  ...facts,
  ...remarks.map((line) => `Note: ${line}`),
  ...faults.map((line) => `To mend: ${line}`),
  faults.length === 0 ? 'Nothing is to be mended.' : 'It is not fit for a lab as it is.',
];

async function open(
  command: string,
  flags: { readonly store?: string; readonly 'store-password-file'?: string },
): Promise<Database> {
  const { store: url } = flags;
  if (url === undefined) throw new UsageError(`${command} needs the address of a database: --store URL.`);
  try {
    const passwordFile = absolutePath('store-password-file', flags['store-password-file']);
    return await openDatabase({ url, password: storePassword(passwordFile) });
  } catch (error) {
    if (error instanceof StartError) throw new UsageError(error.message, { cause: error });
    if (error instanceof StoreError && error.code === 'unreachable')
      throw new UnreachableError(explain(error), { cause: error });
    throw error;
  }
}
