import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { createResource } from './resource.ts';

/** Devices become late without a word. */
const COUNT_EVERY_MS = 10_000;

/** Whether the project asks for a reason when data are changed; false while that is not known: then the service says so. */
export const useAsksForReason = (project_id: string | null): boolean =>
  projects.useValue('all').value?.find(({ id }) => id === project_id)?.reason_required ?? false;

/** Every project of the account, and how its devices are. */
export const projects = createResource({
  read: (_all: 'all') => ask('projects.find', { view: 'corrected' }),
  changes(_all, changed) {
    const stops = [
      bridge.subscribe('projects.changed', changed),
      bridge.subscribe('devices.changed', changed),
      bridge.subscribe('records.removed', changed),
      bridge.subscribe('corrections.changed', changed),
    ];
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') changed();
    }, COUNT_EVERY_MS);
    return () => {
      clearInterval(timer);
      stops.forEach((stop) => stop());
    };
  },
  restMs: 400,
});
