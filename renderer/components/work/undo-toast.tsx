import { Button, Group, Kbd, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { DeletedCounts } from '#shared/schema/schemas.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { ask, messageOf } from '../../bridge/ask.ts';
import { undoHistory } from '../../stores/undo/undo-history.ts';
import type { Direction, Step, StepTaken, Way } from '../../stores/undo/undoable.ts';
import { formatDay, nowMicros } from '../../time.ts';
import { restoring, type Again } from './delete-ways.ts';
import { onAnyScreen, sayDone, sayFailed } from './notices.ts';

const SHOWN_MS = 10_000;

/** What each direction is called: by its button and key, and once it was gone. */
const WORDS = {
  undo: {
    button: 'Undo',
    keys: 'Ctrl Z',
    shortcut: 'Control+Z',
    done: 'Undone',
    said: 'Taken back',
    failed: 'That could not be undone',
  },
  redo: {
    button: 'Redo',
    keys: 'Ctrl Shift Z',
    shortcut: 'Control+Shift+Z',
    done: 'Redone',
    said: 'Done again',
    failed: 'That could not be done again',
  },
} as const;

/** Shows a success notice that offers to undo for a while; Ctrl Z does so at any time (`undoLast`). */
export function sayUndoable(title: string, message: string, way: Way): void {
  const step = { title, way };
  undoHistory.add(step);
  offer('undo', step, title, message);
}

/** The notice that offers what was done or undone last: what Ctrl Z does takes its place. */
let shown: string | null = null;

function offer(direction: Direction, step: Step, title: string, message: string): void {
  const { button, keys, shortcut } = WORDS[direction];
  // Two that name the same keys would say that they do the same.
  if (shown !== null) notifications.hide(shown);
  const id = notifications.show({
    title,
    autoClose: SHOWN_MS,
    color: 'teal',
    message: (
      <Group gap="xs" justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 200px" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button
          size="xs"
          variant="default"
          flex="none"
          ml="auto"
          onClick={() => {
            notifications.hide(id);
            void takeAndSay(direction, step);
          }}
          rightSection={<Kbd size="xs">{keys}</Kbd>}
          aria-keyshortcuts={shortcut}
        >
          {button}
        </Button>
      </Group>
    ),
  });
  onAnyScreen(id);
  shown = id;
}

/** Takes a step, or the latest one, when those before it are taken. */
async function takeAndSay(direction: Direction, given?: Step): Promise<void> {
  const step = given ?? undoHistory.next(direction);
  try {
    const taken = await undoHistory.take(direction, given);
    if (taken) sayTaken(direction, taken);
  } catch (error) {
    sayFailed(WORDS[direction].failed, `${step?.title ?? ''}: ${messageOf(error)}`);
  }
}

function sayTaken(direction: Direction, { step, words, opposite }: StepTaken): void {
  const { done, said } = WORDS[direction];
  const message = words ?? `${said}: ${step.title}.`;
  if (opposite) offer(direction === 'undo' ? 'redo' : 'undo', opposite, done, message);
  else {
    // It offers what was just done.
    if (shown !== null) notifications.hide(shown);
    sayDone(done, message);
  }
}

/** Takes back what this window did last, however long ago; says so where there is nothing. */
export function undoLast(): void {
  if (undoHistory.mayTake('undo')) return void takeAndSay('undo');
  sayDone(
    'Nothing to undo',
    undoHistory.hadSome
      ? 'All that this window did was taken back, as far as it could be. What else was deleted is under Recently deleted.'
      : 'This window has changed nothing since it was opened. What was deleted before is under Recently deleted.',
  );
}

/** Does again what was undone last; says so where there is nothing. */
export function redoLast(): void {
  if (undoHistory.next('redo')) return void takeAndSay('redo');
  sayDone('Nothing to do again', 'Nothing was undone in this window since it last changed something.');
}

/** Id to undo a delete, and the time until which that works. */
export interface KeptUntil {
  readonly id: string;
  readonly until: string;
}

interface Deletion {
  readonly deleted: DeletedCounts;
  readonly undo: KeptUntil;
}

/** Shows a notice of a delete that offers to undo it for a while; `again` says how it is done once more. */
export function announceDeleted(words: string, done: Deletion, again: Again): void {
  sayUndoable(words, restorableUntil(parseInstant(done.undo.until) ?? 0), restoring(done, again));
}

/** The end of every warning of what can be undone. */
export function restorableUntil(until: Micros): string {
  return `You can restore this until ${formatDay(until)}.`;
}

/** Until when what is deleted now can be had back, in words. */
export async function readUntil(): Promise<string> {
  const { keep_days } = await ask('settings.get', {});
  return restorableUntil(nowMicros() + keep_days * 86_400e6);
}
