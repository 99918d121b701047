import type { Micros, TimeRange } from '#shared/values/time.ts';
import { doing } from '../../disk/errors.ts';
import { countRecords } from '../blocks/reads.ts';
import type { KeptRecords } from '../store.ts';
import { deleteRecords } from './device/delete-range.ts';
import type { DeviceLog } from './device/device-log.ts';
import {
  discardRecords,
  keepRecords,
  keptAs,
  nothingKept,
  restoreRecords,
  type Removal,
} from './device/keeping.ts';
import type { StoreParts } from './store-parts.ts';
import type { NewEntry } from './wal/new-entry.ts';
import { DROP, ERASE, PURGE, writePurge } from './wal/wal-entry.ts';

type Parts = Pick<StoreParts, 'common' | 'devices' | 'wal' | 'erasure'>;

/** Removes records, and sees to it that the log forgets them, too. */
export class Removals {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Removes every record of a device. Resolves with their number; throws `retired`. */
  async purge(log: DeviceLog, at: Micros): Promise<number> {
    log.writers.check();
    return this.#forget(log, at);
  }

  /** Removes a device and every record of it. Resolves with their number. */
  async drop(log: DeviceLog): Promise<number> {
    const { common, wal } = this.#parts;
    // What is on its way into the log comes before the drop. After a failed sync even a device that seems not to exist may
    // be found again: the log refuses then.
    if (log.exists || log.lifecycle.leavesTraces || !wal.isIdle || common.poison.reason !== null)
      return this.#forget(log, null);
    log.lifecycle.whenGone?.();
    return 0;
  }

  /** The same of a device that is retired and sleeps, without waking it: a project of ten thousand goes at once. */
  async dropAsleep(id: string): Promise<number> {
    const { devices, erasure } = this.#parts;
    const gone = devices.recordsAsleep(id);
    await this.#say(id, DROP, (sequence) => {
      // Whoever read it meanwhile woke it.
      const woken = devices.loaded.get(id);
      if (woken) woken.applyPurge(sequence, null);
      else devices.forgetAsleep(id);
      erasure.want();
    });
    return gone;
  }

  /** Removes the records of a range. Resolves with their number; throws `retired`. */
  async range(log: DeviceLog, range: TimeRange): Promise<number> {
    log.writers.check();
    return doing('deleting records', async () => {
      // Said before anything goes, so that a crash cannot make it forgotten; not in the device's turn, for which storing may
      // have to wait.
      if (countRecords(log, range) > 0) await this.#sayDeleted(log);
      const gone = await log.work.run(() => deleteRecords(log, range));
      // The log went on in another file meanwhile, which may hold some of them, too.
      if (gone > 0 && !this.#parts.wal.current.mayHoldDeleted) await this.#sayDeleted(log);
      return gone;
    });
  }

  /** Keeps what is removed, under a name. Throws `retired`. */
  async keep(log: DeviceLog, name: string, removal: Removal): Promise<KeptRecords> {
    const { lifecycle } = log;
    const { drops } = lifecycle;
    lifecycle.keeping++;
    try {
      return await this.#alone(log, 'deleting records', () =>
        // Where the device was removed meanwhile there is nothing to be kept.
        lifecycle.drops === drops ? keepRecords(log, name, removal) : Promise.resolve(nothingKept(name)),
      );
    } finally {
      lifecycle.keeping--;
    }
  }

  /** Puts it back. Resolves with false where nothing is kept under the name; throws `retired` and KeyLimitReached. */
  restore(log: DeviceLog, name: string): Promise<boolean> {
    return this.#alone(log, 'restoring records', () => restoreRecords(log, name));
  }

  /** In the device's turn, and before it is retired. */
  async #alone<T>(log: DeviceLog, what: string, work: () => Promise<T>): Promise<T> {
    log.writers.begin();
    try {
      return await doing(what, () => log.work.run(work));
    } finally {
      log.writers.end();
    }
  }

  /** Removes it for good. Resolves with false where nothing is kept under the name. */
  async discard(log: DeviceLog, name: string): Promise<boolean> {
    return doing('deleting records', async () => {
      const { poison } = this.#parts.common;
      if (poison.reason !== null) throw poison.reason;
      if (keptAs(log, name) === undefined) return false;
      // Files of the log that were there when they were stored may hold them still.
      await this.#sayDeleted(log);
      const isGone = await log.work.run(() => discardRecords(log, name));
      if (isGone && !this.#parts.wal.current.mayHoldDeleted) await this.#sayDeleted(log);
      return isGone;
    });
  }

  /** `at` null forgets the device, too. */
  async #forget(log: DeviceLog, at: Micros | null): Promise<number> {
    let gone = 0;
    const apply: NewEntry['apply'] = (sequence) => {
      // What is kept goes with the device; the log may hold it as well.
      const tookKept = at === null && log.bin.length > 0;
      gone = log.applyPurge(sequence, at);
      if (gone > 0 || tookKept) this.#parts.erasure.want();
    };
    if (at === null) await this.#say(log.id, DROP, apply);
    else await this.#say(log.id, PURGE, apply, (out) => writePurge(at, out));
    return gone;
  }

  #sayDeleted({ id }: DeviceLog): Promise<void> {
    return this.#say(id, ERASE, () => this.#parts.erasure.want());
  }

  /** Writes an entry that tells of a removal to the log, and applies it. */
  #say(
    id: string,
    kind: number,
    apply: NewEntry['apply'],
    write: NewEntry['write'] = () => undefined,
  ): Promise<void> {
    return this.#parts.wal.append(id, kind, write, apply, true);
  }
}
