import type { HandedDevice, HandedView } from '../content.ts';
import type { PackedView } from './pack-view.ts';

/** Both views of a device; null for the corrected one where nothing was corrected. */
interface PackedDevice {
  readonly raw: PackedView;
  readonly corrected: PackedView | null;
}

/** Read-ahead of packed records: one device before the caller takes it. */
export class PackedDevices {
  readonly #devices: readonly HandedDevice[];
  readonly #signal: AbortSignal;
  readonly #over = new AbortController();
  #next: { readonly place: number; readonly packed: Promise<PackedDevice> } | null = null;

  /** Begins with the first device at once. */
  constructor(devices: readonly HandedDevice[], signal?: AbortSignal) {
    this.#devices = devices;
    this.#signal = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal;
    this.#begin(0);
  }

  /** Resolves with a device by its place, which come one after another. Rejects as HandedView.pack. */
  async take(place: number): Promise<PackedDevice> {
    if (this.#next?.place !== place) this.#begin(place);
    const packed = await this.#next!.packed;
    this.#begin(place + 1);
    return packed;
  }

  /** Ends what nobody takes any more. */
  stop(): void {
    this.#over.abort(new Error('Nobody takes the records that are packed.'));
    this.#next = null;
  }

  #begin(place: number): void {
    const device = this.#devices[place];
    if (device === undefined) return;
    const packed = packDevice(device, this.#signal);
    // Errors reach the caller of `take`.
    packed.catch(() => undefined);
    this.#next = { place, packed };
  }
}

/** Packs both views at the same time; of keys that no correction touches once for both. */
async function packDevice(device: HandedDevice, signal: AbortSignal): Promise<PackedDevice> {
  const { views, corrections, touched } = device;
  const whole = ({ keys, pack }: HandedView) => pack({ keys, bare: true }, signal);
  if (corrections.length === 0) return { raw: await whole(views.raw), corrected: null };
  if (touched !== null) return packTouched(device, touched, signal);
  const [raw, corrected] = await Promise.all([whole(views.raw), whole(views.corrected)]);
  return { raw, corrected };
}

async function packTouched(
  { views: { raw, corrected } }: HandedDevice,
  touched: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<PackedDevice> {
  const own = corrected.keys.filter((key) => touched.has(key));
  const [stored, other] = await Promise.all([
    raw.pack({ keys: raw.keys, bare: true }, signal),
    own.length === 0 ? null : corrected.pack({ keys: own, bare: true }, signal),
  ]);
  // Records may have come or gone in between, and columns stand beside the times of their own.
  if (other !== null && other.times !== stored.times)
    return { raw: stored, corrected: await corrected.pack({ keys: corrected.keys, bare: true }, signal) };
  const columns = new Map([
    ...stored.columns.filter(([key]) => !touched.has(key)),
    ...(other?.columns ?? []),
  ]);
  return {
    raw: stored,
    corrected: { ...stored, columns: corrected.keys.flatMap((key) => columnOf(columns, key)) },
  };
}

function columnOf(columns: ReadonlyMap<string, string>, key: string): (readonly [string, string])[] {
  const column = columns.get(key);
  return column === undefined ? [] : [[key, column]];
}
