import { messageOf } from '../../bridge/ask.ts';
import { LOOK } from '../../stores/picked-files.ts';
import type { ImportChoices } from '../import-choices.ts';
import {
  changeItem,
  changeItems,
  isLookedAt,
  itemOf,
  itemsOf,
  putItems,
  type FileItem,
  type Target,
} from './file-items.ts';
import {
  choicesAs,
  isChoosing,
  isReadAs,
  kindOf,
  orderTold,
  othersOfKind,
  placedTogether,
  readAlike,
  renamedKey,
  suggestedKey,
} from './file-kinds.ts';
import { nameAfter, nameAfterAll } from './file-names.ts';
import { inspectSample } from './import-sample.ts';
import { joinPlace, keysAt, setTarget } from './place-files.ts';
import { leaveWhole, readWhole } from './whole-files.ts';

let lastId = 0;

/** Adds files, each for a device of its own, or all for one; looks at each. */
export function addFiles(
  project_id: string,
  files: readonly File[],
  device_id: string | null,
): readonly FileItem[] {
  const items = files.map((file): FileItem => ({
    id: ++lastId,
    file,
    target: device_id === null ? { kind: 'new', name: nameAfter(file) } : { kind: 'device', device_id },
    state: { name: 'inspecting' },
    inspected: null,
    kind: null,
    isParted: false,
    told: null,
    isTogether: false,
    keysThere: [],
    units: {},
    report: { state: 'waiting' },
    existing: 'skip',
  }));
  putItems(project_id, [...itemsOf(project_id), ...items]);
  for (const { id } of items) void look(project_id, id, {});
  return items;
}

export function removeItem(project_id: string, id: number): void {
  leaveWhole(id);
  putItems(
    project_id,
    itemsOf(project_id).filter((item) => item.id !== id),
  );
}

/** Removes the files that are in. */
export function removeImported(project_id: string): void {
  for (const { id, state } of itemsOf(project_id)) if (state.name === 'done') removeItem(project_id, id);
}

/** Moves all files that were looked at into a project. Those of their kind that are read otherwise there stay so. */
export function moveFiles(project_id: string): void {
  const items = itemsOf(LOOK);
  removeImported(project_id);
  const there = itemsOf(project_id).map((item) => {
    const example = readAlike(item, items).at(-1);
    return example && !isReadAs(item, example) ? { ...item, isParted: true } : item;
  });
  putItems(LOOK, []);
  putItems(project_id, [...there, ...items]);
  for (const { id, state, inspected, report: told } of items) {
    // What was asked for the place before finds nobody there.
    if (state.name === 'inspecting') void look(project_id, id, inspected?.choices ?? {});
    else if (state.name === 'choosing' && told.state !== 'read') readWhole(project_id, id);
  }
}

/** What was asked last of each file: answers to what was asked before are of no use any more. */
const asked = new Map<number, number>();

/** Looks at a file by some choices. Where they do not fit it, how it was read before stays in view. */
async function look(project_id: string, id: number, choices: ImportChoices): Promise<void> {
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
      kind: now?.kind ?? kindOf(inspected.inspection),
      // Another device was chosen meanwhile, and asked for its own.
      ...(now?.target === item.target && { keysThere }),
      ...(counts && { state: { name: 'choosing', problem: null } }),
    });
    if (!counts) return;
    if (now?.kind === null) {
      // What was chosen for its kind before it came is for it, too.
      joinPlace(project_id, id);
      joinKind(project_id, id);
      tellOrder(project_id, id);
    }
    if (asked.get(id) === own) readWhole(project_id, id);
  } catch (error) {
    if (asked.get(id) !== own || !isLookedAt(itemOf(project_id, id))) return;
    const problem = messageOf(error);
    changeItem(project_id, id, {
      state: item.inspected ? { name: 'choosing', problem, isMisfit: true } : { name: 'unreadable', problem },
    });
  }
}

/** Reads a file by other choices, and with it all that are read alike. */
export async function choose(project_id: string, id: number, choices: ImportChoices): Promise<void> {
  const looks = [look(project_id, id, choices)];
  const item = itemOf(project_id, id);
  if (item)
    for (const other of readAlike(item, itemsOf(project_id)))
      looks.push(look(project_id, other.id, choicesAs(other, item)));
  await Promise.all(looks);
}

/** Enters a unit, or what becomes of records that are there already, for a file and all that are read alike. */
export function enter(
  project_id: string,
  id: number,
  entered: Partial<Pick<FileItem, 'units' | 'existing'>>,
): void {
  const item = itemOf(project_id, id);
  const alike = item ? readAlike(item, itemsOf(project_id)) : [];
  changeItems(project_id, [id, ...alike.map((other) => other.id)], entered);
}

/** Reads the dates of a file, and of those that are read alike, as one of them tells where the others may be read either way. */
function tellOrder(project_id: string, id: number): void {
  const items = itemsOf(project_id);
  const item = itemOf(project_id, id);
  for (const one of item ? [item, ...readAlike(item, items)] : []) {
    const told = orderTold(one, items);
    if (told === null) continue;
    changeItem(project_id, one.id, { told });
    void look(project_id, one.id, { ...one.inspected?.choices, date_order: told.order });
  }
}

/** Reads a file on its own from now on. */
export function partFile(project_id: string, id: number): void {
  changeItem(project_id, id, { isParted: true });
}

/** Reads a file as the others of its kind are; without others it stays as it is. */
export function joinKind(project_id: string, id: number): void {
  changeItem(project_id, id, { isParted: false });
  const items = itemsOf(project_id);
  const item = itemOf(project_id, id);
  const example = item && readAlike(item, items).at(-1);
  if (!example || isReadAs(item, example)) return;
  changeItem(project_id, id, { units: example.units, existing: example.existing, told: example.told });
  void look(project_id, id, choicesAs(item, example));
}

/** Has all files of its kind go where this one goes; or each on its own again, into a new device where no other was chosen. */
export function placeTogether(project_id: string, id: number, isTogether: boolean): void {
  const items = itemsOf(project_id);
  const item = itemOf(project_id, id);
  if (!item) return;
  const others = isTogether ? othersOfKind(item, items) : placedTogether(item, items).filter(isChoosing);
  const all = [item, ...others];
  const one: Target =
    item.target.kind === 'new'
      ? { kind: 'new', name: nameAfterAll(all.map(({ file }) => file)) }
      : item.target;
  for (const { id: each, file, target } of all) {
    changeItem(project_id, each, { isTogether });
    if (isTogether) void setTarget(project_id, each, one);
    else if (target.kind === 'new') void setTarget(project_id, each, { kind: 'new', name: nameAfter(file) });
  }
  // What was called after each file is one key of the device.
  const now = itemOf(project_id, id);
  const choices = item.inspected?.choices;
  if (now && choices?.names !== undefined)
    void choose(project_id, id, renamedKey(choices, suggestedKey(item), suggestedKey(now)));
}
