import type { Direction } from '../../../renderer/stores/undo/undoable.ts';

/* What undo and redo of a window are to make of what it changed: over all fields at once, without knowing how any is undone. */

/** All that is changed, as texts by name; a field that is not there is absent. */
export type World = ReadonlyMap<string, string>;

export interface Act {
  readonly kind: 'edit' | 'device' | 'records';
  readonly device_id: string;
}

/** What changed from one world to another, by name: as it was and as it is; absent is undefined. */
interface Change extends Act {
  readonly of: ReadonlyMap<string, readonly [was: string | undefined, is: string | undefined]>;
}

export function changeOf({ kind, device_id }: Act, before: World, after: World): Change {
  const names = new Set([...before.keys(), ...after.keys()]);
  return {
    kind,
    device_id,
    of: new Map(
      [...names].flatMap((name) => {
        const [was, is] = [before.get(name), after.get(name)];
        // A purge of nothing is done again on nothing.
        const counts = kind === 'records' && name === `${device_id} records`;
        return was === is && !counts ? [] : [[name, [was, is] as const]];
      }),
    ),
  };
}

const isRecords = (name: string) => name.endsWith(' records');

/** What taking a change back makes of the world; null: refused. */
function takenBack({ kind, device_id, of }: Change, direction: Direction, world: World): World | null {
  const next = new Map(world);
  if (kind === 'edit') {
    // Where all is as it is to be already, there is nothing to refuse.
    const asItIs = [...of].every(([name, [was]]) => world.get(name) === was);
    const apart = [...of].some(([name, [was, is]]) => ![was, is].includes(world.get(name)));
    if (!asItIs && apart) return null;
  } else if (direction === 'undo' && kind === 'records') {
    // They come beside whatever was stored since.
    for (const [name, [was]] of of) next.set(name, String(Number(world.get(name)) + Number(was)));
    return next;
  } else if (direction === 'redo') {
    // It takes as many records as at first, or nothing; all else of a device goes as it is by then.
    for (const [name, [, is]] of of) if (isRecords(name) && world.get(name) !== is) return null;
    if (kind === 'device') {
      for (const name of world.keys()) if (name.startsWith(device_id)) next.delete(name);
      return next;
    }
  }
  for (const [name, [was]] of of)
    if (was === undefined) next.delete(name);
    else next.set(name, was);
  return next;
}

/** The naive model: stacks of changes to the whole world, and what each would do to it. */
export class Model {
  readonly stacks: Record<Direction, Change[]> = { undo: [], redo: [] };

  did(change: Change): void {
    this.stacks.undo.push(change);
    this.stacks.redo = [];
  }

  /** Whether the latest change can be taken back, and the world then; drops it from its stack. */
  take(direction: Direction, world: World): World | 'nothing' | 'refused' {
    const change = this.stacks[direction].pop();
    if (!change) return 'nothing';
    const next = takenBack(change, direction, world);
    if (next === null) return 'refused';
    // A device is deleted again as it is by then.
    const swapped = new Map([...change.of].map(([name, [was, is]]) => [name, [is, was] as const]));
    const opposite =
      change.kind === 'device' && direction === 'redo'
        ? changeOf(change, world, next)
        : { ...change, of: swapped };
    this.stacks[direction === 'undo' ? 'redo' : 'undo'].push(opposite);
    return next;
  }
}
