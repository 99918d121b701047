import {
  Button,
  Input,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { DELIMITERS, ENCODINGS, TIME_KINDS, type Inspection } from '#shared/operations/records/records.ts';
import { SearchSelect } from '../components/dialog/search-select.tsx';
import { localZone } from '../time.ts';
import {
  DELIMITER_LABELS,
  ENCODING_LABELS,
  KIND_LABELS,
  MOST_OPTIONS,
  RECEIPT,
  timeChoices,
} from './import-options.ts';
import type { ImportChoices } from './import-sample.ts';
import { findZones, zoneOptions } from './zones.ts';

const ZONES = [...zoneOptions()];
const isZone = (option: object): option is (typeof ZONES)[number] => 'value' in option;

/** Years of two digits may come first, too. */
const isYearFirst = ({ date_order: order, doubts }: Inspection) =>
  order === 'year-first' || doubts.some(({ options }) => options.includes('year-first'));

interface ImportControlsProps {
  readonly inspection: Inspection;
  readonly choices: ImportChoices;
  /** Whether every control is shown, since something is wrong. */
  readonly all: boolean;
  readonly onChange: (choices: ImportChoices) => void;
}

/** What can be set right about how a file is read: what matters for this one, and the rest on request. */
export function ImportControls({ inspection, choices, all, onChange }: ImportControlsProps) {
  const [asked, setAsked] = useState(false);
  const more = asked || all;
  const isCsv = inspection.format === 'csv';
  const set = (changed: ImportChoices) => onChange({ ...choices, ...changed });
  const shown = (name: keyof ImportChoices, matters: boolean) =>
    more || matters || choices[name] !== undefined;
  const names = inspection.columns.map(({ name }) => name);
  const hasRowNumber = inspection.columns[0]?.role === 'row-number' || choices.row_numbers !== undefined;

  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {isCsv && (
          <SearchSelect
            label="Time column"
            description={inspection.time_format ?? 'None was recognised'}
            placeholder="Choose one"
            data={timeChoices(inspection)}
            limit={MOST_OPTIONS}
            nothingFoundMessage="No such column"
            value={choices.time_column === '' ? RECEIPT : inspection.time_column}
            onChange={(value) => set({ time_column: value === RECEIPT ? '' : (value ?? '') })}
            allowDeselect={false}
          />
        )}
        {isCsv && inspection.zone_needed && (
          <SearchSelect
            label="Time zone"
            description={
              inspection.start_needed
                ? 'In which the recording began.'
                : 'The file’s times carry none. In which were they written?'
            }
            data={ZONES}
            filter={({ options, search }) => [...findZones(options.filter(isZone), search)]}
            value={choices.zone ?? localZone()}
            onChange={(value) => set({ zone: value ?? localZone() })}
            allowDeselect={false}
            limit={200}
            nothingFoundMessage="No such zone"
          />
        )}
        {isCsv && inspection.start_needed && (
          <TextInput
            label="The recording began"
            description="Its times count from the start. As date and time in the zone."
            // The field keeps what is being typed; the service is asked when it is left.
            key={choices.started ?? ''}
            defaultValue={choices.started ?? ''}
            onBlur={(event) => set({ started: event.currentTarget.value.trim() })}
          />
        )}
        {isCsv && inspection.date_order !== null && shown('date_order', inspection.date_order_unsure) && (
          <Choice
            label="Date order"
            description={
              inspection.date_order_unsure
                ? 'The file’s dates can be read either way.'
                : 'What the file’s dates begin with.'
            }
            value={inspection.date_order}
            onChange={(date_order) => set({ date_order })}
            data={[
              { value: 'day-first', label: 'Day first' },
              { value: 'month-first', label: 'Month first' },
              ...(isYearFirst(inspection) ? [{ value: 'year-first' as const, label: 'Year first' }] : []),
            ]}
          />
        )}
        {isCsv && shown('decimal_mark', inspection.decimal_mark_unsure) && (
          <Choice
            label="Decimal mark"
            description="What stands before the decimals of numbers."
            value={inspection.decimal_mark ?? '.'}
            onChange={(decimal_mark) => set({ decimal_mark })}
            data={[
              { value: '.', label: 'Point: 1,000.5' },
              { value: ',', label: 'Comma: 1.000,5' },
            ]}
          />
        )}
        {isCsv && (inspection.problem_with === 'unnamed_column' || choices.unnamed_column) && (
          <Choice
            label="Column without a name"
            description="Rows have more fields than there are names."
            value={choices.unnamed_column ?? ''}
            onChange={(chosen) => set({ unnamed_column: chosen === 'first' ? 'first' : 'last' })}
            data={[
              { value: 'first', label: 'The first' },
              { value: 'last', label: 'The last' },
            ]}
          />
        )}
        {isCsv && hasRowNumber && (
          <Choice
            label="Row numbers"
            description="The first column only counts the rows."
            value={inspection.columns[0]?.role === 'row-number' ? 'leave-out' : 'keep'}
            onChange={(row_numbers) => set({ row_numbers })}
            data={[
              { value: 'leave-out', label: 'Leave out' },
              { value: 'keep', label: 'Import' },
            ]}
          />
        )}
        {isCsv && shown('first_line', false) && (
          <NumberInput
            label="The table begins in line"
            description="Its names, or without names its first row."
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={inspection.first_line}
            onChange={(value) => typeof value === 'number' && set({ first_line: value })}
          />
        )}
        {shown('encoding', inspection.encoding !== 'utf-8' || inspection.problem_with === 'encoding') && (
          <Select
            label="Encoding"
            description="Choose another where letters look wrong."
            data={ENCODINGS.map((value) => ({ value, label: ENCODING_LABELS[value] }))}
            value={inspection.encoding}
            onChange={(value) => set({ encoding: ENCODINGS.find((one) => one === value) })}
            allowDeselect={false}
          />
        )}
        {isCsv && shown('time_kind', false) && inspection.time_column !== null && (
          <Select
            label="Times are"
            description="What the time column holds."
            data={TIME_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
            value={inspection.time_kind}
            onChange={(value) => set({ time_kind: TIME_KINDS.find((one) => one === value) })}
            allowDeselect={false}
          />
        )}
        {isCsv && shown('delimiter', false) && (
          <Select
            label="Fields are separated by"
            description="What stands between two values of a row."
            data={DELIMITERS.map((value) => ({ value, label: DELIMITER_LABELS[value] }))}
            value={inspection.delimiter}
            onChange={(value) => set({ delimiter: DELIMITERS.find((one) => one === value) })}
            allowDeselect={false}
          />
        )}
        {isCsv && shown('missing_words', inspection.missing_words.length > 0) && (
          <TextInput
            label="Words for missing values"
            description="Fields that hold one of these are left out. Separated by commas."
            key={choices.missing_words ?? inspection.missing_words.join()}
            defaultValue={choices.missing_words ?? inspection.missing_words.join(', ')}
            placeholder="---, #N/A"
            onBlur={(event) => {
              const words = event.currentTarget.value.split(',').map((word) => word.trim());
              const missing_words = words.filter((word) => word !== '').join(',');
              if (missing_words !== (choices.missing_words ?? inspection.missing_words.join()))
                set({ missing_words });
            }}
          />
        )}
        {isCsv && shown('text_columns', false) && (
          <MultiSelect
            label="Keep as text"
            description="Columns whose digits are no numbers, such as article numbers."
            data={names}
            limit={MOST_OPTIONS}
            nothingFoundMessage="No such column"
            value={(choices.text_columns ?? '').split(',').filter((name) => name !== '')}
            onChange={(chosen) => set({ text_columns: chosen.length > 0 ? chosen.join(',') : undefined })}
            searchable
          />
        )}
      </SimpleGrid>
      {!more && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => setAsked(true)}
          style={{ alignSelf: 'start' }}
        >
          {isCsv ? 'Read it differently…' : 'Choose the encoding…'}
        </Button>
      )}
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly description: string;
  /** The empty text while neither is chosen. */
  readonly value: Value | '';
  readonly data: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of two. */
function Choice<Value extends string>({ label, description, value, data, onChange }: ChoiceProps<Value>) {
  return (
    <Input.Wrapper label={label} labelElement="div" description={description}>
      <SegmentedControl
        fullWidth
        mt={4}
        aria-label={label}
        value={value}
        onChange={(chosen) => {
          const found = data.find((one) => one.value === chosen);
          if (found) onChange(found.value);
        }}
        data={[...data]}
      />
    </Input.Wrapper>
  );
}
