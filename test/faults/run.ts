import { StoreError } from '#core/base/errors.ts';
import type { Files } from '#core/disk/files.ts';
import type { RecordStore } from '#core/store/store.ts';
import type { DiskFiles } from './disk-files.ts';
import { perform, type Act, type Outcome } from './history.ts';
import type { Step } from './workload.ts';

/** Opens the store under test over a file layer, with limits so small that a few records make it work. */
export type OpenStore = (files: Files) => Promise<RecordStore>;

/** Something that was asked, and when: as lengths of the disk's trace. */
export interface Done {
  readonly act: Act;
  readonly began: number;
  /** Infinity when it was not acknowledged. */
  readonly acknowledged: number;
  readonly error: StoreError | null;
  /** Whether nothing of it can be there: the store had refused everything since an earlier step, or for want of space. */
  readonly refused: boolean;
  /** Whether, in an earlier step and not opened again since, the store had met a disk it cannot trust. */
  readonly afterPoison: boolean;
}

export interface RunOptions {
  readonly steps: readonly Step[];
  /** Called after each step, with all that was done so far. */
  readonly afterStep?: (store: RecordStore, done: readonly Done[]) => Promise<void>;
}

/** Does the steps and answers how each act went; the store is closed at the end. Errors other than StoreError come out. */
export async function run(
  openStore: OpenStore,
  files: DiskFiles,
  { steps, afterStep = async () => {} }: RunOptions,
): Promise<Done[]> {
  const done: Done[] = [];
  let store = await openAtLast(openStore, files);
  let poisoned = false;
  for (const step of steps) {
    if (step === 'reopen') {
      await close(store);
      store = await openAtLast(openStore, files);
      poisoned = false;
    } else {
      const attempts = await Promise.all(step.map((act) => attempt(store, files, act, poisoned)));
      done.push(...attempts);
      poisoned ||= attempts.some(({ error }) => error?.code === 'poisoned');
      await afterStep(store, done);
    }
  }
  await close(store);
  return done;
}

/** Opens the store, a second time where a single fault prevented the first. */
async function openAtLast(openStore: OpenStore, files: Files): Promise<RecordStore> {
  try {
    return await openStore(files);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return openStore(files);
  }
}

/** A store that met an error may say so again when it closes; what it holds is asked of the next one. */
async function close(store: RecordStore): Promise<void> {
  try {
    await store.close();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

async function attempt(store: RecordStore, files: DiskFiles, act: Act, poisoned: boolean): Promise<Done> {
  const began = files.trace.length;
  try {
    await perform(store, act);
    return {
      act,
      began,
      acknowledged: files.trace.length,
      error: null,
      refused: false,
      afterPoison: poisoned,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const refused =
      (poisoned && error.code === 'poisoned') || (act.kind === 'append' && error.code === 'disk-full');
    return { act, began, acknowledged: Infinity, error, refused, afterPoison: poisoned };
  }
}

/** How acts had gone when the trace was so long; those that had not begun are left out. */
export function historyAt(done: readonly Done[], length: number): { act: Act; outcome: Outcome }[] {
  return done
    .filter(({ began }) => began <= length)
    .map(({ act, acknowledged, refused }) => ({
      act,
      outcome: refused ? 'refused' : acknowledged <= length ? 'acknowledged' : 'unknown',
    }));
}
