import { z } from 'zod';
import { operationIds } from '#shared/operations/index.ts';
import { TOPICS } from '#shared/events.ts';
import type { ClientMessage } from '#shared/wire.ts';

/* The shapes of what a window may send (shared/wire.ts). What an operation's input holds is for dispatch to check. */

const n = z.int().positive();
const id = z.enum(operationIds);
const topic = z.enum(TOPICS);

/** Keys that one picture may ask for: a page of columns is at most 10,000 rows of 8 bytes for each. */
const MAX_COLUMNS = 64;

const pictureFields = {
  project_id: z.string(),
  device_id: z.string(),
  keys: z.array(z.string()).max(MAX_COLUMNS),
  start: z.int().optional(),
  end: z.int().optional(),
};
const columnsRequest = z.object(pictureFields);
const seriesRequest = z.object({ ...pictureFields, width: z.int() });

export const clientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call'), n, id, input: z.unknown() }),
  z.object({ type: z.literal('upload'), n, id, input: z.unknown(), size: z.int().nonnegative() }),
  z.object({ type: z.literal('download'), n, id, input: z.unknown() }),
  z.object({ type: z.literal('columns'), n, input: columnsRequest }),
  z.object({ type: z.literal('series'), n, input: seriesRequest }),
  z.object({ type: z.literal('chunk'), n, bytes: z.instanceof(Uint8Array) }),
  z.object({ type: z.literal('end'), n }),
  z.object({ type: z.literal('more'), n }),
  z.object({ type: z.literal('cancel'), n }),
  z.object({ type: z.literal('subscribe'), topic }),
  z.object({ type: z.literal('unsubscribe'), topic }),
]) satisfies z.ZodType<ClientMessage>;
