import { List, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconInfoCircle, IconTool } from '@tabler/icons-react';
import type { Storage } from '#shared/operations/service/storage.ts';
import { formatCount } from '../../../format.ts';
import { Part } from '../parts.tsx';
import { MEANINGS } from './repair-words.ts';

/** Repairs of one kind that are listed; the log has all. */
const MOST = 5;

interface RepairedPartProps {
  readonly repaired: Storage['repaired'];
  /** All that the start had to say; what is no repair of records stands here as well. */
  readonly notes: readonly string[];
}

/** Findings and repairs of the last start, with their meaning. */
export function RepairedPart({ repaired, notes }: RepairedPartProps) {
  const kinds = [...Map.groupBy(repaired, ({ kind }) => kind)];
  const said = new Set(repaired.map(({ message }) => message));
  const others = notes.filter((note) => !said.has(note));
  return (
    <Part title="Repaired at the last start">
      {kinds.length === 0 && others.length === 0 ? (
        <Text size="sm">
          <IconCircleCheck size={16} aria-hidden style={{ verticalAlign: '-3px' }} /> Nothing: it found
          everything as it had left it.
        </Text>
      ) : (
        <Stack gap="sm">
          {kinds.map(([kind, found]) => (
            <Repair key={kind} title={MEANINGS[kind].title} means={MEANINGS[kind].means} icon={IconTool}>
              {found.map(({ message }) => message)}
            </Repair>
          ))}
          {others.length > 0 && (
            <Repair title="Said at the start" icon={IconInfoCircle}>
              {others}
            </Repair>
          )}
        </Stack>
      )}
    </Part>
  );
}

interface RepairProps {
  readonly title: string;
  readonly means?: string;
  readonly icon: typeof IconTool;
  readonly children: readonly string[];
}

function Repair({ title, means, icon: Icon, children }: RepairProps) {
  const more = children.length - MOST;
  return (
    <div>
      <Text size="sm" fw={600}>
        <Icon size={16} aria-hidden style={{ verticalAlign: '-3px' }} /> {title}
      </Text>
      {means !== undefined && <Text size="sm">{means}</Text>}
      <List size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {children.slice(0, MOST).map((message) => (
          <List.Item key={message}>{message}</List.Item>
        ))}
        {more > 0 && <List.Item>and {formatCount(more)} more, which the log has</List.Item>}
      </List>
    </div>
  );
}
