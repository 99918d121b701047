import { NativeSelect, TextInput } from '@mantine/core';
import { TIME_KINDS, type Inspection } from '#shared/operations/records/records.ts';
import { parseInstant } from '#shared/values/time.ts';
import { zoneOffset } from '../time.ts';
import { KIND_LABELS, RECEIPT, timeChoices } from './import-options.ts';
import type { ImportChoices } from './import-choices.ts';
import classes from './rows-table.module.css';

interface TimeHeadProps {
  readonly inspection: Inspection;
  readonly choices: ImportChoices;
  readonly onChange: (choices: ImportChoices) => void;
}

/** The head of the times as they are stored: the column that they are read from, what that holds, and since when. */
export function TimeHead({ inspection, choices, onChange }: TimeHeadProps) {
  const { time_column, time_kind, time_format, first } = inspection;
  const set = (changed: ImportChoices) => onChange({ ...choices, ...changed });
  const at = parseInstant(first ?? '');
  const isChosen = choices.time_column === '' || time_column !== null;
  return (
    <div className={classes['head']}>
      <div className={classes['title']}>Time{at !== null && ` in ${zoneOffset(at)}`}</div>
      {inspection.format === 'csv' && (
        <>
          <NativeSelect
            size="xs"
            aria-label="Time column"
            title={time_format ?? 'No column of times was recognised'}
            data={[
              ...(isChosen ? [] : [{ value: '', label: 'Choose the column' }]),
              ...timeChoices(inspection),
            ]}
            value={choices.time_column === '' ? RECEIPT : (time_column ?? '')}
            onChange={({ currentTarget: { value } }) => set({ time_column: value === RECEIPT ? '' : value })}
          />
          {time_kind !== null && (
            <NativeSelect
              size="xs"
              aria-label="Times are"
              data={TIME_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
              value={time_kind}
              onChange={({ currentTarget: { value } }) =>
                set({ time_kind: TIME_KINDS.find((one) => one === value) })
              }
            />
          )}
          {inspection.start_needed && (
            <TextInput
              size="xs"
              label="The recording began"
              // The field keeps what is being typed; the service is asked when it is left.
              key={choices.started ?? ''}
              defaultValue={choices.started ?? ''}
              onBlur={(event) => set({ started: event.currentTarget.value.trim() })}
            />
          )}
        </>
      )}
      {time_format !== null && !inspection.start_needed && (
        <div className={classes['written']} title={time_format}>
          {time_format}
        </div>
      )}
    </div>
  );
}
