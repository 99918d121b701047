import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '#shared/operations/service/audit.ts';
import { parseInstant } from '#shared/values/time.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import { countOf } from '../../../format.ts';
import { aboutOf, actionOf, changeLines, whoOf } from './audit-words.ts';
import classes from './audit-part.module.css';

/** Lines of an entry that are shown at first. */
const FIRST_LINES = 6;

/** Entries of the audit trail, the last first. */
export function AuditList({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <ol className={classes['list']} aria-label="Audit trail">
      {entries.map((entry) => (
        <li key={entry.n} className={classes['entry']}>
          <Entry entry={entry} />
        </li>
      ))}
    </ol>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const about = aboutOf(entry);
  return (
    <Stack gap={2}>
      <Group gap="xs" align="baseline">
        <Text size="sm" fw={600}>
          {actionOf(entry)}
        </Text>
        {about !== '' && <Text size="sm">{about}</Text>}
      </Group>
      <Text size="sm" c="dimmed">
        <Moment at={parseInstant(entry.time) ?? 0} coarse /> · {whoOf(entry)}
        {entry.reason !== undefined && ` · ${entry.reason}`}
      </Text>
      <Changes entry={entry} />
    </Stack>
  );
}

function Changes({ entry: { n, changes, more_changes } }: { readonly entry: AuditEntry }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = changes.flatMap(changeLines);
  if (lines.length === 0) return null;
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES);
  const left = lines.length - shown.length;
  return (
    <>
      <List size="sm" listStyleType="none" className={classes['lines'] ?? ''}>
        {shown.map((line, i) => (
          <List.Item key={`${i} ${line}`}>{line}</List.Item>
        ))}
      </List>
      {left > 0 && (
        <Group>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`Show ${countOf(left, 'further line')} of entry ${n}`}
            onClick={() => setIsWhole(true)}
          >
            {countOf(left, 'further line')}
          </Button>
        </Group>
      )}
      {isWhole && more_changes > 0 && (
        <Text size="sm" c="dimmed">
          and {countOf(more_changes, 'row')} more, which an export has.
        </Text>
      )}
    </>
  );
}
