import { Button, Group, Text } from '@mantine/core';
import { countOf, shortened } from '../../format.ts';
import type { FileItem } from '../../import/files/file-items.ts';
import { ofOtherKinds, othersOfKind, readAlike } from '../../import/files/file-kinds.ts';
import { joinKind, partFile } from '../../import/files/look-at-files.ts';

interface KindLineProps {
  readonly project_id: string;
  readonly item: FileItem;
  readonly items: readonly FileItem[];
}

/** For which other files a choice holds, too, and the way to choose for this file alone; nothing where it is the only one of its kind. */
export function KindLine({ project_id, item, items }: KindLineProps) {
  const { id, isParted } = item;
  const others = othersOfKind(item, items).length;
  if (others === 0) return null;
  const alike = readAlike(item, items).length;
  return (
    <Group gap="xs" role="status" aria-label="Files of this kind">
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {wordsOf({ isParted, alike, others, strangers: ofOtherKinds(item, items) })}
      </Text>
      {(isParted || alike > 0) && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => (isParted ? joinKind : partFile)(project_id, id)}
        >
          {isParted ? 'Read it as the others' : 'Only this file'}
        </Button>
      )}
    </Group>
  );
}

interface Counts {
  readonly isParted: boolean;
  /** Others that are read alike, and all others of the kind. */
  readonly alike: number;
  readonly others: number;
  /** Those of other kinds. */
  readonly strangers: readonly FileItem[];
}

const MOST_LETTERS = 40;

const ofKind = (count: number) => `${countOf(count, 'other file')} of this kind`;

function wordsOf({ isParted, alike, others, strangers }: Counts): string {
  if (isParted) return `What is chosen is for this file alone, not for ${ofKind(others)}.`;
  const own = others - alike;
  const [stranger] = strangers;
  const said = [
    alike > 0 && `What is chosen is also for ${ofKind(alike)}`,
    own > 0 &&
      `${alike > 0 ? countOf(own, 'more', 'more') : ofKind(own)} ${own === 1 ? 'is read on its' : 'are read on their'} own`,
    stranger &&
      (strangers.length === 1
        ? `“${shortened(stranger.file.name, MOST_LETTERS)}” is of another kind`
        : `${countOf(strangers.length, 'file is', 'files are')} of other kinds`),
  ];
  return `${said.filter((part) => typeof part === 'string').join(' · ')}.`;
}
