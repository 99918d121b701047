import { deepStrictEqual, ok } from 'node:assert/strict';
import { StoreError } from '#core/base/errors.ts';
import type { RecordStore } from '#core/store/store.ts';
import { checkContents, checkReceipts } from './check-store.ts';
import { crashStates } from './crash-states.ts';
import { diskFiles, type DiskFiles } from './disk-files.ts';
import { Disk } from './disk.ts';
import type { Attempt, Fault } from './failing-files.ts';
import { possibleContents } from './history.ts';
import { named } from './power-cuts.ts';
import { historyAt, run, type Done, type OpenStore } from './run.ts';
import { WORKLOAD, type Step } from './workload.ts';

/** What each kind of file operation may fail with. */
const FAULTS: Readonly<Record<Attempt, readonly Fault[]>> = {
  grow: ['ENOSPC', 'short', 'EIO'],
  // A file system that copies on write wants space for this, too.
  write: ['ENOSPC', 'EIO'],
  make: ['ENOSPC', 'EIO'],
  sync: ['EIO', 'ENOSPC'],
  'sync-folder': ['EIO'],
  rename: ['EIO', 'ENOSPC'],
  remove: ['EIO'],
  truncate: ['EIO'],
  read: ['EIO'],
  open: ['EIO'],
  list: ['EIO'],
};

interface Options {
  readonly steps?: readonly Step[];
  readonly first?: number;
  readonly stride?: number;
  /** These file operations alone. */
  readonly only?: Attempt;
}

/**
 * Runs the workload once for every file operation and every way it can fail: whatever is asked then is refused in
 * words or done, never lost; nothing stored before is; and a store that cannot know what is on disk takes nothing more
 * until it is opened again. Throws at the first that goes wrong; answers how many runs there were.
 */
export async function singleFaults(
  openStore: OpenStore,
  { steps = WORKLOAD, first = 0, stride = 1, only }: Options = {},
): Promise<number> {
  const whole = diskFiles(new Disk());
  await run(openStore, whole, { steps });
  let runs = 0;
  for (let at = first; at < whole.attempts.length; at += stride) {
    const { what } = whole.attempts[at] ?? { what: 'read' };
    if (only !== undefined && what !== only) continue;
    for (const fault of FAULTS[what]) {
      await named(`file operation ${at}, ${what}, failing with ${fault}`, () =>
        checkFault(openStore, steps, at, fault),
      );
      runs++;
    }
  }
  return runs;
}

async function checkFault(
  openStore: OpenStore,
  steps: readonly Step[],
  at: number,
  fault: Fault,
): Promise<void> {
  let failed: Attempt | null = null;
  let failedAt = Infinity;
  const files = diskFiles(new Disk(), (attempt, what) => {
    if (attempt !== at) return null;
    failed = what;
    failedAt = files.trace.length;
    return fault;
  });
  const done = await run(openStore, files, {
    steps,
    afterStep: (store, soFar) => checkReading(store, files, soFar),
  });
  const poisoned = done.some(({ error }) => error?.code === 'poisoned');
  const wasSync = failed === 'sync' || failed === 'sync-folder';
  ok(wasSync || !poisoned, `a failing ${String(failed)} made the store refuse everything`);
  for (const { act, error, afterPoison } of done)
    if (afterPoison) ok(error?.code === 'poisoned', `${act.kind} was acknowledged after a failed sync`);
  const last = done.at(-1);
  if (!poisoned && last && failedAt < last.began)
    deepStrictEqual(last.error, null, 'the store did not go on');
  await checkLeft(openStore, files, done);
}

/** What is stored can be read while and after something fails; a read that itself fails may be tried again. */
async function checkReading(store: RecordStore, files: DiskFiles, done: readonly Done[]): Promise<void> {
  if (!done.some(({ error }) => error)) return;
  const check = () => checkContents(store, possibleContents(historyAt(done, files.trace.length)));
  try {
    await check();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await check();
  }
}

/** The next start finds what was acknowledged, whether or not the power was cut. */
async function checkLeft(openStore: OpenStore, files: DiskFiles, done: readonly Done[]): Promise<void> {
  const { length } = files.trace;
  const possible = possibleContents(historyAt(done, length));
  for (const { name, disk } of crashStates(files.trace, length))
    await named(name, async () => {
      const store = await openStore(diskFiles(disk));
      await checkReceipts(store, await checkContents(store, possible), possible);
      deepStrictEqual(
        store.recovery.filter(({ kind }) => kind === 'damaged'),
        [],
        'a failed operation was taken for damage',
      );
      await store.close();
    });
}

/** The disk is full from one file operation on, and has space again after so many. */
export async function fullFor(
  openStore: OpenStore,
  from: number,
  count: number,
  steps = WORKLOAD,
): Promise<void> {
  const files = diskFiles(new Disk(), (attempt, what) =>
    attempt >= from && attempt < from + count && (what === 'grow' || what === 'make') ? 'ENOSPC' : null,
  );
  const done = await run(openStore, files, {
    steps,
    afterStep: (store, soFar) => checkReading(store, files, soFar),
  });
  for (const { error } of done) ok(error === null || error.code === 'disk-full', String(error));
  await checkLeft(openStore, files, done);
}
