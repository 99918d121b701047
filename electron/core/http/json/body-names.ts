import { operationOf, type HttpId } from '#shared/operations/index.ts';
import type { Answer } from '../../api/call.ts';

/*
 * Fields that a body and an answer have under another name than windows do, since a path parameter has theirs (Operation.bodyNames):
 * over HTTP the `device_id` of a body is another device than that of its path.
 */

/** Fields of a body under the names of the operation. */
export function fieldsOfBody(id: HttpId, body: object): object {
  const { bodyNames } = operationOf(id);
  if (bodyNames === undefined) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [bodyNames[name] ?? name, value]));
}

/** Answer of an operation under the names of a body. */
export function answerByBodyNames(id: HttpId, answer: Answer): Answer {
  const { bodyNames } = operationOf(id);
  if (bodyNames === undefined) return answer;
  const { envelope } = answer;
  const names = Object.entries(bodyNames);
  const message = names.reduce((text, [inBody, field]) => text.replaceAll(field, inBody), envelope.message);
  return {
    ...answer,
    envelope: { ...envelope, message, data: renamed(envelope.data, names) },
  };
}

/** A field takes the place of what has its name in a body. */
function renamed(value: unknown, names: readonly (readonly [inBody: string, field: string])[]): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, names));
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const fields = new Map(Object.entries(value).map(([name, of]) => [name, renamed(of, names)]));
  for (const [inBody, field] of names) {
    if (!fields.has(field)) continue;
    fields.set(inBody, fields.get(field));
    fields.delete(field);
  }
  return Object.fromEntries(fields);
}

const isPlain = (value: object) => Object.getPrototypeOf(value) === Object.prototype;
