import { isDeepStrictEqual } from 'node:util';
import type { CheckedInput } from '#shared/operations/index.ts';
import { fieldsIn } from '#shared/operations/metadata/correction-fields.ts';
import { keptOf } from '#shared/operations/metadata/correction-rules.ts';
import { quote } from '#shared/values/validate.ts';
import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import {
  changeCorrection,
  createCorrection,
  removeCorrection,
  type Said,
  type Writer,
} from '../corrections/write-corrections.ts';
import { since } from './since.ts';

export type CorrectionEdit = CheckedInput<'edits.replace'>['corrections'][number] & {
  /** Why, of its removal; "" for none. */
  readonly reason: string;
};

/**
 * Replaces a correction where it is still as the edit before left it. The history has that as any other change. Resolves with
 * whether it was changed. Rejects with a 400 Refusal that says what was changed since.
 */
export async function replaceCorrection(
  tables: WritableTables,
  device: Pick<StoredDevice, 'id' | 'project_id' | 'name'>,
  { correction_id: id, was, be, reason }: CorrectionEdit,
  writer: Writer,
): Promise<boolean> {
  const row = await tables.get('corrections', id);
  const own = row?.device_id === device.id ? row : null;
  const [before, after] = [saidBy(was), saidBy(be)];
  if (after === null ? row === null : own !== null && says(own, after)) return false;
  const what = `the correction (${after?.what.kind ?? before?.what.kind ?? ''}) of ${quote(device.name)}`;
  if (before === null && row) throw since(`${what} is there again`);
  if (before !== null && !own) throw since(`${what} was deleted`);
  if (before !== null && own && !says(own, before))
    throw since(`${what} was changed by ${quote(own.by)}, to version ${own.version}`);
  if (after === null) {
    if (own) await removeCorrection(tables, own, reason, writer);
    return own !== null;
  }
  if (own) await changeCorrection(tables, own, after, writer);
  else await createCorrection(tables, device, { id, ...after }, writer);
  return true;
}

function saidBy(given: CorrectionEdit['be']): Said | null {
  return given && { what: keptOf(given.kind, fieldsIn(given)), reason: given.reason ?? '' };
}

const says = (row: Said, { what, reason }: Said) =>
  row.reason === reason && isDeepStrictEqual(row.what, what);
