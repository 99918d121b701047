import { z } from 'zod';
import { MOST_PAYLOAD, payloadPort } from '../../domain/decoders.ts';
import { operation } from '../../schema/operation.ts';
import {
  checkOrder,
  count,
  dataRecord,
  deviceFunction,
  functionFields,
  id,
  instant,
  optionalRange,
  reason,
  undoable,
  uuid,
} from '../../schema/schemas.ts';
import { inProject } from '../../schema/paths.ts';
import { hexDigits } from '../../values/hex.ts';

const oneFunction = inProject.extend({ function_id: id });
const functionsPath = '/_local/v1/projects/:project_id/functions';

/** Records that a preview shows before and after. */
export const MOST_DIFFERENCES = 50;

const bytesRule = 'must be pairs of hexadecimal digits, such as "00 d7 2d", of at most 32,768 bytes';
/** A payload as people type it; each byte may have a mark and a blank behind it. */
const typedBytes = z
  .string(bytesRule)
  .max(4 * MOST_PAYLOAD, bytesRule)
  .refine((text) => (hexDigits(text)?.length ?? Infinity) <= 2 * MOST_PAYLOAD, bytesRule);

/** What decoding again changes: records with bytes, those that differ, and of these those that get an error, or lose theirs. */
const differences = { payloads: count, changed: count, failing: count, mended: count };

/** Functions are stored under their project; decoders and rules run (docs/functions.md). */
export const functionOperations = {
  'functions.list': operation({
    method: 'GET',
    path: functionsPath,
    permissions: ['admin'],
    action: 'get functions',
    message: 'Functions retrieved successfully.',
    description: 'The functions of a project, or of a device of it.',
    input: inProject.extend({ device_id: id.optional() }),
    output: z.array(deviceFunction),
  }),
  'functions.create': operation({
    method: 'POST',
    path: functionsPath,
    permissions: ['admin'],
    action: 'create function',
    message: 'Function created successfully.',
    description: 'Adds a function to a device of the project.',
    input: inProject.extend({
      /** Null, or absent, of a rule for the devices with a tag. */
      device_id: functionFields.device_id.nullish(),
      name: functionFields.name,
      type: functionFields.type,
      enabled: functionFields.enabled.default(true),
      script: functionFields.script.nullish(),
      condition: functionFields.condition.nullish(),
    }),
    output: deviceFunction,
  }),
  'functions.try': operation({
    method: 'POST',
    path: `${functionsPath}/try`,
    permissions: ['admin'],
    action: 'try function',
    message: 'Payload decoded successfully.',
    description: 'The record that a script, saved or not, makes of a payload; nothing is stored.',
    input: inProject.extend({
      device_id: functionFields.device_id,
      script: functionFields.script,
      condition: functionFields.condition.optional(),
      bytes: typedBytes,
      port: payloadPort.optional(),
    }),
    output: z.object({ record: dataRecord }),
  }),
  'functions.get': operation({
    method: 'GET',
    path: `${functionsPath}/:function_id`,
    permissions: ['admin'],
    action: 'get function',
    message: 'Function retrieved successfully.',
    description: 'One function.',
    input: oneFunction,
    output: deviceFunction,
  }),
  'functions.update': operation({
    method: 'PATCH',
    path: `${functionsPath}/:function_id`,
    permissions: ['admin'],
    action: 'update function',
    message: 'Function updated successfully.',
    description: 'Changes the fields of a function that are given.',
    input: oneFunction.extend({
      /** Of a rule; null for the devices with a tag. */
      device_id: functionFields.device_id.nullish(),
      name: functionFields.name.optional(),
      type: functionFields.type.optional(),
      enabled: functionFields.enabled.optional(),
      script: functionFields.script.nullish(),
      condition: functionFields.condition.nullish(),
    }),
    output: deviceFunction,
  }),
  'functions.silence': operation({
    method: 'POST',
    path: `${functionsPath}/:function_id/silence`,
    permissions: ['admin'],
    action: 'silence rule',
    message: 'Rule silenced successfully.',
    description:
      'Holds back the acts of a rule until a moment: its alarms are raised, and nothing is done. With null they are done again.',
    input: oneFunction.extend({ until: instant.nullable() }),
    output: deviceFunction,
  }),
  'functions.failures': operation({
    method: 'GET',
    path: `${functionsPath}/:function_id/failures`,
    permissions: ['admin', 'read'],
    action: 'get failures of function',
    message: 'Failures retrieved successfully.',
    description:
      'How many records of a decoder have bytes, how many of them an error, and the latest of these.',
    input: oneFunction,
    output: z.object({ payloads: count, failed: count, last: dataRecord.nullable() }),
  }),
  'functions.preview': operation({
    method: 'POST',
    path: `${functionsPath}/:function_id/preview`,
    permissions: ['admin', 'read'],
    action: 'preview function',
    message: 'Preview made successfully.',
    description:
      'What decoding again would change of the stored records, by the saved script and condition or by others; nothing is changed.',
    input: oneFunction
      .extend({
        script: functionFields.script.optional(),
        condition: functionFields.condition.optional(),
        ...optionalRange,
      })
      .superRefine(checkOrder),
    output: z.object({
      ...differences,
      differences: z.array(z.object({ before: dataRecord, after: dataRecord })),
    }),
  }),
  'functions.decode': operation({
    method: 'POST',
    path: `${functionsPath}/:function_id/decode`,
    permissions: ['admin', 'write', 'delete'],
    asksForReason: true,
    action: 'decode again',
    message: 'Records decoded successfully.',
    description: 'Decodes the stored records of a range again, in one switch that can be undone.',
    input: oneFunction.extend({ ...optionalRange, reason: reason.optional() }).superRefine(checkOrder),
    output: z.object({
      ...differences,
      undo: undoable.nullable(),
    }),
  }),
  'functions.delete': operation({
    method: 'DELETE',
    path: `${functionsPath}/:function_id`,
    permissions: ['delete'],
    action: 'delete function',
    message: 'Function deleted successfully.',
    description: 'Deletes a function.',
    input: oneFunction,
    output: z.object({ id: uuid }),
  }),
} as const;
