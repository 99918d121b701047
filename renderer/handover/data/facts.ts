import {
  FACTS_ID,
  type PageDevice,
  type PageFacts,
  type PageKey,
  type PageView,
} from '#shared/handover/page-facts.ts';
import type { View } from '#shared/domain/corrections.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { Called } from '../../components/corrections/correction-words.ts';
import { nameOfKey } from '../../components/facts/key-words.ts';
import type { Zone } from '../../time.ts';

/** Reads what the page says. Throws where it is damaged. */
export function readFacts(): PageFacts {
  return JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '') as PageFacts;
}

/** How each key of a device is shown. */
export function keysOf({ keys }: PageDevice): (key: string) => PageKey {
  const known = new Map(keys.map((one) => [one.key, one]));
  return (key) => known.get(key) ?? { key, ...NO_SETTINGS };
}

/** The view that is shown: a device without corrections has one. */
export const shownView = (device: PageDevice, view: View): PageView =>
  view === 'corrected' ? (device.corrected ?? device.raw) : device.raw;

/** Notes as a view shows them: where a clock was put right, at the corrected times of their moments. */
export const notesOf = (device: PageDevice, view: View): readonly Note[] =>
  view === 'corrected' ? (device.corrected_notes ?? device.notes) : device.notes;

/** How what a correction speaks of is called. */
export function calledOf(device: PageDevice, { devices }: PageFacts, zone: Zone): Called {
  const keyOf = keysOf(device);
  return {
    nameOf: (key) => nameOfKey(key, keyOf(key)),
    unitOf: (key) => keyOf(key).unit,
    deviceOf: (id) => devices.find((one) => one.id === id)?.name ?? null,
    zone,
  };
}
