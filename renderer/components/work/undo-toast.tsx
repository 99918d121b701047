import { Button, Group, Kbd, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { parseInstant, type Micros } from '#shared/time.ts';
import { ask, messageOf } from '../../bridge/ask.ts';
import { useDialog } from '../../stores/dialog.ts';
import { formatDay, nowMicros } from '../../time.ts';
import { onAnyScreen, sayDone, sayFailed } from './notices.ts';

const SHOWN_MS = 10_000;

/** What can be taken back just now, the latest last: by the key, whichever screen is shown. */
const undoable: (() => void)[] = [];

/** Says that something is done, and for a while offers to take it back, by Ctrl+Z as well. */
export function sayUndoable(title: string, message: string, undo: () => Promise<unknown>): void {
  const take = () => {
    notifications.hide(id);
    undo().then(
      () => sayDone('Undone', `“${title}”: all is as it was before.`),
      (error: unknown) => void sayFailed('That could not be undone', messageOf(error)),
    );
  };
  const forget = () => {
    const at = undoable.indexOf(take);
    if (at >= 0) undoable.splice(at, 1);
    if (undoable.length === 0) window.removeEventListener('keydown', byKey);
  };
  if (undoable.length === 0) window.addEventListener('keydown', byKey);
  undoable.push(take);
  const id = notifications.show({
    title,
    autoClose: SHOWN_MS,
    color: 'teal',
    onClose: forget,
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

function byKey(event: KeyboardEvent): void {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
  // What is entered somewhere has an undo of its own.
  const entering = (event.target as Element).closest('input, textarea, [contenteditable]');
  if (!isUndo || entering || useDialog.getState().open) return;
  event.preventDefault();
  undoable.at(-1)?.();
}

/** How something that was deleted is had back, and until when. */
export interface KeptUntil {
  readonly id: string;
  readonly until: string;
}

/** Says that something was deleted, and for a while offers to have it back at once. */
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
