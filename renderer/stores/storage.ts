import type { OutputOf } from '#shared/operations/index.ts';
import type { DeviceStorage, Storage } from '#shared/operations/service/storage.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { createResource } from './resource.ts';

const REFRESH_MS = 10_000;

/** Schedules reads of sizes, which change with every record: now and then, and at once after a delete. */
function nowAndThen(changed: () => void): () => void {
  const timer = setInterval(changed, REFRESH_MS);
  const stops = [
    bridge.subscribe('undo.changed', changed),
    bridge.subscribe('jobs.progress', ({ kind, state }) => {
      if (kind === 'check' && state !== 'running') changed();
    }),
  ];
  return () => {
    clearInterval(timer);
    for (const stop of stops) stop();
  };
}

export const storage = createResource<Storage, 'all'>({
  read: () => ask('storage.get', {}),
  changes: (_all, changed) => nowAndThen(changed),
  restMs: 500,
});

/** Sizes of devices, by project. */
export const deviceStorage = createResource<readonly DeviceStorage[], string>({
  read: (project_id) => ask('storage.devices', { project_id }),
  changes: (_project_id, changed) => nowAndThen(changed),
  restMs: 500,
});

/** Settings of the installation; other windows may change them, too. */
export const settings = createResource<OutputOf<'settings.get'>, 'all'>({
  read: () => ask('settings.get', {}),
  changes(_all, changed) {
    const timer = setInterval(changed, REFRESH_MS);
    return () => clearInterval(timer);
  },
});
