import { z } from 'zod';
import { operationIds } from '#shared/operations/index.ts';
import { TOPICS } from '#shared/domain/events.ts';
import type { ClientMessage } from '#shared/bridge/wire.ts';

/* The shapes of what a window may send (shared/bridge/wire.ts). What an operation's input holds is for dispatch to check. */

const n = z.int().positive();
const id = z.enum(operationIds);
/** Characters of an id in a filter; those made here have 36. */
const MOST_ID_LENGTH = 256;
const filterId = z.string().max(MOST_ID_LENGTH).optional();
const subscription = {
  topic: z.enum(TOPICS),
  filter: z.object({ project_id: filterId, device_id: filterId }),
};

export const clientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call'), n, id, input: z.unknown() }),
  z.object({ type: z.literal('upload'), n, id, input: z.unknown(), size: z.int().nonnegative() }),
  z.object({ type: z.literal('download'), n, id, input: z.unknown() }),
  z.object({ type: z.literal('stream'), n, id, input: z.unknown() }),
  z.object({ type: z.literal('chunk'), n, bytes: z.instanceof(Uint8Array) }),
  z.object({ type: z.literal('end'), n }),
  z.object({ type: z.literal('more'), n }),
  z.object({ type: z.literal('cancel'), n }),
  z.object({ type: z.literal('subscribe'), ...subscription }),
  z.object({ type: z.literal('unsubscribe'), ...subscription }),
]) satisfies z.ZodType<ClientMessage>;
