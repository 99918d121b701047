import { Checkbox, Input, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import type { View } from '#shared/domain/corrections.ts';
import { EXPORT_FORMATS, FORMAT_NAMES } from '#shared/domain/file-formats.ts';
import { localZone } from '../time.ts';
import type { ExportChoices } from './export-choices.ts';

interface ExportFieldsProps {
  readonly choices: ExportChoices;
  readonly onChange: (choices: ExportChoices) => void;
}

/** Fields for the format of a file. */
export function ExportFields({ choices, onChange }: ExportFieldsProps) {
  const set = (changed: Partial<ExportChoices>) => onChange({ ...choices, ...changed });
  const { styles } = FORMAT_NAMES[choices.format];
  const isCsv = choices.format === 'csv';
  return (
    <>
      <Choice
        label="Format"
        value={choices.format}
        onChange={(format) => set({ format })}
        data={EXPORT_FORMATS.map((value) => ({ value, label: FORMAT_NAMES[value].label }))}
      />
      {styles.includes('zone') && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Choice
            label="Times"
            value={choices.times}
            onChange={(times) => set({ times })}
            data={[
              { value: 'utc', label: 'UTC' },
              { value: 'local', label: localZone() === 'UTC' ? 'Local (UTC)' : localZone() },
            ]}
          />
          <Choice
            label="Columns"
            value={choices.titles}
            onChange={(titles) => set({ titles })}
            data={[
              { value: 'keys', label: 'Keys' },
              { value: 'shown', label: 'Shown names, units' },
            ]}
          />
        </SimpleGrid>
      )}
      {choices.format === 'xlsx' && (
        <Text size="sm" c="dimmed">
          Times are dates to the millisecond; a last column has the exact time where that is not enough. Notes
          and corrections are on sheets of their own.
        </Text>
      )}
      {choices.format === 'html' && (
        <Text size="sm" c="dimmed">
          One file that opens in any browser and prints: chart, values, statistics, excursions, notes and
          corrections. Where values were corrected it has them as stored, too, behind a switch.
        </Text>
      )}
      {isCsv && (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <Choice
              label="Separator"
              value={choices.delimiter}
              onChange={(delimiter) => set(withDelimiter(delimiter, choices))}
              data={[
                { value: ',', label: 'Comma' },
                { value: ';', label: 'Semicolon' },
                { value: '\t', label: 'Tab' },
              ]}
            />
            <Choice
              label="Decimals"
              value={choices.decimal_mark}
              onChange={(mark) => set(withMark(mark, choices))}
              data={[
                { value: '.', label: '1.5' },
                { value: ',', label: '1,5' },
              ]}
            />
          </SimpleGrid>
          <Checkbox
            label="Notes as lines before the names"
            checked={choices.notes}
            onChange={(event) => set({ notes: event.currentTarget.checked })}
          />
          <Checkbox
            label="For a spreadsheet: texts that begin as formulas do get an apostrophe"
            description="Devices choose what they send. An import of the file reads the apostrophe as part of the text."
            checked={choices.formulas === 'escape'}
            onChange={(event) => set({ formulas: event.currentTarget.checked ? 'escape' : 'keep' })}
          />
        </>
      )}
    </>
  );
}

/** Commas for both cannot be told apart. */
function withDelimiter(
  delimiter: ExportChoices['delimiter'],
  { decimal_mark }: ExportChoices,
): Partial<ExportChoices> {
  return { delimiter, decimal_mark: delimiter === ',' ? '.' : decimal_mark };
}

function withMark(
  decimal_mark: ExportChoices['decimal_mark'],
  { delimiter }: ExportChoices,
): Partial<ExportChoices> {
  return { decimal_mark, delimiter: decimal_mark === ',' && delimiter === ',' ? ';' : delimiter };
}

interface ViewChoiceProps {
  readonly view: View;
  readonly onChange: (view: View) => void;
}

/** Which values a file has of devices with corrections. */
export function ViewChoice({ view, onChange }: ViewChoiceProps) {
  return (
    <Choice
      label="Values"
      value={view}
      onChange={onChange}
      data={[
        { value: 'corrected', label: 'Corrected' },
        { value: 'raw', label: 'Raw, as stored' },
      ]}
    />
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly data: readonly { readonly value: Value; readonly label: string }[];
}

/** A few ways, one of which is chosen. */
export function Choice<Value extends string>({ label, value, onChange, data }: ChoiceProps<Value>) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        fullWidth
        mt={4}
        size="xs"
        aria-label={label}
        value={value}
        onChange={onChange}
        data={[...data]}
      />
    </Input.Wrapper>
  );
}
