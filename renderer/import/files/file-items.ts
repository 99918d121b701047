import { create } from 'zustand';
import type { Examination, ImportResult } from '#shared/operations/records/records.ts';
import { ask, dataOf, messageOf } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { LOOK } from '../stores/picked-files.ts';
import { keysOf } from './columns.ts';
import { NO_COLUMNS } from './import-choices.ts';
import type { ImportChoices } from './import-choices.ts';
import { inspectSample, type Inspected } from './import-sample.ts';

/** Where the records of a file go. */
export type Target =
  | { readonly kind: 'device'; readonly device_id: string }
  | { readonly kind: 'new'; readonly name: string };

/** What a look at the whole file came to. */
export type Report =
  | { readonly state: 'waiting' }
  | { readonly state: 'reading'; readonly done: number }
  | { readonly state: 'read'; readonly found: Examination }
  | { readonly state: 'failed'; readonly problem: string };

export type ItemState =
  | { readonly name: 'inspecting' }
  | { readonly name: 'unreadable'; readonly problem: string }
  /** `problem`: why the last choice, or the import, did not do. */
  | { readonly name: 'choosing'; readonly problem: string | null }
  /** `taken`: bytes that the service has; null while it waits for the files before it. */
  | { readonly name: 'importing'; readonly taken: number | null; readonly cancel: () => void }
  | { readonly name: 'done'; readonly result: ImportResult; readonly device_id: string };

/** A file on the import screen. */
export interface FileItem {
  readonly id: number;
  readonly file: File;
  readonly target: Target;
  readonly state: ItemState;
  /** How it is read; null until the service has looked at it. */
  readonly inspected: Inspected | null;
  /** Keys that the device has already: columns of the same name go on under them. */
  readonly keysThere: readonly string[];
  /** Units that were entered, by the names of the columns. */
  readonly units: Readonly<Record<string, string>>;
  readonly report: Report;
  /** What becomes of records that the device has already. */
  readonly existing: 'skip' | 'add';
}

/** The files on the import screen of each project: they stay while another screen is looked at. */
const useItems = create<{ readonly of: Readonly<Record<string, readonly FileItem[]>> }>(() => ({
  of: {},
}));

const NONE: readonly FileItem[] = [];
export const itemsOf = (project_id: string) => useItems.getState().of[project_id] ?? NONE;
export const itemOf = (project_id: string, id: number) => itemsOf(project_id).find((item) => item.id === id);
export const useItemsOf = (project_id: string) => useItems(({ of }) => of[project_id] ?? NONE);

function put(project_id: string, items: readonly FileItem[]): void {
  useItems.setState(({ of }) => ({ of: { ...of, [project_id]: items } }));
}

export function changeItem(project_id: string, id: number, changed: Partial<FileItem>): void {
  put(
    project_id,
    itemsOf(project_id).map((item) => (item.id === id ? { ...item, ...changed } : item)),
  );
}

export function removeItem(project_id: string, id: number): void {
  reading.get(id)?.abort();
  put(
    project_id,
    itemsOf(project_id).filter((item) => item.id !== id),
  );
}

let lastId = 0;

/** What a new device is called after a file: its name without what follows the last dot. */
export function nameAfter({ name }: File): string {
  return (name.replace(/\.[^.]*$/, '').trim() || name).slice(0, 100);
}

/** Adds files, each for a device of its own, or all for one; looks at each. */
export function addFiles(project_id: string, files: readonly File[], device_id: string | null): void {
  const items = files.map((file): FileItem => ({
    id: ++lastId,
    file,
    target: device_id === null ? { kind: 'new', name: nameAfter(file) } : { kind: 'device', device_id },
    state: { name: 'inspecting' },
    inspected: null,
    keysThere: [],
    units: {},
    report: { state: 'waiting' },
    existing: 'skip',
  }));
  put(project_id, [...itemsOf(project_id), ...items]);
  for (const { id } of items) void choose(project_id, id, {});
}

/** Moves all files that were looked at into a project. */
export function moveFiles(project_id: string): void {
  const items = itemsOf(LOOK);
  put(LOOK, []);
  put(project_id, [...itemsOf(project_id), ...items]);
  for (const { id, state, inspected, report: told } of items) {
    // What was asked for the place before finds nobody there.
    if (state.name === 'inspecting') void choose(project_id, id, inspected?.choices ?? {});
    else if (state.name === 'choosing' && told.state !== 'read') report(project_id, id);
  }
}

/** Resolves with the keys that are there where the file goes. */
async function keysAt(project_id: string, target: Target): Promise<readonly string[]> {
  return target.kind === 'new' ? [] : ask('data.keys', { project_id, device_id: target.device_id });
}

/** What was asked last of each file: answers to what was asked before are of no use any more. */
const asked = new Map<number, number>();

