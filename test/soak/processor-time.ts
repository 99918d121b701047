import { readdir, readFile } from 'node:fs/promises';

/** Ticks of a processor a second, as /proc has them (sysconf(_SC_CLK_TCK) of Linux). */
const TICKS = 100;
/** Places of these in /proc/PID/stat, from the state on (proc_pid_stat(5)). */
const [PARENT, USER, SYSTEM] = [1, 11, 12] as const;

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  readonly seconds: number;
}

/** Processor time of a process and of those that it started, those that have ended among them: seconds, as of the last look. Of Linux alone. */
export class ProcessorTime {
  readonly #root: () => number | null;
  /** Of each process, by its id. */
  readonly #seen = new Map<number, number>();

  /** `root`: the present process; null while there is none. */
  constructor(root: () => number | null) {
    this.#root = root;
  }

  get seconds(): number {
    return [...this.#seen.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  look(all: readonly ProcessTime[]): void {
    const root = this.#root();
    for (const { pid, parent, seconds } of all)
      if (root !== null && (pid === root || parent === root)) this.#seen.set(pid, seconds);
  }
}

/** Resolves with the processor time of all processes; with none elsewhere than on Linux. */
export async function processorTimes(): Promise<readonly ProcessTime[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // It may have ended since.
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
      if (text === null) return [];
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      return [
        { pid, parent: fields[PARENT] ?? 0, seconds: ((fields[USER] ?? 0) + (fields[SYSTEM] ?? 0)) / TICKS },
      ];
    }),
  );
  return found.flat();
}
