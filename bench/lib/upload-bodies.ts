import { SENSOR_KEYS, sensorSource } from './data.ts';

/** One array, or a record a line. */
export type UploadForm = 'json' | 'ndjson';

export const CONTENT_TYPES: Readonly<Record<UploadForm, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** Bodies of records a millisecond apart, from a time in ms since 1970 on. Only the times are written anew. */
export function uploadBodies(form: UploadForm, batch: number, from: number): () => string {
  const values = sensorSource()(batch).map(({ values: row }) =>
    SENSOR_KEYS.map((key, i) => `"${key}":${String(row[i])}`).join(','),
  );
  let time = from;
  const records = () => values.map((text) => `{"timestamp":${time++},${text}}`);
  return form === 'json' ? () => `[${records().join(',')}]` : () => records().join('\n');
}
