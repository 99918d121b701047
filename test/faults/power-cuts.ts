import { deepStrictEqual } from 'node:assert/strict';
import { record } from '../suites/record-store/harness.ts';
import { checkContents, checkReceipts } from './check-store.ts';
import { crashStates, type CrashState } from './crash-states.ts';
import { diskFiles, type DiskFiles } from './disk-files.ts';
import { Disk, type Operation } from './disk.ts';
import { applied, possibleContents, type Content } from './history.ts';
import { historyAt, run, type OpenStore } from './run.ts';
import { WORKLOAD, type Step } from './workload.ts';

/**
 * A power cut after every file operation of the workload, in every state that the disk may then be in: what was
 * acknowledged is there, once; what was not is there as a whole or not at all; nothing is called damaged; and the store
 * goes on from there. Throws at the first state that the store does not get right; answers how many it got right.
 */
export async function powerCuts(
  openStore: OpenStore,
  {
    steps = WORKLOAD,
    first = 0,
    stride = 1,
  }: { steps?: readonly Step[]; first?: number; stride?: number } = {},
): Promise<number> {
  const files = diskFiles(new Disk());
  const done = await run(openStore, files, { steps });
  for (const { error } of done) if (error) throw error;
  let states = 0;
  for (let length = first; length <= files.trace.length; length += stride) {
    const possible = possibleContents(historyAt(done, length));
    for (const state of crashStates(files.trace, length)) {
      await named(state.name, () => checkPowerCut(openStore, state, possible));
      states++;
    }
    await named(`killed after ${length} file operations`, () =>
      checkKill(openStore, files.trace.slice(0, length), possible),
    );
  }
  return states;
}

/** Says with an error what it is about. */
export async function named<T>(name: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

type Possible = ReadonlyMap<string, readonly Content[]>;

async function checkPowerCut(openStore: OpenStore, { disk }: CrashState, possible: Possible): Promise<void> {
  const base = disk.copy();
  const files = diskFiles(disk);
  const next = await goOn(openStore, files, possible, async (contents) => {
    const [, cutAgain] = crashStates(files.trace, files.trace.length, base);
    if (cutAgain)
      await named(`again, ${cutAgain.name}`, () =>
        opensWith(openStore, cutAgain.disk, contents, 'torn-tail'),
      );
  });
  deepStrictEqual(files.open, 0, 'files are still open after closing');
  await named('closed in order', () => opensWith(openStore, disk, next, null));
}

/** The process is killed, and the power fails later: what the one had not synced is the other's affair. */
async function checkKill(
  openStore: OpenStore,
  past: readonly Operation[],
  possible: Possible,
): Promise<void> {
  const disk = new Disk();
  for (const operation of past) disk.apply(operation);
  const files = diskFiles(disk, undefined, past);
  await goOn(openStore, files, possible, async (contents) => {
    for (const state of crashStates(files.trace, files.trace.length))
      await named(state.name, () => opensWith(openStore, state.disk, contents, 'torn-tail'));
  });
}

/** Opens the store, expects what is possible, stores something; `meanwhile` runs before it is closed. */
async function goOn(
  openStore: OpenStore,
  files: DiskFiles,
  possible: Possible,
  meanwhile: (contents: Possible) => Promise<void>,
): Promise<Possible> {
  const store = await openStore(files);
  const found = await checkReceipts(store, await checkContents(store, possible), possible);
  const damage = store.recovery.filter(({ kind }) => kind === 'damaged');
  deepStrictEqual(damage, [], 'a crash was taken for damage');
  const contents = new Map<string, readonly Content[]>();
  for (const [device, content] of found) {
    const act = { kind: 'append', device, records: [record(2500, { after: 'the crash' })] } as const;
    await store.append(act.device, act.records);
    contents.set(device, [applied(content, act)]);
  }
  await meanwhile(contents);
  await store.close();
  return contents;
}

/** `mended` names what may be noted; null allows nothing. */
async function opensWith(
  openStore: OpenStore,
  disk: Disk,
  contents: Possible,
  mended: 'torn-tail' | null,
): Promise<void> {
  const store = await openStore(diskFiles(disk));
  await checkContents(store, contents);
  deepStrictEqual(
    store.recovery.filter(({ kind }) => mended === null || kind === 'damaged'),
    [],
    'something was left to mend',
  );
  await store.close();
}
