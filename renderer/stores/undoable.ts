import { Refused } from '../bridge/ask.ts';

/** Act of this window that can be undone. */
export interface Undoable {
  /** Title of the act: `81 records of “PT-106” deleted`. */
  readonly title: string;
  /** A text that it resolves with says how it went. */
  readonly undo: () => Promise<unknown>;
}

/** As many as anybody remembers; what was deleted before that is under Recently deleted. */
const MOST = 50;

/** The latest last. */
const done: Undoable[] = [];

export function addUndoable(undoable: Undoable): void {
  done.push(undoable);
  hadSome = true;
  if (done.length > MOST) done.shift();
}

/** Whether this window did anything that could be taken back, and has nothing left of it. */
let hadSome = false;
export const isAllTakenBack = (): boolean => hadSome && done.length === 0;

export const lastUndoable = (): Undoable | null => done.at(-1) ?? null;

/**
 * Takes it back, and forgets it. Rejects with why that did not go; it is kept where trying again may help, which is
 * everywhere but where the service refused. Resolves with how it went, where that is to be said.
 */
export async function takeBack(undoable: Undoable): Promise<string | null> {
  forget(undoable);
  try {
    const words = await undoable.undo();
    return typeof words === 'string' ? words : null;
  } catch (error) {
    if (!(error instanceof Refused)) addUndoable(undoable);
    throw error;
  }
}

function forget(undoable: Undoable): void {
  const at = done.indexOf(undoable);
  if (at >= 0) done.splice(at, 1);
}
