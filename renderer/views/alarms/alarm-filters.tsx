import { SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { SearchSelect } from '../../components/dialog/search-select.tsx';
import { SearchField } from '../../components/screen/search-field.tsx';
import { shortened } from '../../format.ts';
import { compareNames } from '../../order.ts';
import { everyDevice } from '../../stores/devices.ts';
import { projects } from '../../stores/projects.ts';
import type { AlarmsShown, ShownState } from './alarms-address.ts';
import classes from './alarms-screen.module.css';
import type { AlarmsChange } from './use-alarms-shown.ts';

interface AlarmFiltersProps {
  readonly shown: AlarmsShown;
  /** Those that are listed: what they are called. */
  readonly alarms: readonly Alarm[];
  readonly onChange: (change: AlarmsChange) => void;
}

const LABELS = {
  due: 'To be seen',
  open: 'Open',
  ended: 'Ended',
  withdrawn: 'Withdrawn',
  all: 'All',
} as const;
const STATES = ['due', 'open', 'ended', 'withdrawn', 'all'] as const satisfies readonly ShownState[];
/** Options that a list shows at once; typing finds the others. */
const MOST_OPTIONS = 100;

/** The filter of the list: state, words, project, device. */
export function AlarmFilters({ shown, alarms, onChange }: AlarmFiltersProps) {
  const { value: found } = projects.useValue('all');
  const { value: placed } = everyDevice.useValue('all');
  const { project, device } = shown;
  const ofProjects = useMemo(
    () => (found ?? []).map(({ id, name }) => ({ value: id, label: shortened(name, 60) })),
    [found],
  );
  const ofDevices = useMemo(
    () =>
      (placed ?? [])
        .filter((one) => project === undefined || one.project.id === project)
        .map((one) => ({ value: one.device.id, label: shortened(one.device.name, 60) }))
        .toSorted((a, b) => compareNames(a.label, b.label)),
    [placed, project],
  );
  const projectOf = (id: string) =>
    placed?.find((one) => one.device.id === id)?.project.id ??
    alarms.find(({ device_id }) => device_id === id)?.project_id;
  return (
    <div role="search" aria-label="Filter of the alarms" className={classes['filters']}>
      <SegmentedControl
        aria-label="State"
        value={shown.state ?? 'due'}
        onChange={(next) => onChange({ state: STATES.find((one) => one === next) ?? null })}
        data={STATES.map((value) => ({ value, label: LABELS[value] }))}
      />
      <SearchField
        label="Search alarms"
        value={shown.find ?? ''}
        onChange={(find) => onChange({ find: find || null })}
      />
      <SearchSelect
        aria-label="Project"
        placeholder="Any project"
        nothingFoundMessage="No such project"
        clearable
        w={140}
        limit={MOST_OPTIONS}
        data={ofProjects}
        value={project ?? null}
        onChange={(next) => onChange({ project: next, device: null, rule: null })}
      />
      <SearchSelect
        aria-label="Device"
        placeholder="Any device"
        nothingFoundMessage="No such device"
        clearable
        w={140}
        limit={MOST_OPTIONS}
        data={ofDevices}
        value={device ?? null}
        onChange={(next) =>
          onChange({ device: next, ...(next !== null && { project: projectOf(next) ?? null, rule: null }) })
        }
      />
    </div>
  );
}
