import type { FileFormat } from '#shared/domain/file-formats.ts';
import { badRequest } from '../base/errors.ts';

/** CSV or NDJSON, by the first character. Throws a 400 Refusal on an empty file and on one that is a JSON array. */
export function guessFormat(sample: string): FileFormat {
  const first = sample.trimStart()[0];
  if (first === undefined) throw badRequest('The file is empty.');
  if (first === '[')
    throw badRequest('The file is a JSON array; expected CSV, or NDJSON with one JSON object on each line.');
  return first === '{' ? 'ndjson' : 'csv';
}
