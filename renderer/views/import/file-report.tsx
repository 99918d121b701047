import { Button, Group, List, Loader, SegmentedControl, Text } from '@mantine/core';
import { parseInstant } from '#shared/values/time.ts';
import { Moment } from '../../components/facts/moment.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { countOf, formatBytes } from '../../format.ts';
import type { FileItem } from '../../import/files/file-items.ts';
import { enter } from '../../import/files/look-at-files.ts';
import { foundWords } from '../../import/found-words.ts';
import { durationText } from '../../components/facts/duration-words.ts';
import { screenWords } from '../../bridge/screen-words.ts';
import { zoneOffset } from '../../time.ts';
import { Gaps, StepsBack } from './gaps.tsx';
import classes from './import-screen.module.css';

/** What the whole file holds, beyond its first rows, and what becomes of what is there already. */
export function FileReport({ project_id, item }: { readonly project_id: string; readonly item: FileItem }) {
  const { report, existing, id, file } = item;
  if (report.state === 'failed') return <Problem message={report.problem} />;
  if (report.state !== 'read')
    return (
      <Group gap="xs" role="status" align="start" className={classes['report'] ?? ''}>
        <Loader size={14} />
        <Text size="sm" c="dimmed">
          {report.state === 'waiting'
            ? 'The whole file is about to be read.'
            : `Reading the whole file: ${formatBytes(report.done)} of ${formatBytes(file.size)}. You need not wait for it.`}
        </Text>
      </Group>
    );
  const { found } = report;
  return (
    <div role="status" aria-label="The whole file" className={classes['report']}>
      <Text size="sm" fw={600}>
        {foundWords(found)}
      </Text>
      <ul className={classes['facts']}>
        {found.errors.slice(0, 3).map(({ line, message }) => (
          <li key={line}>
            Line {line}: {screenWords(message)}
          </li>
        ))}
        {/* Of no times nothing is to be said. */}
        {found.records > 0 && (
          <>
            <li>
              {found.repeated === 0 ? 'No time comes twice' : countOf(found.repeated, 'repeated time')}
              <StepsBack found={found} />
            </li>
            <li>
              <Gaps found={found} none="No gaps" />
              {found.interval_us !== null && ` · usually ${durationText(found.interval_us / 1e6)} apart`}
            </li>
          </>
        )}
      </ul>
      {found.present !== null && found.present > 0 && (
        <Group gap="sm" mt={6}>
          <Text size="sm" fw={600}>
            {countOf(found.present, 'record is', 'records are')} already stored:
          </Text>
          <SegmentedControl
            size="xs"
            aria-label="Records that are already stored"
            value={existing}
            onChange={(value) => enter(project_id, id, { existing: value })}
            data={[
              { value: 'skip', label: 'Skip them' },
              { value: 'add', label: 'Add them again' },
            ]}
          />
        </Group>
      )}
    </div>
  );
}

/** A file that is in: what was stored, what was not, and the way to it. */
export function FileOutcome({
  item,
  onOpen,
}: {
  readonly item: FileItem;
  readonly onOpen: (device_id: string) => void;
}) {
  if (item.state.name !== 'done') return null;
  const { result, device_id } = item.state;
  const [first, last] = [parseInstant(result.first ?? ''), parseInstant(result.last ?? '')];
  return (
    <div role="status">
      <Text fw={600}>{countOf(result.stored, 'record')} imported</Text>
      {first !== null && last !== null && (
        <Text size="sm">
          From <Moment at={first} /> to <Moment at={last} /> ({zoneOffset(last)}).
        </Text>
      )}
      {result.notes.map((note) => (
        <Text size="sm" key={note}>
          {screenWords(note)}
        </Text>
      ))}
      {result.skipped > 0 && (
        <Text size="sm" fw={600} mt="xs">
          {countOf(result.skipped, 'row')} left out
        </Text>
      )}
      <List size="sm" mt={4}>
        {result.errors.map(({ line, message }) => (
          <List.Item key={line}>
            Line {line}: {screenWords(message)}
          </List.Item>
        ))}
      </List>
      <Button mt="sm" size="xs" variant="default" onClick={() => onOpen(device_id)}>
        Open the device
      </Button>
    </div>
  );
}
