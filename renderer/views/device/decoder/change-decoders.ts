import { DECODER } from '#shared/domain/decoder-names.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import { restoreKept } from '../../../components/work/delete-ways.ts';
import { sayDone } from '../../../components/work/notices.ts';
import { restorableUntil, sayUndoable } from '../../../components/work/undo-toast.tsx';
import { countOf } from '../../../format.ts';
import type { DecoderDraft } from '../../../stores/decoder-drafts.ts';
import { decoders } from '../../../stores/decoders.ts';
import { startWork } from '../../../stores/jobs.ts';
import type { Why } from '../../../stores/undo/deletes.ts';
import { functionSteps } from '../../../stores/undo/function-steps.ts';
import type { Way } from '../../../stores/undo/undoable.ts';
import { conditionOf } from './decoder-draft.ts';

/* What a person does with a decoder; each is a step that can be taken back. */

type Fields = Pick<DeviceFunction, 'name' | 'enabled' | 'script' | 'condition'>;

const fieldsOf = ({ name, enabled, script, condition }: DeviceFunction): Fields => ({
  name,
  enabled,
  script,
  condition,
});

const { create, update, remove, changing, removing, adding } = functionSteps({
  type: DECODER,
  word: 'decoder',
  fieldsOf,
  reload: () => decoders.reload(),
});

const drafted = ({ name, script, form }: DecoderDraft) => ({
  name: name.trim(),
  script,
  condition: conditionOf(form),
});

/** Adds a decoder that decodes from now on. */
export async function addDecoder(project_id: string, device_id: string, draft: DecoderDraft): Promise<void> {
  const fields = { ...drafted(draft), enabled: true };
  const made = await create({ project_id, device_id }, fields);
  sayUndoable(`Decoder “${made.name}” added`, 'It decodes what comes from now on.', removing(made));
}

/** Saves what was written. `decodesAgain`: there are payloads of before. */
export async function saveDecoder(
  before: DeviceFunction,
  draft: DecoderDraft,
  decodesAgain: boolean,
): Promise<void> {
  const after = await update(before, { ...fieldsOf(before), ...drafted(draft) });
  const past = decodesAgain ? ' “Decode again…” decodes what came before.' : '';
  const words = after.enabled ? `It decodes what comes from now on.${past}` : 'It is switched off.';
  sayUndoable(`Decoder “${after.name}” saved`, words, changing(after, fieldsOf(before)));
}

/** Switches a decoder on or off. */
export async function switchDecoder(before: DeviceFunction, enabled: boolean): Promise<void> {
  const after = await update(before, { ...fieldsOf(before), enabled });
  const [title, words] = enabled
    ? [`Decoder “${after.name}” switched on`, 'It decodes what comes from now on.']
    : [`Decoder “${after.name}” switched off`, 'What the device sends is not decoded any more.'];
  sayUndoable(title, words, changing(after, fieldsOf(before)));
}

/** Removes a decoder; what was decoded stays. */
export async function removeDecoder(decoder: DeviceFunction): Promise<void> {
  await remove(decoder);
  sayUndoable(`Decoder “${decoder.name}” deleted`, 'What it decoded stays.', adding(decoder));
}

export interface Range {
  readonly start?: string;
  readonly end?: string;
}

/** Decodes the past again, as a row of the jobs tray; once done, it can be undone. */
export function startDecoding(decoder: DeviceFunction, device: string, range: Range, why: Why): void {
  const { project_id, device_id, id } = decoder;
  const input = { project_id, function_id: id, ...range, ...why };
  startWork({
    verb: 'Decode again',
    about: device,
    unit: 'records',
    job: { kind: 'decode', project_id, device_id },
    run: (_progress, signal) => ask('functions.decode', input, { signal }),
    outcome({ changed, failing, undo }) {
      const words = `${countOf(changed, 'record')} changed${failing > 0 ? `, ${failing} with a new error` : ''}`;
      const title = `“${device}” decoded again: ${words}`;
      if (undo) sayUndoable(title, restorableUntil(parseInstant(undo.until) ?? 0), switching(undo));
      else sayDone(`“${device}” decoded again`, 'Nothing was to be changed.');
      return { text: words };
    },
  });
}

/** Puts the values back that others took the place of; back from there are those others, whatever the script says by then. */
function switching({ id }: NonNullable<OutputOf<'undo.restore'>['undo']>): Way {
  return async () => {
    const { undo } = await restoreKept(id);
    return { back: undo && switching(undo) };
  };
}
