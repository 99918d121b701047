import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type Json = Record<string, unknown>;

/** JSON Schemas of one document, which share their named parts. */
export interface Schemas {
  /** `input`: what a caller may send. `output`: what is answered. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json;
  /** The parts by name, for components/schemas. */
  readonly named: Readonly<Record<string, Json>>;
}

/** Throws where two different schemas have one name. */
export function createSchemas(): Schemas {
  const named: Record<string, Json> = {};

  function keep(name: string, schema: Json): void {
    const known = named[name];
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`Two schemas of the OpenAPI document are named ${name}.`);
    named[name] = schema;
  }

  return {
    named,
    schemaOf(schema, io) {
      const {
        $schema: _,
        $defs = {},
        ...own
      } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
      for (const [name, part] of Object.entries($defs as Json)) keep(name, relinked(part) as Json);
      const { id, ...whole } = relinked(own) as Json;
      if (typeof id !== 'string') return whole;
      keep(id, whole);
      return { $ref: `#/components/schemas/${id}` };
    },
  };
}

/** The schema with its references pointing into the document's components. */
function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => {
    const target =
      name === '$ref' && typeof part === 'string' ? /^#\/\$defs\/(.+)$/.exec(part)?.[1] : undefined;
    return [name, target === undefined ? relinked(part) : `#/components/schemas/${target}`];
  });
  return Object.fromEntries(entries);
}
