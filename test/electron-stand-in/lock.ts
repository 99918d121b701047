import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** What a second instance tells the first one. */
export interface Visit {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly data: unknown;
}

/** One instance per userData, by a file that holds its pid; visitors leave files beside it. */
export class InstanceLock {
  #watcher: FSWatcher | null = null;

  /** False when another instance has the lock; it has then been told. Synchronous, as Electron's is. */
  acquire(userData: string, visit: Visit, onVisit: (visit: Visit) => void): boolean {
    if (this.#watcher) return true;
    const folder = join(userData, 'Singleton');
    const lock = join(folder, 'pid');
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch {
      if (isRunning(Number(readFileSync(lock, 'utf8')))) {
        writeFileSync(join(folder, `visit-${process.pid}.json`), JSON.stringify(visit));
        return false;
      }
      writeFileSync(lock, String(process.pid));
    }
    const receive = () => {
      for (const name of readdirSync(folder).filter((entry) => entry.startsWith('visit-'))) {
        const text = readFileSync(join(folder, name), 'utf8');
        // Still being written: the next change tells.
        if (text === '') continue;
        rmSync(join(folder, name));
        onVisit(JSON.parse(text) as Visit);
      }
    };
    this.#watcher = watch(folder, receive);
    process.once('exit', () => rmSync(lock, { force: true }));
    return true;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
