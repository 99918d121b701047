import { ActionIcon, Group, Text, UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconFile,
  IconHelpCircle,
  IconLoader2,
  IconX,
} from '@tabler/icons-react';
import { formatBytes } from '../../format.ts';
import { isNotImported, type FileItem } from '../../import/files/file-items.ts';
import { doneWords, fileStateOf, fileStateWords } from '../../import/files/file-state.ts';
import classes from './import-screen.module.css';

const UNDER_WAY = {
  inspecting: { icon: IconLoader2, words: 'Looking at it', color: 'dimmed' },
  importing: { icon: IconLoader2, words: 'Importing', color: 'petrol' },
} as const;

const STATE_LOOKS = {
  ready: { icon: IconFile, color: 'dimmed' },
  'rows-left-out': { icon: IconAlertTriangle, color: 'var(--mantine-color-text)' },
  'needs-choice': { icon: IconHelpCircle, color: 'danger' },
  'cannot-import': { icon: IconAlertTriangle, color: 'danger' },
} as const;

/** How a file stands, in a word, with its sign. */
function lookOf(item: FileItem) {
  const { state } = item;
  if (state.name === 'done')
    return { icon: IconCheck, words: doneWords(state.result), color: 'var(--mantine-color-text)' };
  if (state.name !== 'choosing' && state.name !== 'unreadable') return UNDER_WAY[state.name];
  if (isNotImported(state)) return { icon: IconAlertTriangle, words: 'Not imported', color: 'danger' };
  const own = fileStateOf(item);
  const words = fileStateWords(own);
  if (own.name === 'ready' && own.guesses > 0)
    return { icon: IconHelpCircle, words, color: 'var(--mantine-color-text)' };
  return { ...STATE_LOOKS[own.name], words };
}

interface FileRowProps {
  readonly item: FileItem;
  readonly target: string;
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly onRemove: () => void;
}

/** A file of the list: its name, where it goes, and how it stands. */
export function FileRow({ item, target, isShown, onShow, onRemove }: FileRowProps) {
  const { file, state } = item;
  const { icon: Icon, words, color } = lookOf(item);
  return (
    <Group gap={2} wrap="nowrap" align="start">
      <UnstyledButton className={classes['file'] ?? ''} aria-pressed={isShown} onClick={onShow}>
        <Text size="sm" fw={500} truncate dir="auto" title={file.name}>
          {file.name}
        </Text>
        <Text size="xs" c="dimmed" truncate title={target}>
          {formatBytes(file.size)} → <bdi>{target}</bdi>
        </Text>
        <Group gap={4} wrap="nowrap" align="start" c={color}>
          <Icon size={13} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <Text size="xs" style={{ textWrap: 'balance' }}>
            {words}
          </Text>
        </Group>
      </UnstyledButton>
      {state.name !== 'importing' && (
        <ActionIcon variant="subtle" size="sm" mt={4} aria-label={`Remove ${file.name}`} onClick={onRemove}>
          <IconX size={14} />
        </ActionIcon>
      )}
    </Group>
  );
}
