import { create } from 'zustand';
import type { Alerts } from '#shared/operations/metadata/alerts.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { createResource } from '../resource.ts';
import { devicesToAsk, logged, lookOf, type Log, type Look } from './changes.ts';
import { readRemembered, remember, rememberLook } from './remembered.ts';

/** Devices become late, and values leave their range, without a word. */
const READ_EVERY_MS = 10_000;
const NOTHING: Log = new Map();

interface Changed {
  /** When somebody looked last; null before the first reading. */
  readonly lookedAt: Micros | null;
  readonly look: Look | null;
  /** What changed since. */
  readonly log: Log;
}

/** What changed since somebody looked, as far as this window knows. */
export const useChanged = create<Changed>(
  () => readRemembered() ?? { lookedAt: null, look: null, log: NOTHING },
);

/** What is wrong with devices now. Read also while nobody sees the window: what comes and goes meanwhile is news. */
export const alerts = createResource<Alerts, 'all'>({
  async read() {
    const { look, log } = useChanged.getState();
    const asked = devicesToAsk(look, log);
    const found = await ask('alerts.list', { ids: asked.join(','), view: 'corrected' });
    note(found, asked);
    return found;
  },
  changes(_all, changed) {
    const stops = [
      bridge.subscribe('projects.changed', changed),
      bridge.subscribe('devices.changed', changed),
      bridge.subscribe('records.removed', changed),
      bridge.subscribe('corrections.changed', changed),
    ];
    const timer = setInterval(changed, READ_EVERY_MS);
    return () => {
      clearInterval(timer);
      stops.forEach((stop) => stop());
    };
  },
  restMs: 1_000,
});

function note(found: Alerts, asked: readonly string[]): void {
  const { lookedAt, look: before, log } = useChanged.getState();
  const look = lookOf(found);
  if (before === null || lookedAt === null) {
    // Who begins has seen nothing before that it could be held against.
    const first = { lookedAt: look.at, look, log: NOTHING };
    useChanged.setState(first);
    rememberLook(first);
    return;
  }
  const next = { lookedAt, look, log: logged(log, before, found, asked) };
  useChanged.setState(next);
  remember(next);
}

/** Somebody looked at all of it, as of a moment of the service. */
export function looked(as_of: string): void {
  const { look } = useChanged.getState();
  if (look === null) return;
  const state = { lookedAt: parseInstant(as_of) ?? look.at, look, log: NOTHING };
  useChanged.setState(state);
  rememberLook(state);
}
