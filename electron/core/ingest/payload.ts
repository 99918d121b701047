import { badRequest, type Refusal } from '../base/errors.ts';
import { formatCount } from '#shared/values/counts.ts';
import type { Micros } from '#shared/values/time.ts';
import { readJson } from './json/read-json.ts';
import { readLines } from './json/read-lines.ts';
import type { Fault, PieceReader } from './json/reader.ts';

/** Of one request (docs/running.md, "Limits"). */
const MOST_RECORDS = 1_000_000;

/** Form of a payload: JSON, or an object a line. */
export type PayloadForm = 'json' | 'lines';

export const EMPTY = 'The body is empty: send one JSON object, or an array of them.';

export const NOT_UTF8 = 'The body must be UTF-8 text; it holds bytes that are not.';

/**
 * Returns the form that a content type, parameters and all, names. Any other than application/x-ndjson, or none, is read as
 * JSON: small devices often name the wrong one.
 */
export function formOf(contentType: string | undefined): PayloadForm {
  return /^application\/(x-)?ndjson\s*(;|$)/i.test(contentType?.trim() ?? '') ? 'lines' : 'json';
}

/**
 * Reads what a device sends (docs/api.md, "How devices store data"), piece by piece: one JSON object, an array of them, or
 * one object a line. `received` becomes the time of records without `timestamp`. Its methods throw a 400 Refusal that
 * names the first bad record, counted from 1; then nothing of the payload is to be stored.
 */
export function openPayload(form: PayloadForm, received: Micros): PieceReader {
  const options = { received, fault: refuseFault, stop };
  const reader = form === 'json' ? readJson(options) : readLines(options);
  return {
    get count() {
      return reader.count;
    },
    push(piece) {
      reader.push(piece);
      if (reader.count > MOST_RECORDS) throw tooMany();
    },
    end() {
      reader.end();
      if (reader.count === 0) throw badRequest(EMPTY);
      if (reader.count > MOST_RECORDS) throw tooMany();
    },
    take: () => reader.take(),
  };
}

function refuseFault({ record, message, isSyntax }: Fault): never {
  throw badRequest(`record ${record}${isSyntax ? ' is not valid JSON' : ''}: ${message}`);
}

function stop(why: 'encoding' | 'length'): Refusal {
  return badRequest(why === 'encoding' ? NOT_UTF8 : 'The body holds a line of more than 16 MiB.');
}

function tooMany(): Refusal {
  return badRequest(
    `A request stores at most ${formatCount(MOST_RECORDS)} records; send the others in further ones.`,
  );
}
