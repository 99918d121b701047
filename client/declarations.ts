import { z } from 'zod';
import { httpOperationIds, operationOf } from '../shared/operations/index.ts';
import type { Operation } from '../shared/schema/operation.ts';

/* operations.ts as it is published: the same types, written out, so that nobody who uses them needs zod. */

/** Whether a caller's input is written, or an answer. */
type Side = 'input' | 'output';

/** Returns the text of operations.d.ts. */
export function declarations(): string {
  const named = new Map<string, string>();
  const inputs = httpOperationIds.map((id) => line(id, typeOf(operationOf(id).input, 'input', named)));
  const outputs = httpOperationIds.map((id) => {
    const { reply, output } = operationOf(id);
    return line(id, reply === 'stream' ? 'Response' : typeOf(output, 'output', named));
  });
  const parts = [...named].map(([name, text]) => `export type ${name} = ${text};`);
  return [
    '/* Written by `npm run build` from the table of operations. */',
    '/** Body of an upload: a file of records, or a backup. */',
    "export type UploadBody = NonNullable<RequestInit['body']>;",
    'export interface CallOptions {\n  readonly signal?: AbortSignal;\n}',
    'export type OperationId = keyof Inputs;',
    'export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };',
    ...parts,
    `export interface Inputs {\n${inputs.join('\n')}\n}`,
    `export interface Outputs {\n${outputs.join('\n')}\n}`,
    `export interface Nouns {\n${nouns().join('\n')}\n}`,
    '',
  ].join('\n');
}

const line = (id: string, text: string) => `  readonly '${id}': ${text};`;

function nouns(): string[] {
  const byNoun = Map.groupBy(httpOperationIds, (id) => id.split('.')[0] ?? '');
  return [...byNoun].map(([noun, ids]) => {
    const methods = ids.map((id) => methodOf(id, operationOf(id)));
    return `  readonly ${camelCase(noun)}: {\n${methods.join('\n')}\n  };`;
  });
}

function methodOf(id: string, { method, path, body, input, description, permissions }: Operation): string {
  const may = permissions.length === 0 ? 'any key' : permissions.map((one) => `\`${one}\``).join(' and ');
  const isOptional = Object.values(shapeOf(input)).every((field) => field._zod.optin !== undefined);
  const first = `input${isOptional && body !== 'stream' ? '?' : ''}: Inputs['${id}']`;
  const args = [first, ...(body === 'stream' ? ['body: UploadBody'] : []), 'options?: CallOptions'].join(
    ', ',
  );
  const name = camelCase(id.split('.')[1] ?? '');
  const comment = `${description.replaceAll('*/', '*\\/')} ${method} ${path}; ${may}.`;
  return `    /** ${comment} */\n    readonly ${name}: (${args}) => Promise<Outputs['${id}']>;`;
}

/** Fields of an input. Throws where it is no object. */
function shapeOf(input: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = (input as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return shapeOf(def.in);
  if (def.type !== 'object') throw new Error(`An input is an object, got ${def.type}.`);
  return def.shape;
}

/** Returns a type as text; one with a name is kept in `named`. Throws where TypeScript has no such type. */
function typeOf(schema: z.core.$ZodType, side: Side, named: Map<string, string>): string {
  const name = z.globalRegistry.get(schema)?.['id'];
  if (side === 'input' || typeof name !== 'string') return writtenOut(schema, side, named);
  const text = writtenOut(schema, side, named);
  const known = named.get(name);
  if (known !== undefined && known !== text) throw new Error(`Two types are named ${name}.`);
  named.set(name, text);
  return name;
}

function writtenOut(schema: z.core.$ZodType, side: Side, named: Map<string, string>): string {
  const inner = (part: z.core.$ZodType) => typeOf(part, side, named);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return def.type;
    case 'unknown':
      return said(schema) ?? 'unknown';
    case 'custom':
      return said(schema) ?? fail(schema);
    case 'literal':
      return union(def.values.map((value) => JSON.stringify(value)));
    case 'enum':
      return union(Object.values(def.entries).map((value) => JSON.stringify(value)));
    case 'union':
      return union(def.options.map(inner));
    case 'nullable':
      return union([inner(def.innerType), 'null']);
    case 'optional':
      return union([inner(def.innerType), 'undefined']);
    case 'default':
    case 'prefault':
      return side === 'input' ? union([inner(def.innerType), 'undefined']) : inner(def.innerType);
    case 'array':
      return `Array<${inner(def.element)}>`;
    case 'tuple':
      return `[${def.items.map(inner).join(', ')}]`;
    case 'readonly':
      return `Readonly<${inner(def.innerType)}>`;
    case 'record':
      return `Record<string, ${inner(def.valueType)}>`;
    case 'object':
      return objectOf(def, side, inner);
    case 'pipe': {
      const asked = side === 'input' ? def.in : def.out;
      return said(schema) ?? inner(asked);
    }
    default:
      return fail(schema);
  }
}

function fail(schema: z.core.$ZodType): never {
  const { type } = (schema as z.core.$ZodTypes)._zod.def;
  throw new Error(`The client has no type for a schema of the kind "${type}": say its type by meta().`);
}

function objectOf(
  { shape, catchall }: z.core.$ZodObjectDef,
  side: Side,
  inner: (part: z.core.$ZodType) => string,
): string {
  const fields = Object.entries(shape).map(([name, field]) => {
    const isOptional = (side === 'input' ? field._zod.optin : field._zod.optout) !== undefined;
    return `${JSON.stringify(name)}${isOptional ? '?' : ''}: ${inner(field)}`;
  });
  const others = catchall?._zod.def.type === 'never' ? undefined : catchall;
  const rest = others === undefined ? [] : [`[name: string]: ${inner(others)}`];
  // `{}` would be anything but null.
  if (fields.length + rest.length === 0) return 'Record<string, never>';
  return `{ ${[...fields, ...rest].join('; ')} }`;
}

/** What a schema says of itself where its type is code: of JSON Schema, as the OpenAPI document has it. */
function said(schema: z.core.$ZodType): string | undefined {
  switch (z.globalRegistry.get(schema)?.['type']) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    case 'object':
      return 'Record<string, JsonValue>';
    default:
      return undefined;
  }
}

const union = (parts: readonly string[]) => [...new Set(parts)].join(' | ');
const camelCase = (text: string) => text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
