import { SENSOR_KEYS, sensorSource } from './data.ts';

/** One array, or a record a line. */
export type UploadForm = 'json' | 'ndjson';

export const CONTENT_TYPES: Readonly<Record<UploadForm, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** Bodies of records a millisecond apart, each going on where the last one ended. Only the times are written anew. */
export function uploadBodies(form: UploadForm, batch: number): () => string {
  const values = sensorSource()(batch).map(({ values: row }) =>
    SENSOR_KEYS.map((key, i) => `"${key}":${String(row[i])}`).join(','),
  );
  let time = Date.now();
  const records = () => values.map((text) => `{"timestamp":${time++},${text}}`);
  return form === 'json' ? () => `[${records().join(',')}]` : () => records().join('\n');
}
