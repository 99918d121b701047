import type { KeptDelete } from '#shared/operations/metadata/undo.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { createResource } from '../resource.ts';

export type { KeptDelete };

/** Soft deletes, latest first. */
export const keptDeletes = createResource<readonly KeptDelete[], 'all'>({
  read: () => ask('undo.list', {}),
  changes: (_, changed) => bridge.subscribe('undo.changed', changed),
  restMs: 100,
});
