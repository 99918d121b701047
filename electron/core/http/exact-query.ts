import type { IncomingMessage } from 'node:http';
import type { HttpId } from '#shared/operations/index.ts';
import { recordOperations } from '#shared/operations/records/records.ts';
import { lengthOf } from './body.ts';

/** Where a parameter that is passed over would let other records go, come or be told of than were meant. */
const EXACT = [
  'records.delete',
  'records.import',
  'records.export',
  'records.estimate',
  'records.count',
] as const satisfies readonly HttpId[];
type Exact = (typeof EXACT)[number];

const isExact = (id: HttpId): id is Exact => EXACT.includes(id as Exact);

/**
 * Returns the first parameter or field that the operation would ignore, where that is refused (docs/api.md, "Fields"); null
 * for none. A misspelt `start` of a delete must not count as none, which stands for all records.
 */
export function whyNotExact(
  id: HttpId,
  raw: IncomingMessage,
  query: unknown,
  params: unknown,
): string | null {
  if (id === 'data.purge') return whyNoPurge(query as Readonly<Record<string, unknown>>);
  if (!isExact(id)) return null;
  const inPath = Object.keys(params as object);
  const taken = Object.keys(recordOperations[id].input.shape).filter((name) => !inPath.includes(name));
  const unknown = Object.keys(query as object).find((name) => !taken.includes(name));
  if (unknown !== undefined)
    return `${unknown.slice(0, 80)} is no parameter here, which are ${taken.join(', ')}.`;
  return id === 'records.delete' && hasBody(raw)
    ? 'start and end must be in the query; this request has a body, which would not be read.'
    : null;
}

/** A purge is of all records, for good: who names some of them, as Fetch data does, means another thing. */
function whyNoPurge(query: Readonly<Record<string, unknown>>): string | null {
  const narrower =
    ['start', 'end', 'keys'].find((name) => name in query) ??
    ('range' in query && query['range'] !== 'all' && 'range');
  return narrower ? `${narrower} is no parameter here: a purge is of all records of the device.` : null;
}

const hasBody = (raw: IncomingMessage) =>
  (lengthOf(raw) ?? 0) > 0 || raw.headers['transfer-encoding'] !== undefined;
