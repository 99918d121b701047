import { explain, StartError, StoreError, UnreachableError, UsageError } from '../errors.ts';
import { examineLab } from '../lab/examine.ts';
import { openDatabase, type Database } from '../store/postgres/connection/connections.ts';
import { parseFlags } from './parse.ts';

export const LAB_FLAGS_HELP = `  --store URL         postgres://user@host/database, its password in FIELDBENCH_STORE_PASSWORD`;

/**
 * Runs `fieldbench lab check`: says how a lab's database is, and what is to be mended. Resolves with the exit code: 0, or 1
 * where something is. Throws UsageError, UnreachableError where nobody lets it in, and StoreError where the database cannot be
 * asked.
 */
export async function lab(args: readonly string[], print: (line: string) => void): Promise<number> {
  const [command, ...flags] = args;
  if (command !== 'check')
    throw new UsageError(
      `lab takes "check", got ${command === undefined ? 'nothing' : `"${command}"`}. See --help.`,
    );
  const { store } = parseFlags(flags, { store: { type: 'string' } });
  if (store === undefined) throw new UsageError('lab check needs the address of a database: --store URL.');
  const database = await open(store);
  try {
    const { facts, faults, remarks } = await examineLab(database);
    for (const line of facts) print(line);
    for (const line of remarks) print(`Note: ${line}`);
    for (const line of faults) print(`To mend: ${line}`);
    print(faults.length === 0 ? 'Nothing is to be mended.' : 'It is not fit for a lab as it is.');
    return faults.length === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
}

async function open(url: string): Promise<Database> {
  try {
    return await openDatabase({ url, password: process.env['FIELDBENCH_STORE_PASSWORD'] ?? null });
  } catch (error) {
    if (error instanceof StartError) throw new UsageError(error.message, { cause: error });
    if (error instanceof StoreError && error.code === 'unreachable')
      throw new UnreachableError(explain(error), { cause: error });
    throw error;
  }
}
