import { Anchor, Button, Center } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMay } from '../../../../bridge/distant.ts';
import { May } from '../../../../components/work/may.tsx';
import { Empty } from '../../../../components/screen/empty.tsx';
import { Moment } from '../../../../components/facts/moment.tsx';
import { hrefTo } from '../../../../router.ts';
import type { EmptyReason } from './empty-reason.ts';
import { RestoreRecords } from './restore-records.tsx';
import { RefusedLately } from './refused-lately.tsx';

interface ChartEmptyProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly reason: EmptyReason;
  readonly onImport: () => void;
  readonly onShowAll: () => void;
}

/** Answers "why is this chart empty?" where the chart would be, with the way on. */
export function ChartEmpty({ project_id, device_id, reason, onImport, onShowAll }: ChartEmptyProps) {
  const { title, text } = wordsOf(reason);
  const decoder = hrefTo({ screen: 'device', project_id, device_id, tab: 'decoder' });
  const isOutOfRange = reason.kind === 'out-of-range';
  const mayImport = useMay('records.import');
  const isGone = reason.kind === 'purged' || reason.kind === 'removed';
  const canImport = mayImport && (reason.kind === 'never-stored' || isGone);
  return (
    <Center flex={1} data-testid="chart-empty">
      <Empty
        icon={IconChartLine}
        title={title}
        action={
          isOutOfRange ? (
            <Button onClick={onShowAll}>Show all time</Button>
          ) : (
            canImport && (
              <Button variant="light" onClick={onImport}>
                Import a recording
              </Button>
            )
          )
        }
      >
        {text}
        {reason.kind === 'not-decoded' && (
          <May to="functions.list">
            {' '}
            <Anchor href={decoder} inherit underline="always">
              See Decoder
            </Anchor>
          </May>
        )}
        {isGone && (
          <May to="undo.list">
            <RestoreRecords device_id={device_id} />
          </May>
        )}
        <May to="requests.list">
          <RefusedLately project_id={project_id} device_id={device_id} />
        </May>
      </Empty>
    </Center>
  );
}

function wordsOf(reason: EmptyReason): { title: string; text: ReactNode } {
  switch (reason.kind) {
    case 'never-stored':
      return {
        title: 'This device has never stored anything',
        text: 'Send a first reading with its token (see Connect), or drop a CSV or NDJSON recording on this page.',
      };
    case 'purged':
      return {
        title: 'The data was purged',
        text: (
          <>
            Purged at <Moment at={reason.at} coarse />; nothing has been stored since.
          </>
        ),
      };
    case 'removed':
      return {
        title: 'No records left',
        text: 'The device has stored records, and all of them were deleted since.',
      };
    case 'not-decoded':
      return {
        title: 'Bytes came, and no values',
        text: 'None of the payloads was decoded. They are kept, and can be decoded again once the decoder is mended.',
      };
    case 'no-numbers':
      return {
        title: 'No numeric keys',
        text: `The records hold text only (${reason.keys.slice(0, 5).join(', ')}${reason.keys.length > 5 ? ', …' : ''}). The table shows them.`,
      };
    case 'no-keys-picked':
      return { title: 'No key is selected', text: 'Select at least one of the keys above.' };
    case 'out-of-range':
      return {
        title: `Nothing in range: ${reason.range.toLowerCase()}`,
        text: reason.last !== null && (
          <>
            The newest record is from <Moment at={reason.last} />.
          </>
        ),
      };
  }
}
