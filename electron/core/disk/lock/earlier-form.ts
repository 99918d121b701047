import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../errors.ts';
import { bootId, processState, UNKNOWN, type Identity } from './identity.ts';
import { thisMachine } from './judge.ts';

/*
 * Earlier versions claim a folder by an empty file, `lock.<pid>-<start>-<boot>`, and know no other claims. One of them may
 * be running while this version starts, or be started while this one runs: each must see the other. So this version
 * heeds such files, and puts one down beside its own claim, in which it names that (docs/storage-format.md,
 * "Who uses it").
 */

/** The boot is Linux's own id of it, dashes and all. */
const NAME = /^lock\.(?<pid>\d+)-(?<start>\d+)-(?<boot>[\w-]+)$/;

/** Whether a file of this name is one. */
export const isEarlierClaim = (name: string) => NAME.test(name);

/** An earlier version's claim on a folder. */
export interface EarlierClaim {
  readonly name: string;
  readonly pid: number;
}

/** What stands in a file of the earlier form that this version has put down. */
const reference = (claim: string) => `${claim}\n`;

/** Puts down a file that keeps earlier versions out; resolves with its name. Throws Node's errors. */
export async function putDownEarlier(folder: string, us: Identity, claim: string): Promise<string> {
  const name = `lock.${us.pid}-${us.start}-${await bootId()}`;
  // Not "wx": one of this name is what a killed process of this pid has left, where the system tells no start times.
  await writeFile(join(folder, name), reference(claim), { mode: 0o600 });
  return name;
}

export const removeEarlier = (folder: string, name: string) => rm(join(folder, name), { force: true });

/**
 * Resolves with the claims of earlier versions whose processes live; files of dead ones are removed, also those that this
 * version has put down. Throws Node's errors.
 */
export async function livingEarlier(folder: string): Promise<EarlierClaim[]> {
  const names = await readdir(folder);
  const found = await Promise.all(
    names.toSorted().map(async (name): Promise<EarlierClaim | null> => {
      const { pid, start, boot } = NAME.exec(name)?.groups ?? {};
      if (pid === undefined || start === undefined || boot === undefined) return null;
      const claim = await claimNamedIn(folder, name);
      // Beside a claim of this version's own form it says nothing new: that one is judged.
      if (claim === null || names.includes(claim)) return null;
      if (!(await lives(Number(pid), start, boot))) await removeEarlier(folder, name);
      else if (claim === '') return { name, pid: Number(pid) };
      return null;
    }),
  );
  return found.filter((one) => one !== null);
}

/** The claim that a file of the earlier form refers to; "" in one of an earlier version, null where the file is gone. */
async function claimNamedIn(folder: string, name: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, name), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** As earlier versions judge it: they know neither containers nor other machines. */
async function lives(pid: number, start: string, boot: string): Promise<boolean> {
  if (boot !== (await bootId()) || pid === process.pid || !thisMachine.mayRun(pid)) return false;
  const found = await processState(pid);
  if (!found || start === UNKNOWN) return true;
  return found.state !== 'Z' && found.state !== 'X' && found.start === start;
}
