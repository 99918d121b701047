import type { KeptCorrection } from '#shared/domain/corrections.ts';
import { fieldsIn, type CorrectionFields } from '#shared/operations/metadata/correction-fields.ts';
import { fieldsOfKept, keptOf, mergedFields, wrongIn } from '#shared/operations/metadata/correction-rules.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest, notFound } from '../../../base/errors.ts';
import { inPlace } from '../../../store/metadata/lens-of.ts';
import type {
  StoredCorrection,
  StoredDevice,
  StoredProject,
} from '../../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../../store/metadata/metadata.ts';
import type { Principal } from '../../call.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { checkCorrection, requireNoStoredKey } from '../../corrections/check-correction.ts';
import { findSuspects, previewCorrection } from '../../corrections/look.ts';
import { rangeOf } from '../../range.ts';
import { correctionView, historyView } from '../../corrections/correction-views.ts';
import {
  changeCorrection,
  createCorrection,
  removeCorrection,
  writerOf,
  type Said,
  type Writer,
} from '../../corrections/write-corrections.ts';

export const correctionHandlers: HandlersOf<'corrections'> = {
  async 'corrections.list'({ device }, { metadata }) {
    const rows = await metadata.read((tables) => tables.list('corrections', { device_id: device.id }));
    return { data: inPlace(rows).map(correctionView) };
  },

  async 'corrections.create'(call, context) {
    const { input, device, signal } = call;
    const what = keptOf(input.kind, fieldsIn(input));
    const reason = input.reason ?? '';
    await requireNoStoredKey(what, device, context, signal);
    const made = await changed(call, context, async (tables, writer) => {
      const there = await tables.get('devices', device.id);
      if (!there) throw notFound('Device');
      return createCorrection(tables, there, { id: writer.newId(), what, reason }, writer);
    });
    return { data: correctionView(made) };
  },

  async 'corrections.preview'({ input, device, principal, signal }, context) {
    const what = keptOf(input.kind, fieldsIn(input));
    await requireNoStoredKey(what, device, context, signal);
    const unmade = { id: '', what };
    await context.metadata.read((tables) => checkCorrection(tables, device, unmade, principal));
    const { metadata, records, surveys } = context;
    const looker = { metadata, records, surveys, key_id: principal.key_id, signal };
    return { data: await previewCorrection(what, device.id, rangeOf(input), looker) };
  },

  async 'corrections.find'({ input, device, principal, signal }, { metadata, records, surveys }) {
    const looker = { metadata, records, surveys, key_id: principal.key_id, signal };
    return { data: await findSuspects(input, device.id, looker) };
  },

  async 'corrections.update'(call, context) {
    const { input, device, correction, signal } = call;
    const given = fieldsIn(input);
    const { kind } = correction.what;
    if (input.kind !== undefined && input.kind !== kind)
      throw badRequest(`kind must stay "${kind}", got ${quote(input.kind)}: make another correction for it`);
    const { what } = saidOf(correction, given);
    if (what.kind === 'derived' && what.key !== fieldsOfKept(correction.what).key)
      await requireNoStoredKey(what, device, context, signal);
    const made = await changed(call, context, async (tables, writer) => {
      const row = await rowOf(tables, correction);
      return changeCorrection(tables, row, saidOf(row, given), writer);
    });
    return { data: correctionView(made) };
  },

  async 'corrections.delete'(call, context) {
    const { input, correction } = call;
    await changed(call, context, async (tables, writer) =>
      removeCorrection(tables, await rowOf(tables, correction), input.reason ?? '', writer),
    );
    return { data: { id: correction.id } };
  },

  async 'corrections.history'({ input, device }, { metadata }) {
    const { correction_id } = input;
    const data = await metadata.read(async (tables) => {
      const of = { device_id: device.id };
      const rows = await tables.list('corrections', of);
      const former = await tables.list('correction_history', of);
      if (correction_id === undefined) return historyView(rows, former);
      return historyView(
        rows.filter(({ id }) => id === correction_id),
        former.filter((row) => row.correction_id === correction_id),
      );
    });
    return { data };
  },
};

/** What a correction says with these fields in place of its own. Throws a 400 Refusal where that is wrong. */
function saidOf({ what, reason }: Pick<StoredCorrection, 'what' | 'reason'>, given: CorrectionFields): Said {
  const before = { ...fieldsOfKept(what), ...(reason !== '' && { reason }) };
  const after = mergedFields(before, given);
  const wrong = wrongIn(what.kind, after);
  if (wrong) throw badRequest(`${wrong.field} ${wrong.message}`);
  const next: KeptCorrection = keptOf(what.kind, after);
  return { what: next, reason: after.reason ?? '' };
}

async function rowOf(tables: WritableTables, { id }: StoredCorrection): Promise<StoredCorrection> {
  const row = await tables.get('corrections', id);
  if (!row) throw notFound('Correction');
  return row;
}

/** Changes corrections of a device, and tells who shows it. */
async function changed<T>(
  {
    project,
    device,
    principal,
  }: { readonly project: StoredProject; readonly device: StoredDevice; readonly principal: Principal },
  context: Pick<Context, 'metadata' | 'clock' | 'chance' | 'events'>,
  work: (tables: WritableTables, writer: Writer) => Promise<T>,
): Promise<T> {
  const { account_id, id: project_id } = project;
  const done = await context.metadata.change(async (tables) =>
    work(tables, await writerOf(principal, account_id, tables, context)),
  );
  context.events.publish('corrections.changed', { account_id, project_id, device_id: device.id });
  return done;
}
