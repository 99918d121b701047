import { z } from 'zod';
import { KEPT_KINDS } from '../../domain/kept-kinds.ts';
import { operation } from '../../schema/operation.ts';
import { count, deletedCounts, deletion, id, timestamp, undoable, uuid } from '../../schema/schemas.ts';

/* docs/local-api.md, "Undo": what was deleted and can be had back. */

const undoPath = '/_local/v1/undo';
const oneDelete = z.object({ undo_id: id });

const keptDelete = z
  .object({
    id: uuid,
    kind: z.enum(KEPT_KINDS),
    project_id: uuid,
    project_name: z.string(),
    /** Null where a whole project was deleted. */
    device_id: uuid.nullable(),
    /** Of the project or the device: its present one where it is there. */
    name: z.string(),
    deleted_at: timestamp,
    /** The name of the API key that deleted it, or "app". */
    author: z.string(),
    until: timestamp,
    /** Of a range; null where it has no such end. */
    start: timestamp.nullable(),
    end: timestamp.nullable(),
    deleted: deletedCounts,
    /** On disk. */
    bytes: count,
    /** The delete that is to be undone before this one can be: of its project or device; null where none is. */
    waits_for: uuid.nullable(),
  })
  .meta({ id: 'KeptDelete' });
export type KeptDelete = Readonly<z.output<typeof keptDelete>>;

export const undoOperations = {
  'undo.list': operation({
    method: 'GET',
    path: undoPath,
    permissions: ['admin'],
    action: 'get deletes',
    message: 'Deletes retrieved successfully.',
    description: 'What was deleted and can be had back, latest first.',
    input: z.object({}),
    output: z.array(keptDelete),
  }),
  'undo.restore': operation({
    method: 'POST',
    path: `${undoPath}/:undo_id`,
    permissions: ['admin'],
    action: 'undo delete',
    message: 'Delete undone successfully.',
    description:
      'Puts everything back as it was, whatever happened since. A device waits for its project, records for their device.',
    input: oneDelete,
    output: z.object({
      restored: deletedCounts,
      project_id: uuid,
      device_id: uuid.nullable(),
      /** What takes this back in turn; null where nothing was put in the place of others. */
      undo: undoable.nullable(),
    }),
  }),
  'undo.discard': operation({
    method: 'DELETE',
    path: `${undoPath}/:undo_id`,
    permissions: ['delete'],
    action: 'discard delete',
    message: 'Deleted for good successfully.',
    description: 'Removes what was deleted for good, at once.',
    input: oneDelete,
    output: deletion,
  }),
} as const;
