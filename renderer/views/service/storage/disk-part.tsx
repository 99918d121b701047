import { Alert, Anchor, Progress, SimpleGrid, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { parseInstant } from '#shared/values/time.ts';
import type { Storage } from '#shared/operations/service/storage.ts';
import { Copyable } from '../../../components/facts/copyable.tsx';
import { Moment } from '../../../components/facts/moment.tsx';
import { countOf, formatBytes } from '../../../format.ts';
import { hrefTo } from '../../../router.ts';
import { Fact, Part } from '../parts.tsx';

interface DiskPartProps {
  readonly storage: Storage;
  readonly directory: string | null;
  /** Whether memory is in the place of the disk. */
  readonly isInMemory: boolean;
}

/** The disk: how full it is, and what of it is Fieldbench's. */
export function DiskPart({
  storage: { disk, projects, elsewhere, kept },
  directory,
  isInMemory,
}: DiskPartProps) {
  const place = isInMemory ? 'memory' : 'disk';
  const bytes = projects.reduce((sum, held) => sum + held.bytes, elsewhere.bytes);
  const records = projects.reduce((sum, held) => sum + held.records, elsewhere.records);
  const usedShare = disk.total === 0 ? 0 : (100 * (disk.total - disk.free)) / disk.total;
  const free = `${formatBytes(disk.free)} free of ${formatBytes(disk.total)}`;
  return (
    <Part title={isInMemory ? 'Memory' : 'Disk'}>
      {disk.is_low && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle size={18} />}
          title={`The ${place} is nearly full`}
        >
          Below 5 % free, what was deleted is removed for good before its time; once it is full no record is
          accepted. Make room, or delete for good what is not needed any more.
        </Alert>
      )}
      <div>
        <Text size="sm" mb={4}>
          {free}
        </Text>
        <Progress
          value={usedShare}
          color={disk.is_low ? 'yellow' : 'petrol'}
          aria-label={`Used ${isInMemory ? 'of the memory' : 'on the disk'}: ${Math.round(usedShare)} %, ${free}`}
        />
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md" verticalSpacing="sm">
        <Fact label="Records">
          {countOf(records, 'record')} take {formatBytes(bytes)}
        </Fact>
        <Fact label="Recently deleted">
          {kept.until === null ? (
            'Nothing is kept'
          ) : (
            <>
              {formatBytes(kept.bytes)} in {countOf(kept.deletes, 'delete')}; the first goes for good on{' '}
              <Moment at={parseInstant(kept.until) ?? 0} day />.{' '}
              <Anchor href={hrefTo({ screen: 'deleted' })} inherit underline="always">
                Look through them
              </Anchor>
            </>
          )}
        </Fact>
        {directory !== null && <Copyable label="Data directory" value={directory} />}
      </SimpleGrid>
    </Part>
  );
}
