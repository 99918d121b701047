import { Button, Group, Kbd, Text } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { ask, messageOf } from '../../bridge/ask.ts';
import { addUndoable, isAllTakenBack, lastUndoable, takeBack, type Undoable } from '../../stores/undoable.ts';
import { formatDay, nowMicros } from '../../time.ts';
import { onAnyScreen, sayDone, sayFailed } from './notices.ts';

const SHOWN_MS = 10_000;

/** Shows a success notice that offers to undo for a while; Ctrl Z does so at any time (`undoLast`). */
export function sayUndoable(title: string, message: string, undo: () => Promise<unknown>): void {
  const undoable = { title, undo };
  addUndoable(undoable);
  const take = () => {
    notifications.hide(id);
    takeAndSay(undoable);
  };
  const id = notifications.show({
    title,
    autoClose: SHOWN_MS,
    color: 'teal',
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button
          size="xs"
          variant="default"
          flex="none"
          onClick={take}
          rightSection={<Kbd size="xs">Ctrl Z</Kbd>}
          aria-keyshortcuts="Control+Z"
        >
          Undo
        </Button>
      </Group>
    ),
  });
  onAnyScreen(id);
}

function takeAndSay(undoable: Undoable): void {
  takeBack(undoable).then(
    (words) => sayDone('Undone', words ?? `Taken back: ${undoable.title}.`),
    (error: unknown) => void sayFailed('That could not be undone', `${undoable.title}: ${messageOf(error)}`),
  );
}

/** Takes back what this window did last, however long ago; says so where there is nothing. */
export function undoLast(): void {
  const last = lastUndoable();
  if (last) {
    // Its notice offers what is being done.
    const shown = notificationsStore.getState().notifications.find(({ title }) => title === last.title);
    if (shown?.id !== undefined) notifications.hide(shown.id);
    takeAndSay(last);
  } else
    sayDone(
      'Nothing to undo',
      isAllTakenBack()
        ? 'All that this window deleted was taken back, as far as it could be. What else was deleted is under Recently deleted.'
        : 'This window has deleted nothing since it was opened. What was deleted before is under Recently deleted.',
    );
}

/** Id to undo a delete, and the time until which that works. */
export interface KeptUntil {
  readonly id: string;
  readonly until: string;
}

/** Shows a notice of a delete that offers to undo it for a while. */
export function announceDeleted(words: string, { id, until }: KeptUntil): void {
  sayUndoable(words, restorableUntil(parseInstant(until) ?? 0), () => ask('undo.restore', { undo_id: id }));
}

/** The end of every warning of what can be undone. */
export function restorableUntil(until: Micros): string {
  return `You can restore it until ${formatDay(until)}.`;
}

/** Until when what is deleted now can be had back, in words. */
export async function readUntil(): Promise<string> {
  const { keep_days } = await ask('settings.get', {});
  return restorableUntil(nowMicros() + keep_days * 86_400e6);
}
