import { mkdir, open, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../errors.ts';
import { errorCode, startError } from './errors.ts';

/*
 * One service a data folder. Each process that wants the folder first puts down a claim, an empty file whose name says
 * which process it is, and then looks for other claims. Of two processes at least one sees the other, so never both
 * hold the folder. A claim's name is never used by another process, so removing a dead one cannot remove a live one:
 * that is what goes wrong with a single lock file when two find it stale.
 */

export interface Lock {
  /** Gives the folder back. */
  release(): Promise<void>;
}

/** How often, and how many ms apart, a claim beside another live one looks again before it gives up. */
const ATTEMPTS = 20;
const RETRY_MS = 10;

/** `lock.<pid>-<start>-<boot>`; start in clock ticks since boot, both "0" where the system does not tell. */
const CLAIM = /^lock\.(\d+)-(\d+)-([\w-]+)$/;

/** Folders that this process holds or is about to. */
const ours = new Set<string>();

/**
 * Takes the data folder for this process, making it where there is none. A process that was killed loses its hold at
 * once, even where its pid was given to another. Throws StartError: `locked` with the pid of the one that holds it;
 * `read-only`, `disk-full`.
 */
export async function acquireLock(directory: string): Promise<Lock> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const folder = await realpath(directory);
    if (ours.has(folder)) throw locked(directory, process.pid);
    ours.add(folder);
    try {
      return await hold(folder, directory);
    } catch (error) {
      ours.delete(folder);
      throw error;
    }
  } catch (error) {
    throw error instanceof StartError ? error : startError(error, directory);
  }
}

async function hold(folder: string, directory: string): Promise<Lock> {
  const name = await claimName();
  const claim = join(folder, name);
  const withdraw = () => rm(claim, { force: true });
  let holder = 0;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++, await delay(RETRY_MS)) {
      let [other] = await liveClaims(folder, name);
      if (!other) {
        // "a": the claim of a killed process that had this pid is as good as a new one where start times are not known.
        await (await open(claim, 'a', 0o600)).close();
        [other] = await liveClaims(folder, name);
        if (!other) return lockOf(folder, withdraw);
      }
      holder = other.pid;
      // Of several that start together the first by name keeps its claim while the others wait, so that one gets through.
      if (other.name < name) await withdraw();
    }
    throw locked(directory, holder);
  } catch (error) {
    await withdraw();
    throw error;
  }
}

function lockOf(folder: string, withdraw: () => Promise<void>): Lock {
  let held = true;
  return {
    async release() {
      if (!held) return;
      held = false;
      await withdraw();
      ours.delete(folder);
    },
  };
}

/** The claims of other processes that are alive, by name; those of dead ones are removed. */
async function liveClaims(folder: string, own: string): Promise<{ name: string; pid: number }[]> {
  const live: { name: string; pid: number }[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const [, pid, start, boot] = CLAIM.exec(name) ?? [];
    if (pid === undefined || start === undefined || boot === undefined || name === own) continue;
    if (await isAlive(Number(pid), start, boot)) live.push({ name, pid: Number(pid) });
    else await rm(join(folder, name), { force: true });
  }
  return live;
}

async function claimName(): Promise<string> {
  const start = (await processState(process.pid))?.start ?? '0';
  return `lock.${process.pid}-${start}-${await bootId()}`;
}

async function isAlive(pid: number, start: string, boot: string): Promise<boolean> {
  if (boot !== (await bootId())) return false;
  // Another process of this pid is us, and ours is not the claim that is looked at.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    if (errorCode(error) === 'ESRCH') return false;
  }
  const found = await processState(pid);
  if (!found) return true;
  const gone = found.state === 'Z' || found.state === 'X';
  return !gone && found.start === start;
}

/** State letter and start time of a process, from proc_pid_stat(5); null where the system does not show them. */
async function processState(pid: number): Promise<{ state: string; start: string } | null> {
  const stat = await readProc(`/proc/${pid}/stat`);
  // Fields are counted after the name, the second one: it stands in parentheses and may hold blanks and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields?.[0];
  const start = fields?.[19];
  return state !== undefined && start !== undefined ? { state, start } : null;
}

async function bootId(): Promise<string> {
  return (await readProc('/proc/sys/kernel/random/boot_id'))?.trim() ?? '0';
}

/** A file of Linux's /proc; null elsewhere, or where it is hidden (hidepid). */
async function readProc(path: string): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  return readFile(path, 'utf8').catch(() => null);
}

function locked(directory: string, pid: number): StartError {
  return new StartError(
    'locked',
    `Another Fieldbench (process ${pid}) already uses ${directory}. Stop it, or choose another folder with --data.`,
  );
}
