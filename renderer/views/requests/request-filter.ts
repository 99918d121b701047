import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { plainText, wordsOf } from '#shared/values/text.ts';
import { doorWords, kindOf, statusWords } from '../../components/facts/requests/request-words.ts';
import type { RequestsShown } from './requests-address.ts';

/** Names of devices and projects, by their ids. */
export interface Places {
  readonly devices: ReadonlyMap<string, string>;
  readonly projects: ReadonlyMap<string, string>;
}

/** Of requests as they are: one that is counted on is another object. */
const texts = new WeakMap<SeenRequest, string>();

/** All that is searched of a request but the name of its device, which may be given another. */
function textOf(request: SeenRequest): string {
  const known = texts.get(request);
  if (known !== undefined) return known;
  const { method, path, message, from, token, key, device_id, body, response_head } = request;
  const parts = [method, kindOf(request), path, statusWords(request), doorWords(request), from];
  const given = [message, token, key?.name, device_id, body, response_head].filter(Boolean);
  const text = plainText([...parts, ...given].join('\n'));
  texts.set(request, text);
  return text;
}

/** The requests that all of a filter lets through. */
export function filtered(
  rows: readonly SeenRequest[],
  { find = '', door, outcome, kind, device }: RequestsShown,
  { devices }: Places,
): readonly SeenRequest[] {
  const words = wordsOf(find);
  if (![words.length, door, outcome, kind, device].some(Boolean)) return rows;
  const nameOf = new Map<string, string>();
  const plainName = (id: string) => {
    const name = nameOf.get(id) ?? plainText(devices.get(id) ?? '');
    nameOf.set(id, name);
    return name;
  };
  return rows.filter((request) => {
    if (door !== undefined && request.door !== door) return false;
    if (outcome !== undefined && request.refused !== (outcome === 'refused')) return false;
    if (kind !== undefined && kindOf(request) !== kind) return false;
    if (device !== undefined && request.device_id !== device) return false;
    if (words.length === 0) return true;
    const name = plainName(request.device_id ?? '');
    return words.every((word) => textOf(request).includes(word) || name.includes(word));
  });
}

/** Whether there is a filter. */
export function isFiltered({ find, door, outcome, kind, device }: RequestsShown): boolean {
  return [find, door, outcome, kind, device].some(Boolean);
}
