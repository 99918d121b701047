import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import {
  count,
  deviceFields,
  id,
  instant,
  projectFields,
  reason,
  reasonRequired,
  text,
  widgetFields,
} from '../../schema/schemas.ts';
import { inProject } from '../../schema/paths.ts';
import { dataKey, keySettings } from './key-settings.ts';
import { when, words } from './notes.ts';
import { givenCorrection } from './corrections.ts';

/* docs/local-api.md, "Edits": fields that are replaced where they are still as somebody left them. */

/** Devices, keys of devices, notes, corrections and widgets of one call, each. */
export const MOST_EDITS = 10_000;

const listRule = `must be an array of at most ${MOST_EDITS}`;
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item, listRule).max(MOST_EDITS, listRule).default([]);

/** Fields as they have to be, and as they are then. */
const both = <Fields extends z.ZodType>(fields: Fields) => ({ was: fields, be: fields });

/** Some fields of a widget; all of them where it is made. */
const someOfWidget = z.object(widgetFields).partial().nullable();

const noteFields = { start: when, end: when.nullable(), text: words };

export const editOperations = {
  'edits.replace': operation({
    method: 'POST',
    path: '/_local/v1/projects/:project_id/edits',
    permissions: ['admin'],
    asksForReason: 'corrections',
    action: 'replace edits',
    message: 'Edits replaced successfully.',
    description:
      'Replaces fields of a project, its devices, their keys, notes, corrections and widgets by `be` where they still are as `was` says: all of them, or nothing and a 400 that names what was changed since. What is as `be` says already stays. A note, a correction or a widget that `was` null is made, one that is to `be` null is removed, which needs the permission "delete", too.',
    input: inProject.extend({
      /** Of the removal of a correction its own, too. */
      reason: reason.optional(),
      project: z
        .object(both(z.object({ ...projectFields, reason_required: reasonRequired }).partial()))
        .optional(),
      devices: listOf(z.object({ device_id: id, ...both(z.object(deviceFields).partial()) })),
      keys: listOf(
        z.object({
          key: dataKey,
          device_ids: z.array(id, listRule).min(1, listRule).max(MOST_EDITS, listRule),
          ...both(keySettings.partial()),
        }),
      ),
      notes: listOf(
        z.object({
          device_id: id,
          note_id: z.uuid('must be the id of a note'),
          was: z.object(noteFields).nullable(),
          /** Who wrote it and when is taken from windows of the owner alone; by a key it is written anew. */
          be: z
            .object({ ...noteFields, author: text(0, 1000).optional(), created_at: instant.optional() })
            .nullable(),
        }),
      ),
      corrections: listOf(
        z.object({
          device_id: id,
          correction_id: z.uuid('must be the id of a correction'),
          was: givenCorrection.nullable(),
          be: givenCorrection.nullable(),
        }),
      ),
      widgets: listOf(z.object({ widget_id: z.uuid('must be the id of a widget'), ...both(someOfWidget) })),
    }),
    /** How many devices, keys of devices, notes, corrections, widgets and projects were changed. */
    output: z.object({ changed: count }),
  }),
} as const;
