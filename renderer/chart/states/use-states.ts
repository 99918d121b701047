import { useState } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { KeyStates } from '#shared/operations/records/states.ts';
import { formatMicros } from '#shared/values/time.ts';
import { ask } from '../../bridge/ask.ts';
import { isOffline } from '../../bridge/connection.ts';
import { nowMicros } from '../../time.ts';
import type { Question } from '../load/asker.ts';
import { useAsked } from '../load/use-asked.ts';
import type { TimeSpan } from '../time/window.ts';
import { versionOf, type Through } from '../view.ts';
import { stripOf, type Strip } from './strip.ts';
import { textsOf } from './texts-of.ts';

/** Strips that a chart can have below it. */
const MOST_STRIPS = 32;

interface Device {
  readonly project_id: string;
  readonly device_id: string;
}

interface Asked extends Device {
  readonly summary: DeviceSummary;
  readonly through: Through;
  /** Null: nothing is asked. */
  readonly window: TimeSpan | null;
  /** CSS pixels. */
  readonly width: number;
}

/** The states of a device's texts and booleans in a window; what was known stays until more is. Null at first. */
export function useStates({
  project_id,
  device_id,
  summary,
  through: { view, revision },
  window,
  width: given,
}: Asked): readonly KeyStates[] | null {
  const width = Math.max(1, Math.round(given));
  const of = { project_id, device_id, view, width, texts: textsOf(summary) };
  const { answer } = useAsked(window && { of, window }, versionOf(summary.records, revision), read);
  const [known, setKnown] = useState(answer);
  if (answer?.value && answer !== known) setKnown(answer);
  return known?.to.of.device_id === device_id ? known.value : null;
}

/** Null while the service is away: what was known stays, as each state lies at its own time. */
async function read(
  { of, window }: Question<Omit<Reading, 'window'>>,
  signal: AbortSignal,
): Promise<readonly KeyStates[] | null> {
  try {
    return await readStates({ ...of, window }, signal);
  } catch {
    signal.throwIfAborted();
    return isOffline() ? null : [];
  }
}

/** The same at once, as strips: for what is handed over. */
export async function readStrips(
  device: Device,
  {
    summary,
    view,
    window,
    width,
  }: {
    readonly summary: DeviceSummary;
    readonly view: View;
    readonly window: TimeSpan;
    readonly width: number;
  },
): Promise<readonly Strip[]> {
  const texts = textsOf(summary);
  const states = await readStates({ ...device, view, window, width, texts }, new AbortController().signal);
  return states.flatMap((key) => stripOf(key, nowMicros()) ?? []);
}

interface Reading extends Device {
  readonly view: View;
  readonly window: TimeSpan;
  readonly width: number;
  /** Keys that carry texts or booleans. */
  readonly texts: readonly string[];
}

/** Texts, and booleans where they were told apart (`useBooleansApart`); how a payload came is no state. */
async function readStates(
  { project_id, device_id, view, window: { from, to }, width, texts }: Reading,
  signal: AbortSignal,
): Promise<readonly KeyStates[]> {
  const keys = texts.slice(0, MOST_STRIPS);
  if (keys.length === 0) return [];
  const span = { start: formatMicros(Math.round(from)), end: formatMicros(Math.round(to)) };
  const request = {
    project_id,
    device_id,
    ...span,
    keys: keys.join(','),
    width: Math.min(2_000, width),
    view,
  };
  return (await ask('states.get', request, { signal })).keys;
}
