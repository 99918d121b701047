import { Refused } from '../../bridge/ask.ts';
import { Superseded, UndoHistory } from './undoable.ts';

/** What this window did and undid. It is as long as the page: after a reload nobody knows what was left as this window left it. */
export const undoHistory = new UndoHistory(
  (error) => error instanceof Refused || error instanceof Superseded,
);
