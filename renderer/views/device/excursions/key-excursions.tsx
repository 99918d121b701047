import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { Excursions } from '#shared/operations/records/excursions.ts';
import type { Device } from '#shared/schema/schemas.ts';
import { exportStem, fileName } from '#shared/values/file-name.ts';
import { messageOf } from '../../../bridge/ask.ts';
import { shareOf } from '../../../chart/states/excursion-strip.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { roughDuration } from '../../../components/facts/duration-words.ts';
import { nameOfKey, normalText } from '../../../components/facts/key-words.ts';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { May } from '../../../components/work/may.tsx';
import { sayDone, sayFailed } from '../../../components/work/notices.ts';
import { saveDownload } from '../../../components/work/save-download.ts';
import { formatCount } from '../../../format.ts';
import type { Zone } from '../../../time.ts';
import times from '../times/times-panel.module.css';
import { excursionColumns } from './excursion-columns.tsx';
import { excursionRows } from './excursion-rows.ts';
import classes from './excursions-panel.module.css';

interface KeyExcursionsProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly told: Excursions;
  readonly settings: KeySettings;
  readonly zone: Zone;
  readonly hrefOf: (window: TimeSpan) => string;
}

/** The excursions of one key, and the times that it was not measured. */
export function KeyExcursions({ project_id, device, told, settings, zone, hrefOf }: KeyExcursionsProps) {
  const [isSaving, setIsSaving] = useState(false);
  const { key, inside_us, outside_us, not_measured_us, longest_gap_us: gap } = told;
  const rows = useMemo(() => excursionRows(told), [told]);
  const columns = excursionColumns({ settings, zone, hrefOf });
  const name = nameOfKey(key, settings);
  const all = told.excursion_count + told.not_measured_count;
  const figures = [
    ['In range', inside_us, false],
    ['Outside', outside_us, told.excursion_count > 0],
    ['Not measured', not_measured_us, false],
  ] as const;
  const save = async () => {
    setIsSaving(true);
    try {
      const { start, end } = told;
      const stem = exportStem(`${device.name}_${key}`, start.slice(0, 10), end.slice(0, 10));
      const download = {
        id: 'excursions.export',
        input: { project_id, device_id: device.id, key, start, end },
        name: fileName(`${stem}_excursions`, 'csv'),
      } as const;
      const saved = await saveDownload(download, new AbortController().signal);
      if (saved) sayDone('Excursions saved', saved.name);
    } catch (error) {
      sayFailed('The excursions were not saved', messageOf(error));
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <section className={times['places']} aria-label={`Excursions of ${name}`}>
      <div className={classes['head']}>
        <dl className={classes['told']}>
          {figures.map(([label, us, isOutside]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd data-outside={isOutside}>
                {us > 0
                  ? `${roughDuration(us / 1e6)} (${shareOf(us, told)})`
                  : isOutside
                    ? 'single readings'
                    : 'none'}
              </dd>
            </div>
          ))}
        </dl>
        <May to="excursions.export">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            loading={isSaving}
            onClick={() => void save()}
          >
            Save as CSV
          </Button>
        </May>
      </div>
      <Text size="sm" c="dimmed">
        {`The normal range is ${normalText(settings)}. `}
        {gap === null
          ? 'A value counts until the next one.'
          : `A value counts until the next one; a silence of more than ${roughDuration(gap / 1e6)} is not measured.`}
        {all > rows.length &&
          ` The first ${formatCount(rows.length)} of ${formatCount(all)} are listed; the CSV file has all of them.`}
      </Text>
      {rows.length > 0 && (
        <VirtualTable
          label={`Excursions of ${name}`}
          rows={rows}
          columns={columns}
          rowKey={({ id }) => String(id)}
        />
      )}
    </section>
  );
}
