import { viewOf } from '../../blocks/corrections/viewed.ts';
import type { Readable } from '../../blocks/readable.ts';
import type { Viewed } from '../../store.ts';
import type { CachedDevice } from '../rows/cached-device.ts';
import type { Reading } from './reading.ts';
import { inRounds, type Rounds, type WantedBlock } from './rounds.ts';

/** One read of a device as it was stored or through its lens, with each of the devices before it. */
export class DeviceView {
  readonly rounds: Rounds;
  readonly #viewed: Viewed;
  readonly #devices: readonly CachedDevice[];
  readonly #readings: readonly Reading[];

  /** In the order of `devicesOf`, with a reading each. */
  constructor(viewed: Viewed, devices: readonly CachedDevice[], readings: readonly Reading[]) {
    this.#viewed = viewed;
    this.#devices = devices;
    this.#readings = readings;
    this.rounds = readings.length === 1 ? readings[0]! : new JointReading(readings);
  }

  /** The device where it is read as it was stored, with its reading. */
  get stored(): { readonly known: CachedDevice; readonly reading: Reading } | null {
    return typeof this.#viewed === 'string'
      ? { known: this.#devices[0]!, reading: this.#readings[0]! }
      : null;
  }

  /** As it is whenever it is read. */
  supplied(): Readable {
    return this.#through((known, reading) => known.suppliedBy(reading));
  }

  /** As it is now. */
  frozen(): Readable {
    return this.#through((known, reading) => known.frozen(reading));
  }

  #through(read: (known: CachedDevice, reading: Reading) => Readable): Readable {
    return viewOf(
      this.#viewed,
      this.#devices.map((known, i) => read(known, this.#readings[i]!)),
    );
  }
}

/** Several devices in one read: what any of them lacks is fetched before it runs again. */
class JointReading implements Rounds {
  readonly #readings: readonly Reading[];

  constructor(readings: readonly Reading[]) {
    this.#readings = readings;
  }

  run<T>(read: () => T): Promise<Awaited<T>> {
    return inRounds(this.#readings, read);
  }

  now<T>(read: () => T): T {
    return this.#readings.reduce<() => T>((inner, reading) => () => reading.now(inner), read)();
  }

  async ahead(wanted: readonly WantedBlock[], more: number): Promise<void> {
    await Promise.all(
      this.#readings.map((reading) =>
        reading.ahead(
          wanted.filter(({ segment }) => segment.supply === reading),
          more,
        ),
      ),
    );
  }

  letGo(): void {
    for (const reading of this.#readings) reading.letGo();
  }
}
