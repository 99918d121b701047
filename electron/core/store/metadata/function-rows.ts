import { z } from 'zod';
import { storedJsonObject } from '#shared/values/json-object.ts';

/* Rows of functions (docs/storage-format.md, "Metadata"): decoders, rules, and what only is kept. */

const id = z.string().min(1);
const micros = z.int();

export const functionRow = z.object({
  id,
  project_id: id,
  /** Null of a rule for the devices with a tag. */
  device_id: id.nullable(),
  name: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  script: z.string().nullable(),
  condition: storedJsonObject.nullable(),
  /** Of a rule: when this version of it was made or switched on. */
  since: micros.nullable().optional(),
  /** Of a rule: until when acts are held back. */
  silenced: micros.nullable().optional(),
  /** Of a rule: alarms that ended up to then are kept no more, as its project had too many. */
  forgotten: micros.optional(),
  created: micros,
  sequence: z.int(),
});
