import { Select, TextInput } from '@mantine/core';
import { SearchSelect } from '../../../components/dialog/search-select.tsx';
import { formatCount, shortened } from '../../../format.ts';
import { everyDevice } from '../../../stores/devices.ts';
import type { SimulationDraft } from './simulation-draft.ts';

interface ReplayFieldsProps {
  readonly draft: SimulationDraft;
  readonly problems: Readonly<Record<string, string>>;
  /** The device that is simulated. */
  readonly device_id: string;
  readonly onChange: (change: Partial<SimulationDraft>) => void;
}

/** Options that a list shows at once; typing finds the others. */
const MOST_OPTIONS = 100;

/** Whose records are stored once more, at which times and how fast. */
export function ReplayFields({ draft, problems, device_id, onChange }: ReplayFieldsProps) {
  everyDevice.useWatch('all');
  const { value } = everyDevice.useValue('all');
  const recorded = value?.filter(({ device }) => device.records > 0 && device.id !== device_id) ?? [];
  return (
    <>
      <SearchSelect
        label="Records of"
        placeholder="Choose a device"
        nothingFoundMessage="No other device has records"
        limit={MOST_OPTIONS}
        data={recorded.map(({ device, project }) => ({
          value: device.id,
          label: `${shortened(device.name, 60)} (${shortened(project.name, 30)}, ${formatCount(device.records)})`,
        }))}
        value={draft.from || null}
        error={problems['from']}
        onChange={(from) => onChange({ from: from ?? '' })}
      />
      <Select
        label="Times"
        allowDeselect={false}
        data={[
          { value: 'now', label: 'Moved to the present' },
          { value: 'kept', label: 'As they were' },
        ]}
        value={draft.times}
        onChange={(times) => onChange({ times: times === 'kept' ? 'kept' : 'now' })}
      />
      <TextInput
        label="Times as fast"
        placeholder="all at once"
        value={draft.speed}
        error={problems['speed']}
        onChange={(event) => onChange({ speed: event.currentTarget.value })}
      />
    </>
  );
}
