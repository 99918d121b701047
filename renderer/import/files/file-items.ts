import { create } from 'zustand';
import type { Examination, ImportResult, Inspection } from '#shared/operations/records/records.ts';
import { keysOf } from '../columns.ts';
import type { Inspected } from './import-sample.ts';

/** Where the records of a file go. */
export type Target =
  | { readonly kind: 'device'; readonly device_id: string }
  | { readonly kind: 'new'; readonly name: string };

/** Result of a look at the whole file. */
export type Report =
  | { readonly state: 'waiting' }
  | { readonly state: 'reading'; readonly done: number }
  | { readonly state: 'read'; readonly found: Examination }
  | { readonly state: 'failed'; readonly problem: string };

export type ItemState =
  | { readonly name: 'inspecting' }
  | { readonly name: 'unreadable'; readonly problem: string }
  /** `problem`: why the last choice, which then does not fit it, or the import did not do. */
  | { readonly name: 'choosing'; readonly problem: string | null; readonly isMisfit?: true }
  /** `taken`: bytes that the service has; null while it waits for the files before it. */
  | { readonly name: 'importing'; readonly taken: number | null; readonly cancel: () => void }
  | { readonly name: 'done'; readonly result: ImportResult; readonly device_id: string };

/** Whether a file was tried, and is not in. */
export const isNotImported = (state: ItemState): boolean =>
  state.name === 'choosing' && state.problem !== null && !state.isMisfit;

export interface Told {
  readonly order: NonNullable<Inspection['date_order']>;
  /** Name of the file whose dates can be read in no other order. */
  readonly by: string;
}

/** A file on the import screen. */
export interface FileItem {
  readonly id: number;
  readonly file: File;
  readonly target: Target;
  readonly state: ItemState;
  /** How it is read; null until the service has looked at it. */
  readonly inspected: Inspected | null;
  /** What kind of file it is, by the first look at it (`kindOf`); null before that. */
  readonly kind: string | null;
  /** Whether it is read on its own, whatever is chosen for others of its kind. */
  readonly isParted: boolean;
  /** The order of its dates by another file of its kind, where its own can be read either way. */
  readonly told: Told | null;
  /** Whether it goes where the others of its kind go. */
  readonly isTogether: boolean;
  /** Keys that the device has already: columns of the same name go on under them. */
  readonly keysThere: readonly string[];
  /** Units that were entered, by the names of the columns. */
  readonly units: Readonly<Record<string, string>>;
  readonly report: Report;
  /** What becomes of records that the device has already. */
  readonly existing: 'skip' | 'add';
}

/** Whether a look at it decides what is shown: it may be imported by now, or under way, with what was chosen. */
export const isLookedAt = (item: FileItem | undefined): boolean =>
  item !== undefined && item.state.name !== 'importing' && item.state.name !== 'done';

/** The files on the import screen of each project: they stay while another screen is looked at. */
const useItems = create<{ readonly of: Readonly<Record<string, readonly FileItem[]>> }>(() => ({
  of: {},
}));

const NONE: readonly FileItem[] = [];
export const itemsOf = (project_id: string) => useItems.getState().of[project_id] ?? NONE;
export const itemOf = (project_id: string, id: number) => itemsOf(project_id).find((item) => item.id === id);
export const useItemsOf = (project_id: string) => useItems(({ of }) => of[project_id] ?? NONE);

export function putItems(project_id: string, items: readonly FileItem[]): void {
  useItems.setState(({ of }) => ({ of: { ...of, [project_id]: items } }));
}

export function changeItem(project_id: string, id: number, changed: Partial<FileItem>): void {
  changeItems(project_id, [id], changed);
}

export function changeItems(project_id: string, ids: readonly number[], changed: Partial<FileItem>): void {
  const all = new Set(ids);
  putItems(
    project_id,
    itemsOf(project_id).map((item) => (all.has(item.id) ? { ...item, ...changed } : item)),
  );
}

/** The unit of a column: what was entered, else what the file says. */
export function unitOf({ units, inspected }: FileItem, name: string): string {
  return units[name] ?? inspected?.inspection.columns.find((column) => column.name === name)?.unit ?? '';
}

/** The keys of a file's columns, by their names; a column without an entry is called as it is. */
export function keysOfItem({ inspected, keysThere }: FileItem): Readonly<Record<string, string>> {
  return inspected ? keysOf(inspected.choices, inspected.inspection.columns, keysThere) : {};
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