/** Reads a file by other choices. Where they do not fit it, how it was read before stays in view. */
export async function choose(project_id: string, id: number, choices: ImportChoices): Promise<void> {
  const item = itemOf(project_id, id);
  if (!item) return;
  const own = (asked.get(id) ?? 0) + 1;
  asked.set(id, own);
  if (item.inspected) changeItem(project_id, id, { inspected: { ...item.inspected, choices } });
  try {
    const [inspected, keysThere] = await Promise.all([
      inspectSample(item.file, choices),
      keysAt(project_id, item.target),
    ]);
    if (asked.get(id) !== own) return;
    const now = itemOf(project_id, id);
    const counts = isLookedAt(now);
    changeItem(project_id, id, {
      inspected,
      // Another device was chosen meanwhile, and asked for its own.
      ...(now?.target === item.target && { keysThere }),
      ...(counts && { state: { name: 'choosing', problem: null } }),
    });
    if (counts) report(project_id, id);
  } catch (error) {
    if (asked.get(id) !== own || !isLookedAt(itemOf(project_id, id))) return;
    const problem = messageOf(error);
    const name = item.inspected ? ('choosing' as const) : ('unreadable' as const);
    changeItem(project_id, id, { state: { name, problem } });
  }
}

/** Whether a look at it decides what is shown: it may be imported by now, or under way, with what was chosen. */
const isLookedAt = (item: FileItem | undefined): boolean =>
  item !== undefined && item.state.name !== 'importing' && item.state.name !== 'done';

/** Sends a file elsewhere; what it holds is compared with what is there. */
export async function setTarget(project_id: string, id: number, target: Target): Promise<void> {
  const before = itemOf(project_id, id)?.target;
  changeItem(project_id, id, { target });
  if (before?.kind === target.kind && target.kind === 'new') return;
  try {
    const keysThere = await keysAt(project_id, target);
    if (itemOf(project_id, id)?.target !== target) return;
    changeItem(project_id, id, { keysThere });
    report(project_id, id);
  } catch (error) {
    if (isLookedAt(itemOf(project_id, id)))
      changeItem(project_id, id, { state: { name: 'choosing', problem: messageOf(error) } });
  }
}

/** The unit of a column: what was entered, else what the file says. */
export function unitOf({ units, inspected }: FileItem, name: string): string {
  return units[name] ?? inspected?.inspection.columns.find((column) => column.name === name)?.unit ?? '';
}

/** The keys of a file's columns, by their names; a column without an entry is called as it is. */
export function keysOfItem({ inspected, keysThere }: FileItem): Readonly<Record<string, string>> {
  return inspected ? keysOf(inspected.choices, inspected.inspection.columns, keysThere) : {};
}

/** Whole files that are read now, or wait for it, by their item. */
const reading = new Map<number, AbortController>();
let turn: Promise<void> = Promise.resolve();

/** Has the whole file read, one file after the other. */
function report(project_id: string, id: number): void {
  reading.get(id)?.abort();
  const controller = new AbortController();
  reading.set(id, controller);
  changeItem(project_id, id, { report: { state: 'waiting' } });
  turn = turn.then(() => readWhole(project_id, id, controller.signal));
}

/** How a file is read where nothing of it is stored; null where it was not looked at yet. */
export function readingOf(item: FileItem) {
  if (item.inspected === null) return null;
  const { inspection, choices } = item.inspected;
  const { on_error: _, existing: __, names: ___, ...settings } = choices;
  const names = keysOfItem(item);
  return {
    ...settings,
    ...(Object.keys(names).length > 0 && { names: JSON.stringify(names) }),
    format: inspection.format,
  };
}

async function readWhole(project_id: string, id: number, signal: AbortSignal): Promise<void> {
  const item = itemOf(project_id, id);
  if (signal.aborted || !item?.inspected || item.inspected.inspection.problem !== null) return;
  if (item.state.name !== 'choosing' || item.inspected.choices.columns === NO_COLUMNS) return;
  const input = readingOf(item);
  const { file, target } = item;
  if (input === null) return;
  const onProgress = (done: number) => changeItem(project_id, id, { report: { state: 'reading', done } });
  try {
    const envelope =
      target.kind === 'device'
        ? await bridge.upload(
            'records.compare',
            { ...input, project_id, device_id: target.device_id },
            file,
            {
              signal,
              onProgress,
            },
          )
        : await bridge.upload('records.examine', input, file, { signal, onProgress });
    changeItem(project_id, id, { report: { state: 'read', found: dataOf(envelope) } });
  } catch (error) {
    if (!signal.aborted)
      changeItem(project_id, id, { report: { state: 'failed', problem: messageOf(error) } });
  }
}

/** What has to be alike for two files to be read alike: their columns, in their order. */
export function layoutOf({ inspected }: FileItem): string | null {
  if (inspected === null) return null;
  const { format, delimiter, columns } = inspected.inspection;
  return JSON.stringify([format, delimiter, columns.map(({ name }) => name)]);
}

/** Reads the other files of the same layout as this one is read. When each began stays its own. */
export function readAllLike(project_id: string, item: FileItem): void {
  const layout = layoutOf(item);
  if (item.inspected === null) return;
  const { started: _, ...choices } = item.inspected.choices;
  for (const other of itemsOf(project_id)) {
    if (other.id === item.id || other.state.name !== 'choosing' || layoutOf(other) !== layout) continue;
    changeItem(project_id, other.id, { units: item.units, existing: item.existing });
    const started = other.inspected?.choices.started;
    void choose(project_id, other.id, { ...choices, ...(started !== undefined && { started }) });
  }
}
