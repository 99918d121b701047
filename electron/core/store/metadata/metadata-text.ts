import { z } from 'zod';
import { parseJson } from '#shared/json.ts';
import {
  emptyTable,
  freeze,
  header,
  TABLE_NAMES,
  tables,
  type MetadataState,
  type Row,
  type Table,
  type TableName,
} from './metadata-schema.ts';
import { migrate } from './migrations.ts';

/*
 * metadata.json as text: plain JSON, a thing a line, so that people can read and compare it. A thing that has not
 * changed since the last write keeps its bytes: with 10,000 devices that takes the main thread a third of the time.
 */

const lines = new WeakMap<object, Buffer>();

/** Writes the state. Throws TypeError where it would not be readable again, which only a bug can cause. */
export function encodeMetadata(state: MetadataState): Uint8Array {
  const { version, settings, next_sequence, deletions } = check(header, state, 'metadata');
  const head = Object.entries({ version, settings, next_sequence, deletions }).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},\n`,
  );
  const parts: Buffer[] = [Buffer.from(`{\n${head.join('')}`)];
  for (const [place, name] of TABLE_NAMES.entries()) {
    parts.push(Buffer.from(`${place > 0 ? ',\n' : ''}${JSON.stringify(name)}:{`));
    for (const [row, thing] of Object.values<{ readonly id: string }>(state[name]).entries()) {
      const line = lineOf(name, thing);
      parts.push(row > 0 ? line : line.subarray(1));
    }
    parts.push(Buffer.from('\n}'));
  }
  return Buffer.concat([...parts, Buffer.from('\n}\n')]);
}

/** Throws TypeError where a row could not be read again, and RangeError where it is nested too deep. */
export function checkRow<Name extends TableName>(name: Name, row: Row<Name>): void {
  lineOf(name, row);
}

/** The same for all but the tables. */
export function checkHeader(state: Omit<MetadataState, TableName>): void {
  check(header, state, 'metadata');
}

/** A thing of a table, as it follows another: `,\n"id":{…}`. */
function lineOf(name: TableName, thing: { readonly id: string }): Buffer {
  let line = lines.get(thing);
  if (line === undefined) {
    const { id } = thing;
    line = Buffer.from(
      `,\n${JSON.stringify(id)}:${JSON.stringify(check<unknown>(tables[name], thing, name))}`,
    );
    lines.set(thing, line);
  }
  return line;
}

/** Reads a state of any version up to this one. Throws NewerVersion, or an error that says what is wrong with it. */
export function decodeMetadata(bytes: Uint8Array): MetadataState {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const document = migrate(parseJson(text));
  const state = {
    ...check(header, document, 'metadata'),
    accounts: readTable('accounts', document),
    projects: readTable('projects', document),
    devices: readTable('devices', document),
    api_keys: readTable('api_keys', document),
    functions: readTable('functions', document),
    widgets: readTable('widgets', document),
  };
  if (!state.accounts[state.settings.default_account_id]) throw new TypeError('it lacks its default account');
  return freeze(state);
}

function readTable<Name extends TableName>(name: Name, document: Record<string, unknown>): Table<Name> {
  const rows = check(z.record(z.string(), tables[name]), document[name], name);
  return Object.assign(emptyTable<Row<Name>>(), rows);
}

function check<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new TypeError(`${[where, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not valid'}`);
}
