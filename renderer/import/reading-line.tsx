import { Select } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { DATE_ORDERS, DELIMITERS, ENCODINGS, type Inspection } from '#shared/operations/records/records.ts';
import { SearchSelect } from '../components/dialog/search-select.tsx';
import { localZone } from '../time.ts';
import { DELIMITER_LABELS, ENCODING_LABELS, MARK_LABELS, ORDER_LABELS } from './import-options.ts';
import type { ImportChoices } from './import-choices.ts';
import classes from './reading-line.module.css';
import { findZones, zoneLabel, zoneOptions, type ZoneOption } from './zones.ts';

interface ReadingLineProps {
  readonly inspection: Inspection;
  readonly choices: ImportChoices;
  readonly onChange: (choices: ImportChoices) => void;
}

/** How a file is read, as a sentence of choices: all of them, always in the same place. What the file says itself is no choice. */
export function ReadingLine({ inspection, choices, onChange }: ReadingLineProps) {
  const set = (changed: ImportChoices) => onChange({ ...choices, ...changed });
  const isCsv = inspection.format === 'csv';
  const { date_order: order, zone_needed: needsZone } = inspection;
  // Years of two digits come first where dates may be read so.
  const orders = DATE_ORDERS.filter(
    (one) => !one.endsWith('year-first') || one === order || mayBe(inspection, one),
  );
  const zone = choices.zone ?? localZone();
  return (
    <div className={classes['line']} role="group" aria-label="How the file is read">
      <Words>Read as</Words>
      <Choice
        label="Encoding"
        value={inspection.encoding}
        data={ENCODINGS.map((value) => ({ value, label: ENCODING_LABELS[value] }))}
        onChange={(encoding) => set({ encoding })}
      />
      {isCsv ? (
        <Choice
          label="Fields are separated by"
          value={inspection.delimiter ?? ','}
          data={DELIMITERS.map((value) => ({ value, label: DELIMITER_LABELS[value] }))}
          onChange={(delimiter) => set({ delimiter })}
        />
      ) : (
        <Said label="Fields are separated by">a JSON object a line</Said>
      )}
      {order === null ? (
        <Said label="Date order">{orderWords(inspection)}</Said>
      ) : (
        <Choice
          label="Date order"
          value={order}
          data={orders.map((value) => ({ value, label: ORDER_LABELS[value] }))}
          onChange={(date_order) => set({ date_order })}
        />
      )}
      {isCsv ? (
        <Choice
          label="Decimal mark"
          value={inspection.decimal_mark ?? choices.decimal_mark ?? '.'}
          data={(['.', ','] as const).map((value) => ({ value, label: MARK_LABELS[value] }))}
          onChange={(decimal_mark) => set({ decimal_mark })}
        />
      ) : (
        <Said label="Decimal mark">Decimal point</Said>
      )}
      <span className={classes['together']}>
        <Words>times in</Words>
        {isCsv && needsZone ? (
          <ZoneChoice zone={zone} onChange={(value) => set({ zone: value })} />
        ) : (
          <Said label="Time zone">{zoneWords(inspection, choices)}</Said>
        )}
      </span>
    </div>
  );
}

interface ZoneChoiceProps {
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

function ZoneChoice({ zone, onChange }: ZoneChoiceProps) {
  const [zones] = useState(() => [...zoneOptions()]);
  return (
    <SearchSelect
      aria-label="Time zone"
      size="xs"
      rightSectionWidth={22}
      classNames={{ input: classes['choice'] ?? '' }}
      w={widthOf(zoneLabel(zone))}
      comboboxProps={{ width: 240, position: 'bottom-start' }}
      data={zones}
      filter={({ options, search }) => [...findZones(options.filter(isZone), search)]}
      value={zone}
      onChange={(value) => onChange(value ?? localZone())}
      allowDeselect={false}
      limit={200}
      nothingFoundMessage="No such zone"
    />
  );
}

const isZone = (option: object): option is ZoneOption => 'value' in option;

const mayBe = ({ doubts }: Inspection, order: string) =>
  doubts.some(({ options }) => options.includes(order));

function orderWords({ time_kind: kind }: Inspection): string {
  if (kind === null) return 'No dates';
  return kind === 'date' ? 'Year first' : 'Numbers, no dates';
}

function zoneWords(
  { time_column: column, time_kind: kind }: Inspection,
  { time_column: chosen }: ImportChoices,
) {
  if (column === null || chosen === '') return 'no column';
  return kind?.startsWith('epoch') === true ? 'UTC, as counted' : 'their own zone';
}

/** As wide as a word is, with the mark of the menu behind it. */
const widthOf = (word: string) => `calc(${word.length}ch + ${MARK}px)`;
const MARK = 39;

const Words = ({ children }: { readonly children: ReactNode }) => (
  <span className={classes['words']}>{children}</span>
);

/** What the file decides by itself stands where its choice would. */
const Said = ({ label, children }: { readonly label: string; readonly children: string }) => (
  <span className={classes['said']} title={`${label}: the file says it itself`}>
    {children}
  </span>
);

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly data: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** One word of the sentence, as wide as what it says. */
function Choice<Value extends string>({ label, value, data, onChange }: ChoiceProps<Value>) {
  const shown = data.find((one) => one.value === value)?.label ?? '';
  return (
    <Select
      aria-label={label}
      size="xs"
      rightSectionWidth={22}
      classNames={{ input: classes['choice'] ?? '' }}
      w={widthOf(shown)}
      comboboxProps={{ width: 200, position: 'bottom-start' }}
      data={[...data]}
      value={value}
      onChange={(chosen) => {
        const found = data.find((one) => one.value === chosen);
        if (found && found.value !== value) onChange(found.value);
      }}
      allowDeselect={false}
    />
  );
}
