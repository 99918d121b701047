import type { GivenCorrection, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { InputOf } from '#shared/operations/index.ts';
import { ask } from '../../../bridge/ask.ts';
import type { Why } from '../../../stores/undo/deletes.ts';
import { sayDone } from '../../../components/work/notices.ts';
import { takingBack } from '../../../components/work/undo-edits.ts';
import { sayUndoable } from '../../../components/work/undo-toast.tsx';
import { editOfCorrection, type Edits } from '../../../stores/undo/edits.ts';

/* Corrections are made, changed and removed here, each as one step that can be taken back. */

interface Words {
  readonly title: string;
  readonly message: string;
}

/** Of a device. */
export interface Place {
  readonly project_id: string;
  readonly device_id: string;
}

/** What is changed along with a correction, and taken back with it. */
type Along = () => Promise<Edits>;
const NOTHING_ALONG: Along = () => Promise.resolve({});

/** Makes corrections as one step. Rejects with `Refused`; those that were made before it then stay, and can be taken back. */
export async function addCorrections(
  { project_id, device_id }: Place,
  all: readonly GivenCorrection[],
  words: Words,
  along = NOTHING_ALONG,
): Promise<void> {
  const made: ShownCorrection[] = [];
  let more: Edits = {};
  try {
    for (const given of all) made.push(await ask('corrections.create', { project_id, device_id, ...given }));
    more = await along();
  } finally {
    const edits = made.flatMap((each) => editOfCorrection(null, each)?.edits.corrections ?? []);
    if (edits.length > 0) say(project_id, { ...more, corrections: edits }, words);
  }
}

type Fields = Omit<InputOf<'corrections.update'>, keyof Place | 'correction_id'>;

/** Changes fields of a correction. Rejects with `Refused`. */
export async function changeCorrection(
  project_id: string,
  before: ShownCorrection,
  fields: Fields,
  words: Words,
  along = NOTHING_ALONG,
): Promise<void> {
  const { id: correction_id, device_id } = before;
  const after = await ask('corrections.update', { project_id, device_id, correction_id, ...fields });
  const edits = editOfCorrection(before, after)?.edits ?? {};
  let more: Edits = {};
  try {
    more = await along();
  } finally {
    const all = { ...more, ...edits };
    if (Object.keys(all).length > 0) say(project_id, all, words);
  }
}

/** Removes a correction, which stays in the history; `line` says it in words. Rejects with `Refused`. */
export async function removeCorrection(
  project_id: string,
  correction: ShownCorrection,
  line: string,
  why: Why = {},
): Promise<void> {
  const { id: correction_id, device_id } = correction;
  await ask('corrections.delete', { project_id, device_id, correction_id, ...why });
  const edited = editOfCorrection(correction, null);
  if (edited) say(project_id, edited.edits, { title: 'Correction removed', message: line });
}

function say(project_id: string, edits: Edits, { title, message }: Words): void {
  const way = takingBack(project_id, edits);
  if (way) sayUndoable(title, message, way);
  else sayDone(title, message);
}
