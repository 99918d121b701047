/** Formats that records are read from. */
export const FILE_FORMATS = ['csv', 'ndjson'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Formats that records are written as. */
export const EXPORT_FORMATS = [...FILE_FORMATS, 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Names of each for people and programs. */
export const FORMAT_NAMES: Readonly<
  Record<
    ExportFormat,
    {
      readonly label: string;
      /** The first is said of what is written; all are known of what is read. */
      readonly mediaTypes: readonly [written: string, ...others: string[]];
      readonly isText: boolean;
    }
  >
> = {
  csv: { label: 'CSV', mediaTypes: ['text/csv'], isText: true },
  ndjson: { label: 'NDJSON', mediaTypes: ['application/x-ndjson', 'application/ndjson'], isText: true },
  parquet: { label: 'Parquet', mediaTypes: ['application/vnd.apache.parquet'], isText: false },
};
