import type { Delimiter, Encoding, Inspection, TIME_KINDS } from '#shared/operations/records/records.ts';

/* What can be chosen for an import, in words. */

/** Stands for "no time column": no column of a file is called this. */
export const RECEIPT = '\u0000';

export function timeChoices({ columns }: Inspection) {
  return [
    { value: RECEIPT, label: 'None: the time of the import' },
    ...columns.map(({ name }) => ({ value: name, label: name || '(no name)' })),
  ];
}

export const DELIMITER_LABELS: Record<Delimiter, string> = {
  ',': 'Commas',
  ';': 'Semicolons',
  '\t': 'Tabs',
  '|': 'Vertical bars',
};

export const ENCODING_LABELS: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big endian',
  'windows-1252': 'Windows-1252',
};

export const ORDER_LABELS: Record<NonNullable<Inspection['date_order']>, string> = {
  'day-first': 'Day first',
  'month-first': 'Month first',
  'year-first': 'Year first',
  'full-year-first': 'Year first, four digits',
};

export const MARK_LABELS: Record<NonNullable<Inspection['decimal_mark']>, string> = {
  '.': 'Decimal point',
  ',': 'Decimal comma',
};

export const KIND_LABELS: Record<(typeof TIME_KINDS)[number], string> = {
  date: 'Dates',
  'epoch-s': 'Seconds since 1970',
  'epoch-ms': 'Milliseconds since 1970',
  'epoch-us': 'Microseconds since 1970',
  'epoch-ns': 'Nanoseconds since 1970',
  'days-1900': 'Days of a spreadsheet (since 1899-12-30)',
  'days-1904': 'Days of a spreadsheet (since 1904)',
  'elapsed-ms': 'Milliseconds since the start',
  'elapsed-s': 'Seconds since the start',
  'elapsed-min': 'Minutes since the start',
  'elapsed-h': 'Hours since the start',
  'elapsed-d': 'Days since the start',
};
