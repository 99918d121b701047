/** Formats that records are read from. */
export const FILE_FORMATS = ['csv', 'ndjson'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Formats that records are written as. */
export const EXPORT_FORMATS = [...FILE_FORMATS, 'parquet', 'xlsx', 'html'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** Those that are the records of one view; a page has both, with all that is known of them. */
export type RecordFormat = Exclude<ExportFormat, 'html'>;

/** Settings of an export beside its format, span, keys and view. */
export const EXPORT_STYLES = [
  'zone',
  'delimiter',
  'decimal_mark',
  'titles',
  'notes',
  'formulas',
  'also',
] as const;
export type ExportStyle = (typeof EXPORT_STYLES)[number];

/** Further devices of one workbook at most: a query has to hold their ids. */
export const MOST_ALSO = 100;

/** Names of each for people and programs, and what it can hold. */
export const FORMAT_NAMES: Readonly<
  Record<
    ExportFormat,
    {
      readonly label: string;
      /** The first is said of what is written; all are known of what is read. */
      readonly mediaTypes: readonly [written: string, ...others: string[]];
      readonly isText: boolean;
      /** Settings that it takes. */
      readonly styles: readonly ExportStyle[];
      /** Columns beside the time, where there is a limit; and why. */
      readonly mostKeys: number | null;
    }
  >
> = {
  csv: {
    label: 'CSV',
    mediaTypes: ['text/csv'],
    isText: true,
    styles: ['zone', 'delimiter', 'decimal_mark', 'titles', 'notes', 'formulas'],
    mostKeys: null,
  },
  ndjson: {
    label: 'NDJSON',
    mediaTypes: ['application/x-ndjson', 'application/ndjson'],
    isText: true,
    styles: [],
    mostKeys: null,
  },
  parquet: {
    label: 'Parquet',
    mediaTypes: ['application/vnd.apache.parquet'],
    isText: false,
    styles: [],
    // It says something about each column in each of its row groups, all of which is held until the end.
    mostKeys: 1000,
  },
  xlsx: {
    label: 'Excel',
    mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    isText: false,
    styles: ['zone', 'titles', 'also'],
    // A sheet has 16,384 columns, two of which are times.
    mostKeys: 16_382,
  },
  html: {
    label: 'Page',
    mediaTypes: ['text/html'],
    isText: true,
    styles: ['also'],
    mostKeys: null,
  },
};
