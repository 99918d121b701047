import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { checkOrder, id, instant, optionalRange, text, timestamp, uuid, view } from '../../schema/schemas.ts';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '../../values/time.ts';
import { oneDevice } from '../../schema/paths.ts';

/* docs/local-api.md, "Notes": what people write to an instant or a span of a device. */

const whenRule = 'must lie in the years 1700 to 2200';
/** A time that a note may have. */
export const when = instant.refine((at) => at >= FIRST_RECORD_TIME && at <= LAST_RECORD_TIME, whenRule);
/** Text of a note. */
export const words = text(1, 500);

const note = z
  .object({
    id: uuid,
    device_id: uuid,
    start: timestamp,
    /** Null for a note of an instant. */
    end: timestamp.nullable(),
    text: z.string(),
    /** The name of the API key that wrote it, or "app". */
    author: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Note' });
export type Note = Readonly<z.output<typeof note>>;

const notesPath = '/_local/v1/projects/:project_id/devices/:device_id/notes';
const oneNote = oneDevice.extend({ note_id: id });
const ends = ({ start, end }: { start?: number | undefined; end?: number | null | undefined }) => ({
  ...(start !== undefined && { start }),
  ...(typeof end === 'number' && { end }),
});

export const noteOperations = {
  'notes.list': operation({
    method: 'GET',
    path: notesPath,
    permissions: ['admin'],
    action: 'get notes',
    message: 'Notes retrieved successfully.',
    description:
      'The notes of a device, or those that touch the span from `start` to `end`, earliest first. Of the corrected view at the corrected times of their moments.',
    input: oneDevice.extend({ ...optionalRange, view }).superRefine(checkOrder),
    output: z.array(note),
  }),
  'notes.create': operation({
    method: 'POST',
    path: notesPath,
    permissions: ['admin'],
    action: 'create note',
    message: 'Note created successfully.',
    description: 'Adds a note to an instant of a device, or with `end` to a span.',
    input: oneDevice
      .extend({ start: when, end: when.nullish(), text: words })
      .superRefine((given, context) => checkOrder(ends(given), context)),
    output: note,
  }),
  'notes.update': operation({
    method: 'PATCH',
    path: `${notesPath}/:note_id`,
    permissions: ['admin'],
    action: 'update note',
    message: 'Note updated successfully.',
    description: 'Changes the fields of a note that are given.',
    input: oneNote
      .extend({ start: when.optional(), end: when.nullish(), text: words.optional() })
      .superRefine((given, context) => checkOrder(ends(given), context)),
    output: note,
  }),
  'notes.delete': operation({
    method: 'DELETE',
    path: `${notesPath}/:note_id`,
    permissions: ['delete'],
    action: 'delete note',
    message: 'Note deleted successfully.',
    description: 'Deletes a note.',
    input: oneNote,
    output: z.object({ id: uuid }),
  }),
} as const;
