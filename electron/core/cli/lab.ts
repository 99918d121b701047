import { explain, StartError, StoreError, UnreachableError, UsageError } from '../base/errors.ts';
import { examineLab } from '../lab/examine.ts';
import { openDatabase, type Database } from '../store/postgres/connection/connections.ts';
import type { ControlCommand } from './ask/control.ts';
import { absolutePath, parseFlags } from './parse.ts';
import { storePassword } from './store-password.ts';

export const LAB_FLAGS_HELP = `  --store URL         postgres://user@host/database, its password in FIELDBENCH_STORE_PASSWORD
  --store-password-file F
                      its password is in this file
  --json              for machines, errors too`;

/**
 * `fieldbench lab check`: says how a lab's database is, and what is to be mended. Resolves with 0, or 1 where something is.
 * Throws UsageError, UnreachableError where nobody lets it in, and StoreError where the database cannot be asked.
 */
export const labCheck: ControlCommand = async (args, { print }) => {
  const flags = parseFlags(args, {
    store: { type: 'string' },
    'store-password-file': { type: 'string' },
    json: { type: 'boolean' },
  });
  const { store, json } = flags;
  if (store === undefined) throw new UsageError('lab check needs the address of a database: --store URL.');
  const database = await open(store, absolutePath('store-password-file', flags['store-password-file']));
  try {
    const examined = await examineLab(database);
    for (const line of json ? [JSON.stringify(examined)] : linesOf(examined)) print(line);
    return examined.faults.length === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
};

const linesOf = ({ facts, faults, remarks }: Awaited<ReturnType<typeof examineLab>>) => [
  ...facts,
  ...remarks.map((line) => `Note: ${line}`),
  ...faults.map((line) => `To mend: ${line}`),
  faults.length === 0 ? 'Nothing is to be mended.' : 'It is not fit for a lab as it is.',
];

async function open(url: string, passwordFile: string | null): Promise<Database> {
  try {
    return await openDatabase({ url, password: storePassword(passwordFile) });
  } catch (error) {
    if (error instanceof StartError) throw new UsageError(error.message, { cause: error });
    if (error instanceof StoreError && error.code === 'unreachable')
      throw new UnreachableError(explain(error), { cause: error });
    throw error;
  }
}
