import { REQUEST_DOOR_FACTS } from '#shared/domain/sources.ts';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { countOf, shortened } from '../../../format.ts';

/** Values of a reading that are named. */
const MOST_VALUES = 2;

/** Returns the stored values, as `temperature 21.5, humidity 40`; `3 records` for several, or unknown ones. */
export function storedWords({ stored, body, more }: SeenRequest): string {
  const records = countOf(stored, 'record');
  const values = stored === 1 && more === 0 ? valuesIn(body) : [];
  if (values.length === 0) return records;
  const shown = values.slice(0, MOST_VALUES).map(([key, value]) => `${key} ${value}`);
  return shown.join(', ') + (values.length > MOST_VALUES ? ` and ${values.length - MOST_VALUES} more` : '');
}

/** The plain values of a record that came alone, without its time. */
function valuesIn(body: string | null): readonly (readonly [string, string])[] {
  let read: unknown;
  try {
    read = JSON.parse(body ?? '');
  } catch {
    // Its end was cut off, or it is several lines.
    return [];
  }
  const record: unknown = Array.isArray(read) ? read[0] : read;
  if (typeof record !== 'object' || record === null) return [];
  return Object.entries(record).flatMap(([key, value]) =>
    key === 'timestamp' || typeof value === 'object'
      ? []
      : [[shortened(key, 40), shortened(String(value), 40)]],
  );
}

/** What was asked for: the operation, else the method or packet. */
export const kindOf = ({ operation, method }: Pick<SeenRequest, 'operation' | 'method'>): string =>
  operation ?? method;

/** `2.4 ms`, from the arrival to the answer. */
export const tookWords = ({ duration_us }: Pick<SeenRequest, 'duration_us'>): string =>
  `${(duration_us / 1000).toFixed(1)} ms`;

const TIME_IN = /"timestamp"\s*:\s*"([^"]{1,40})"/;

/** The time of the first record that a request stored, µs: of its own, else that of the request. */
export function storedAt({ body, time }: Pick<SeenRequest, 'body' | 'time'>): Micros {
  const own = parseInstant(TIME_IN.exec(body ?? '')?.[1] ?? '');
  return own ?? parseInstant(time) ?? 0;
}

export const doorWords = ({ door }: Pick<SeenRequest, 'door'>): string => REQUEST_DOOR_FACTS[door].label;

/** `400` of HTTP, a dash for no answer; of MQTT `done`, or the reason code of a refusal as its documents write it: `0x99`. */
export function statusWords({ door, status }: Pick<SeenRequest, 'door' | 'status'>): string {
  switch (REQUEST_DOOR_FACTS[door].source) {
    case 'http':
      return status === 0 ? '–' : String(status);
    case 'mqtt':
      return status === 0 ? 'done' : `0x${status.toString(16).padStart(2, '0')}`;
  }
}

/** Returns the outcome of a request, in a line: the reason of a refusal, else the stored values or the act. */
export function outcomeWords(request: SeenRequest): string {
  if (request.message !== null) return request.message;
  if (request.stored > 0) return `stored ${storedWords(request)}`;
  return request.method === 'CONNECT' ? 'signed in' : 'accepted';
}
