import { ask, messageOf } from '../../bridge/ask.ts';
import { changeItem, changeItems, isLookedAt, itemOf, itemsOf, type Target } from './file-items.ts';
import { isChoosing, isSameDevice, othersOfKind, placedTogether } from './file-kinds.ts';
import { readWhole } from './whole-files.ts';

/** Sends a file elsewhere, and with it those that go together with it. */
export function place(project_id: string, id: number, target: Target): void {
  const item = itemOf(project_id, id);
  if (!item) return;
  const all = [item, ...placedTogether(item, itemsOf(project_id)).filter(isChoosing)];
  const ids = all.map((one) => one.id);
  const isRenamed = target.kind === 'new' && all.every((one) => one.target.kind === 'new');
  if (isRenamed) changeItems(project_id, ids, { target });
  else for (const one of ids) void setTarget(project_id, one, target);
}

/** Sends a new file where the others of its kind go together, unless it was dropped on another device. */
export function joinPlace(project_id: string, id: number): void {
  const item = itemOf(project_id, id);
  const example = item && othersOfKind(item, itemsOf(project_id)).findLast(({ isTogether }) => isTogether);
  if (!example || (item.target.kind === 'device' && !isSameDevice(item, example))) return;
  changeItem(project_id, id, { isTogether: true });
  if (item.target.kind === 'new') void setTarget(project_id, id, example.target);
}

/** Sends a file elsewhere; what it holds is compared with what is there. */
export async function setTarget(project_id: string, id: number, target: Target): Promise<void> {
  const before = itemOf(project_id, id)?.target;
  changeItem(project_id, id, { target });
  if (before?.kind === target.kind && target.kind === 'new') return;
  try {
    const keysThere = await keysAt(project_id, target);
    if (itemOf(project_id, id)?.target !== target) return;
    changeItem(project_id, id, { keysThere });
    readWhole(project_id, id);
  } catch (error) {
    if (isLookedAt(itemOf(project_id, id)))
      changeItem(project_id, id, { state: { name: 'choosing', problem: messageOf(error) } });
  }
}

/** Resolves with the keys that are there where the file goes. */
export async function keysAt(project_id: string, target: Target): Promise<readonly string[]> {
  return target.kind === 'new' ? [] : ask('data.keys', { project_id, device_id: target.device_id });
}
