import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { createResource } from './resource.ts';

/** Every project of the account. */
export const projects = createResource({
  read: (_all: 'all') => ask('projects.list', {}),
  changes: (_all, changed) => bridge.subscribe('projects.changed', changed),
  restMs: 200,
});
