import { Button, Group, List, Loader, SegmentedControl, Text } from '@mantine/core';
import type { ReactNode } from 'react';
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

interface FileReportProps {
  readonly project_id: string;
  readonly item: FileItem;
  /** What was seen of how the file is read; it stands in the same place while the file is read. */
  readonly said: readonly Said[];
  /** What can be opened of it. */
  readonly action: ReactNode;
}

export interface Said {
  readonly name: string;
  readonly words: string;
}

/** What the whole file holds, beyond its first rows, and what becomes of what is there already. */
export function FileReport({ project_id, item, said, action }: FileReportProps) {
  const { report, existing, id, file } = item;
  const found = report.state === 'read' ? report.found : null;
  return (
    <div className={classes['report']}>
      {report.state === 'failed' && <Problem message={report.problem} />}
      {report.state !== 'failed' && found === null && (
        <Group gap="xs" role="status" align="start" wrap="nowrap">
          <Loader size={14} mt={3} />
          <Text size="sm" c="dimmed">
            {report.state === 'reading'
              ? `Reading the whole file: ${formatBytes(report.done)} of ${formatBytes(file.size)}. You need not wait for it.`
              : 'The whole file is about to be read.'}
          </Text>
        </Group>
      )}
      <div role={found ? 'status' : undefined} aria-label={found ? 'The whole file' : undefined}>
        {found && (
          <div className={classes['found']}>
            <Text size="sm" fw={600}>
              {foundWords(found)}
            </Text>
            {action}
          </div>
        )}
        <ul className={classes['facts']}>
          <SaidFacts said={said} />
          {found?.errors.slice(0, 3).map(({ line, message }) => (
            <li key={line}>
              Line {line}: {screenWords(message)}
            </li>
          ))}
          {/* Of no times nothing is to be said. */}
          {found && found.records > 0 && (
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
        {found && found.present !== null && found.present > 0 && (
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
    </div>
  );
}

/** What was seen of how a file is read, where there is no report on it. */
export function SaidAlone({ said }: Pick<FileReportProps, 'said'>) {
  if (said.length === 0) return null;
  return (
    <ul className={classes['facts']}>
      <SaidFacts said={said} />
    </ul>
  );
}

const SaidFacts = ({ said }: Pick<FileReportProps, 'said'>) =>
  said.map(({ name, words }) => (
    <li key={name} data-testid={name}>
      {words}
    </li>
  ));

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
