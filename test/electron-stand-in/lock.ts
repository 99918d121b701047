import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
  type FSWatcher,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isOn } from './switches.ts';

/** What a second instance tells the first one. */
export interface Visit {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly data: unknown;
}

/**
 * One instance per userData, by Chromium's own sign: a symbolic link to "host-pid" (Chromium,
 * chrome/browser/process_singleton_posix.cc). Visitors leave files in a folder beside it.
 */
export class InstanceLock {
  #watcher: FSWatcher | null = null;

  /**
   * False when another instance has the lock, which has then been told; and, as Electron's is, where the lock cannot be
   * made. Synchronous.
   */
  acquire(userData: string, visit: Visit, onVisit: (visit: Visit) => void): boolean {
    if (this.#watcher) return true;
    if (isOn('no-symlinks')) return false;
    const lock = join(userData, 'SingletonLock');
    const visits = join(userData, 'Visits');
    mkdirSync(visits, { recursive: true });
    if (!claim(lock)) {
      const [host, pid] = holder(lock);
      if (host !== hostname()) return false;
      if (isRunning(pid)) {
        writeFileSync(join(visits, `visit-${process.pid}.json`), JSON.stringify(visit));
        return false;
      }
      rmSync(lock);
      if (!claim(lock)) return false;
    }
    const receive = () => {
      for (const name of readdirSync(visits).filter((entry) => entry.startsWith('visit-'))) {
        const text = readFileSync(join(visits, name), 'utf8');
        // Still being written: the next change tells.
        if (text === '') continue;
        rmSync(join(visits, name));
        onVisit(JSON.parse(text) as Visit);
      }
    };
    this.#watcher = watch(visits, receive);
    process.once('exit', () => rmSync(lock, { force: true }));
    return true;
  }
}

function claim(lock: string): boolean {
  try {
    symlinkSync(`${hostname()}-${process.pid}`, lock);
    return true;
  } catch {
    return false;
  }
}

function holder(lock: string): [host: string, pid: number] {
  const [, host = '', pid] = /^(.*)-(\d+)$/.exec(readlinkSync(lock)) ?? [];
  return [host, Number(pid)];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
