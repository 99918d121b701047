import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconAdjustmentsCheck } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { matches } from '#shared/values/text.ts';
import { useMay } from '../../../bridge/distant.ts';
import { messageOf } from '../../../bridge/ask.ts';
import { lineWords } from '../../../components/corrections/correction-words.ts';
import { useCalled } from '../../../components/corrections/use-called.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { SearchField } from '../../../components/screen/search-field.tsx';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf } from '../../../format.ts';
import { goTo, hrefTo, keepAddress } from '../../../router.ts';
import { corrections, useCorrections } from '../../../stores/corrections.ts';
import { deviceKey, type DeviceDetail } from '../../../stores/devices.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import { useAsksForReason } from '../../../stores/projects.ts';
import type { DeviceShown, ListShown } from '../device-address.ts';
import { removeCorrection } from './change-corrections.ts';
import { correctionColumns } from './correction-columns.tsx';
import { CorrectionHistory } from './correction-history.tsx';
import { NewCorrection } from './new-correction.tsx';
import { openCorrection } from './open-correction.ts';
import { overruled } from './overruled.ts';
import { windowOf } from './window-of.ts';

interface CorrectionsPanelProps extends Pick<DeviceShown, 'chart'> {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  /** `open` is "history", or the correction whose versions are shown. */
  readonly list: ListShown;
}

/** As `open` of the address names the versions of all corrections. */
const ALL_VERSIONS = 'history';

/** What is corrected of a device's records: those that hold, and what they and others were before. */
export function CorrectionsPanel({ project_id, detail: { device }, chart, list }: CorrectionsPanelProps) {
  const device_id = device.id;
  const { value, error } = corrections.useValue(deviceKey(project_id, device_id));
  const { list: all, revision } = useCorrections(project_id, device_id);
  const zone = chart?.zone ?? 'local';
  const called = useCalled({ project_id, device_id }, useKeySettings(project_id), zone);
  const [search, setSearch] = useState(list.find ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const mayChange = useMay('corrections.update');
  const mayRemove = useMay('corrections.delete');
  const isAsked = useAsksForReason(project_id);
  const shown = useMemo(
    () => all.filter((each) => matches(search, lineWords(each, called), each.by)),
    [all, search, called],
  );
  const columns = useMemo(() => {
    const at = { screen: 'device', project_id, device_id, tab: 'chart' } as const;
    const remove = (correction: ShownCorrection) => {
      setProblem(null);
      const line = lineWords(correction, called);
      if (isAsked) openDialog({ kind: 'remove-correction', project_id, correction, line });
      else
        removeCorrection(project_id, correction, line).catch((reason: unknown) =>
          setProblem(messageOf(reason)),
        );
    };
    return correctionColumns(called, {
      hrefOf(correction) {
        const window = windowOf(correction);
        // Its times are stored ones: there the raw view has them where they were.
        const raw = correction.kind === 'time' && ({ view: 'both' } as const);
        return hrefTo({ ...at, chart: { ...chart, ...raw, ...(window && { window }) } });
      },
      change: mayChange ? (correction) => openCorrection({ project_id, device, zone, correction }) : null,
      remove: mayRemove ? remove : null,
      history: ({ id }) => goTo({ ...at, tab: 'corrections', ...(chart && { chart }), list: { open: id } }),
      overruled: overruled(all),
    });
  }, [project_id, device_id, device, chart, zone, called, all, mayChange, mayRemove, isAsked]);

  if (error !== null && !value) return <Problem message={error} onRetry={corrections.reload} />;
  if (!value) return <Loading flex={1} label="Loading the corrections" />;
  const here = {
    screen: 'device',
    project_id,
    device_id,
    tab: 'corrections',
    ...(chart && { chart }),
  } as const;
  const isHistory = list.open !== undefined;
  return (
    <>
      {error !== null && <Problem message={error} onRetry={corrections.reload} />}
      {problem !== null && <Problem message={problem} />}
      <Group gap="sm">
        <SegmentedControl
          aria-label="Corrections"
          value={isHistory ? 'history' : 'now'}
          onChange={(next) => goTo(next === 'now' ? here : { ...here, list: { open: ALL_VERSIONS } })}
          data={[
            { value: 'now', label: 'In force' },
            { value: 'history', label: 'History' },
          ]}
        />
        {!isHistory && all.length > 0 && (
          <>
            <SearchField
              label="Search corrections"
              value={search}
              onChange={(next) => {
                setSearch(next);
                keepAddress({ ...here, ...(next !== '' && { list: { find: next } }) });
              }}
            />
            <Text size="sm" c="dimmed" role="status">
              {shown.length === all.length
                ? countOf(all.length, 'correction')
                : `${shown.length} of ${countOf(all.length, 'correction')}`}
            </Text>
          </>
        )}
        {isHistory && list.open !== ALL_VERSIONS && (
          <Button variant="subtle" onClick={() => goTo({ ...here, list: { open: ALL_VERSIONS } })}>
            Show the history of all
          </Button>
        )}
        <NewCorrection {...{ project_id, device, zone }} />
      </Group>
      {isHistory ? (
        <CorrectionHistory
          {...{ project_id, device_id, called, revision }}
          {...(list.open !== ALL_VERSIONS && { correction_id: list.open })}
        />
      ) : all.length === 0 ? (
        <Empty icon={IconAdjustmentsCheck} title="No corrections">
          What was stored never changes. What is known better of it is a correction: select a span in the
          chart to mark it as bad, to calibrate it, or to put its clock right.
        </Empty>
      ) : (
        <>
          {shown.length === 0 && <Text c="dimmed">No correction matches “{search}”.</Text>}
          {shown.length > 0 && (
            <VirtualTable
              label="Corrections"
              rows={shown}
              columns={columns}
              rowKey={({ id }) => id}
              density="tall"
            />
          )}
        </>
      )}
    </>
  );
}
