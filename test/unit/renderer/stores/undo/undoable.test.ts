import { expect, test } from 'vitest';
import { UndoHistory, type Step } from '../../../../../renderer/stores/undo/undoable.ts';

const step = (title: string, taken: string[]): Step => ({
  title,
  way: async () => {
    taken.push(title);
    return { back: null };
  },
});

test('what is shown and still on its way is taken back before what was done earlier', async () => {
  const history = new UndoHistory(() => true);
  const taken: string[] = [];
  history.add(step('first', taken));
  const act = Promise.withResolvers<void>();
  history.waitFor(act.promise);
  const both = Promise.all([history.take('undo'), history.take('undo')]);
  history.add(step('second', taken));
  act.resolve();
  await both;
  expect(taken).toEqual(['second', 'first']);
});

test('there may be something to undo while the first act is on its way, and there is nothing where it failed', async () => {
  const history = new UndoHistory(() => true);
  expect(history.mayTake('undo')).toBe(false);
  const act = Promise.withResolvers<void>();
  history.waitFor(act.promise);
  expect([history.mayTake('undo'), history.mayTake('redo')]).toEqual([true, false]);
  act.resolve();
  expect(await history.take('undo')).toBeNull();
  expect(history.mayTake('undo')).toBe(false);
});
