import { open, readFile, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '#shared/values/json.ts';
import { systemRandom } from '../../base/system-random.ts';
import { errorCode } from '../errors.ts';
import { UNKNOWN, type Identity } from './identity.ts';

/*
 * A claim is a file of the data folder, `lock.<pid>-<start>-<boot>-<namespace>-<machine>.<number>`: whose it is stands in
 * its name, which no other claim ever has, so removing a dead one cannot remove a live one. What it says changes every few
 * seconds while its process lives (docs/storage-format.md, "Who uses it").
 */

export interface Claim extends Identity {
  readonly name: string;
}

/** Whether its process has the folder already, or only wants it. */
export type ClaimState = 'waiting' | 'holding';

/** Where the process that holds the folder listens: in the folder, elsewhere on this machine, or nowhere. */
export type Listening = 'folder' | 'machine' | 'nowhere';

export interface ClaimText {
  readonly state: ClaimState;
  readonly socket: Listening;
  readonly host: string;
  readonly beat: number;
}

const NAME =
  /^lock\.(?<pid>\d+)-(?<start>\d+)-(?<boot>[0-9a-f]+)-(?<namespace>\d+)-(?<machine>[0-9a-f]+)\.[0-9a-f]{16}$/;

/** An earlier form, which no release has written and which is not judged. */
const EARLIER_NAME = /^lock\.(?<pid>\d+)-\d+-[\w-]+$/;

/** Whether a file of this name is a claim. */
export const isClaim = (name: string) => NAME.test(name);

/** Returns a name that no other claim has. */
export function newClaim({ pid, start, boot, namespace, machine }: Identity): Claim {
  const number = systemRandom.bytes(8).toString('hex');
  const name = `lock.${[pid, start, boot, namespace, machine].join('-')}.${number}`;
  return { name, pid, start, boot, namespace, machine };
}

/** Resolves with the claims in a folder, by name. Throws Node's errors. */
export async function listClaims(folder: string): Promise<Claim[]> {
  return (await readdir(folder)).toSorted().flatMap((name) => {
    const parts = NAME.exec(name)?.groups;
    if (!parts) return [];
    const { pid, start = UNKNOWN, boot = UNKNOWN, namespace = UNKNOWN, machine = UNKNOWN } = parts;
    return [{ name, pid: Number(pid), start, boot, namespace, machine }];
  });
}

/** Resolves with the first file in a folder that has a name of the earlier form; null where none has. Throws Node's errors. */
export async function findEarlierClaim(folder: string): Promise<{ name: string; pid: string } | null> {
  for (const name of (await readdir(folder)).toSorted()) {
    const pid = EARLIER_NAME.exec(name)?.groups?.['pid'];
    if (pid !== undefined) return { name, pid };
  }
  return null;
}

/**
 * Resolves with what a claim says, as text to compare and read; null where it is gone. It is opened each time: over a
 * network only that is sure to show what another machine has written (nfs(5), close-to-open).
 */
export async function readClaim(
  folder: string,
  { name }: Pick<Claim, 'name'>,
): Promise<{ readonly raw: string; readonly text: ClaimText | null } | null> {
  try {
    const raw = await readFile(join(folder, name), 'utf8');
    return { raw, text: parsed(raw) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Null where it is still empty, or was lost in a power cut. */
function parsed(raw: string): ClaimText | null {
  try {
    return parseJson(raw) as ClaimText;
  } catch {
    return null;
  }
}

/** Makes the file of a new claim. Throws Node's errors. */
export async function putDown(folder: string, claim: Claim): Promise<void> {
  const file = await open(join(folder, claim.name), 'wx', 0o600);
  try {
    await file.write(encoded('waiting', 'nowhere', 0), 0);
  } finally {
    await file.close();
  }
}

/**
 * Writes a claim again; of the same length each time, so that no reader gets half of it. Resolves with false where its file
 * is gone. Throws Node's errors.
 */
export async function rewrite(
  folder: string,
  claim: Claim,
  state: ClaimState,
  socket: Listening,
  beat: number,
): Promise<boolean> {
  try {
    // Never "w": that would make a claim again which someone has taken for dead.
    const file = await open(join(folder, claim.name), 'r+');
    try {
      await file.write(encoded(state, socket, beat), 0);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

export const removeClaim = (folder: string, { name }: Pick<Claim, 'name'>) =>
  rm(join(folder, name), { force: true });

function encoded(state: ClaimState, socket: Listening, beat: number): string {
  const text: ClaimText = { state, socket, host: hostname(), beat };
  return `${JSON.stringify(text).padEnd(250)}\n`;
}
