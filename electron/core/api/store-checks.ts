import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import { storedFinding } from '#shared/operations/service/storage.ts';
import { count } from '#shared/schema/schemas.ts';
import type { Clock } from '../base/clock.ts';
import { Refusal } from '../base/errors.ts';
import type { KeptLines } from '../backend/kept-lines.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import type { RecordStore } from '../store/store.ts';
import { Pace } from '../turns/pace.ts';
import type { Jobs } from '../work/jobs.ts';

/** Findings that are kept and told; a disk that fails may make thousands. */
const MOST_FINDINGS = 200;

const lastCheck = z.object({
  /** When it began, in µs since 1970. */
  at: z.int(),
  took_ms: count,
  devices: count,
  files: count,
  records: count,
  bytes: count,
  damaged: count,
  findings: z.array(storedFinding),
});
/** Findings of the last check of the records. */
export type LastCheck = Readonly<z.output<typeof lastCheck>>;

interface CheckParts {
  readonly records: Pick<RecordStore, 'check' | 'devices' | 'extents'>;
  readonly metadata: Pick<Metadata, 'read'>;
  readonly jobs: Pick<Jobs, 'run'>;
  readonly clock: Clock;
  readonly default_account_id: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** Checks of the records while the service runs: one at a time, and the last one's result, which outlives a restart. */
export class StoreChecks {
  readonly #parts: CheckParts;
  readonly #journal: KeptLines;
  readonly #stop = new AbortController();
  #last: LastCheck | null;
  #running: Promise<LastCheck> | null = null;

  private constructor(parts: CheckParts, journal: KeptLines, last: LastCheck | null) {
    this.#parts = parts;
    this.#journal = journal;
    this.#last = last;
  }

  /** Takes up what was written down; what cannot be read is as if no check had been. Rejects with StoreError. */
  static async open(journal: KeptLines, parts: CheckParts): Promise<StoreChecks> {
    const { lines } = await journal.read();
    const read = lastCheck.safeParse(parseJson(lines.at(-1) ?? 'null'));
    return new StoreChecks(parts, journal, read.success ? read.data : null);
  }

  /** Null where none was, or none came to its end. */
  get last(): LastCheck | null {
    return this.#last;
  }

  /** Reads every byte of the records, as a job; who asks while that runs gets the same result. */
  run(): Promise<LastCheck> {
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Refusal(500, 'The service is stopping.'));
    await this.#running?.catch(() => undefined);
    await this.#journal.close();
  }

  async #run(): Promise<LastCheck> {
    const { jobs, default_account_id, log } = this.#parts;
    const start = {
      kind: 'check',
      account_id: default_account_id,
      project_id: '',
      device_id: null,
      name: 'all records',
      unit: 'bytes',
      total: null,
      stop: new AbortController(),
    } as const;
    const last = await jobs.run(
      start,
      (progress, signal) => this.#check(progress, signal),
      this.#stop.signal,
    );
    this.#last = last;
    try {
      await this.#journal.replace([JSON.stringify(last)]);
    } catch (error) {
      // Whoever asked is told what was found all the same; the next start knows the check before.
      log.warn(`The result of the check could not be written: ${(error as Error).message}`);
    }
    return last;
  }

  async #check(progress: (done: number, total?: number) => void, signal: AbortSignal): Promise<LastCheck> {
    const { records, clock } = this.#parts;
    const at = clock.now();
    const began = machineClock.monotonicMs();
    const devices = await records.devices();
    const total = await this.#bytesOf(devices);
    const all = { files: 0, records: 0, bytes: 0, damaged: 0 };
    const findings: LastCheck['findings'] = [];
    let done = 0;
    const read = (bytes: number) => progress((done += bytes), Math.max(total, done));
    progress(0, total);
    const pace = new Pace();
    for (const device of [null, ...devices]) {
      signal.throwIfAborted();
      const checked = await records.check(device, { signal, progress: read });
      all.files += checked.files;
      all.records += checked.records;
      all.bytes += checked.bytes;
      all.damaged += checked.findings.length;
      for (const { device: device_id, file, message, loses } of checked.findings)
        if (findings.length < MOST_FINDINGS) findings.push({ device_id, file, message, loses });
      await pace.pause();
    }
    return {
      at,
      took_ms: Math.round(machineClock.monotonicMs() - began),
      devices: devices.length,
      ...all,
      findings,
    };
  }

  /** Resolves with about the bytes to read. */
  async #bytesOf(devices: readonly string[]): Promise<number> {
    const { records, metadata } = this.#parts;
    const extents = await records.extents(devices);
    const kept = await metadata.read((tables) => tables.list('kept_deletes'));
    const held = extents.reduce((sum, { bytes }) => sum + bytes, 0);
    return kept.reduce((sum, { bytes }) => sum + (bytes ?? 0), held);
  }
}
