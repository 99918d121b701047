import { DECODER, payloadForm, type PayloadForm } from '#shared/domain/decoders.ts';
import { badRequest } from '../../base/errors.ts';
import { decoderAmong, decoderOf, type Decoder } from '../../functions/decoders.ts';
import type { StoredFunction } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import { isRule, ruleProblem } from '../alarms/rule-rows.ts';

/**
 * Notes with a device whether a function of it decodes, which storing hears with the device's token. In the change that changed the
 * function.
 */
export async function noteDecodes(tables: WritableTables, device_id: string): Promise<void> {
  const decodes = decoderAmong(await tables.list('functions', { device_id })) !== null;
  const device = await tables.get('devices', device_id);
  if (device && (device.decodes ?? false) !== decodes) await tables.patch('devices', device_id, { decodes });
}

/** Returns why a decoder or a rule does not run, for people to read; null where it does, is switched off, or is neither. `own`: those of its device. */
export function problemOf(row: StoredFunction, own: readonly StoredFunction[]): string | null {
  if (isRule(row)) return ruleProblem(row);
  if (row.type !== DECODER || !row.enabled) return null;
  const fault = faultOf(row);
  if (fault !== null) return fault;
  const first = decoderAmong(own);
  return first === null || first.id === row.id
    ? null
    : `Another decoder of this device decodes what it sends: "${first.name}". Switch that off, or this one.`;
}

/** Returns the decoder of a row. Throws a 400 Refusal that says what it lacks. */
export function requireDecoder(row: StoredFunction): Decoder {
  if (row.type !== DECODER)
    throw badRequest(`The type of the function is "${row.type}"; only a "${DECODER}" decodes.`);
  const decoder = decoderOf(row);
  if (decoder === null) throw badRequest(faultOf(row) ?? 'The function cannot decode.');
  return decoder;
}

/** Returns the decoder of a script that need not be saved, of payloads that are at hand. Throws a 400 Refusal that says what is wrong with its condition. */
export function typedDecoder(script: string, condition: object = AT_HAND): Decoder {
  const form = payloadForm(condition);
  if (typeof form === 'string') throw badRequest(form);
  return { script, form };
}

/** Condition of payloads of which nobody says how they come. */
const AT_HAND: PayloadForm = { payload: 'bytes' };

function faultOf({ script, condition }: Pick<StoredFunction, 'script' | 'condition'>): string | null {
  if (script === null) return 'script is required: it must define decodeUplink(input)';
  const form = payloadForm(condition);
  return typeof form === 'string' ? form : null;
}
