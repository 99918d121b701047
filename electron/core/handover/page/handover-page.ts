import type { View } from '#shared/domain/corrections.ts';
import { recordsId, type PageDevice, type PageFacts, type PageView } from '#shared/handover/page-facts.ts';
import { VERSION } from '../../base/version.ts';
import type { HandedDevice, HandedView, HandoverContent } from '../content.ts';
import { factsOf } from './device-facts.ts';
import { frameOf, type Viewer } from './frame.ts';
import type { PackedView } from './pack-view.ts';
import { PackedDevices } from './packed-devices.ts';
import { readViewer } from './viewer.ts';

/*
 * A page of HTML that has all of what is handed over, and a viewer for it: it opens from a disk, asks nobody for anything, and is the
 * same bytes for the same content.
 */

interface PageOptions {
  /** View that is shown first of corrected devices; absent: the corrected one. */
  readonly view?: View;
  /** Gets how many records were read since it was called last. */
  readonly read?: (records: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** Absent: the one that was built with this service. */
  readonly viewer?: Viewer;
  /** Records of the devices, where they are being packed already. */
  readonly packed?: PackedDevices;
}

/**
 * The page in pieces of UTF-8. Rejects with StoreError or ThreadError, with the signal's reason, or with an Error where the viewer was not built.
 */
export async function* handoverPage(
  { devices }: Pick<HandoverContent, 'devices'>,
  { signal, viewer, view = 'corrected', read = () => {}, packed: given }: PageOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const frame = frameOf(titleOf(devices), viewer ?? readViewer());
  yield utf8(frame.head);
  const packed = given ?? new PackedDevices(devices, signal);
  const told: PageDevice[] = [];
  try {
    for (const [place, device] of devices.entries()) {
      const lines = new Lines();
      const { raw: stored, corrected: other } = await packed.take(place);
      const raw = viewOf(device.views.raw, stored, lines);
      const corrected = other && viewOf(device.views.corrected, other, lines);
      told.push({ ...factsOf(device), raw, ...(corrected && { corrected }) });
      read(raw.records);
      yield utf8(frame.data(recordsId(place), lines.text()));
    }
  } finally {
    packed.stop();
  }
  const facts: PageFacts = { made_with: `Fieldbench ${VERSION}`, view, devices: told };
  yield utf8(frame.facts(facts) + frame.end);
}

const utf8 = (text: string) => new TextEncoder().encode(text);

function viewOf(
  view: HandedView,
  { records, first, last, times, columns }: PackedView,
  lines: Lines,
): PageView {
  const { statistics, excursions } = view;
  return {
    records,
    first,
    last,
    statistics,
    excursions,
    times: lines.of(times),
    columns: columns.map(([key, column]) => [key, lines.of(column)]),
  };
}

/** Lines of text, equal ones once: what a correction leaves as it was is in both views. */
class Lines {
  readonly #places = new Map<string, number>();

  of(text: string): number {
    const place = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, place);
    return place;
  }

  text(): string {
    return [...this.#places.keys()].join('\n');
  }
}

/** `Boiler room`, or `Boiler room and 3 more devices`. */
function titleOf(devices: readonly HandedDevice[]): string {
  const [first] = devices;
  if (!first) return 'No devices';
  const more = devices.length - 1;
  const name = first.facts.name;
  return more === 0 ? name : `${name} and ${more === 1 ? 'one more device' : `${more} more devices`}`;
}
