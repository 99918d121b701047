import { httpOperationIds, operationOf, type HttpId } from '../shared/operations/index.ts';
import type { Operation } from '../shared/schema/operation.ts';

/** What a request is made of; the rest of an operation is what the types say. */
export type Fact = Pick<Operation, 'method' | 'path' | 'body' | 'reply' | 'headers'>;

const factOf = (id: HttpId): Fact => {
  const { method, path, body, reply, headers } = operationOf(id);
  return { method, path, body, reply, ...(headers && { headers }) };
};

/** By operation. In what is built they are written out, without schemas (electron.vite.config.ts). */
export const FACTS: Readonly<Record<string, Fact>> = Object.fromEntries(
  httpOperationIds.map((id) => [id, factOf(id)]),
);
