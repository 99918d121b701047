import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CorrectionVersion, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { generator } from '../../faults/random-crashes.ts';
import { startPostgres } from '../../helpers/postgres/postgres.ts';
import { startServiceProcess, type ServiceProcess } from '../../helpers/service/service-process.ts';

const SERVICES = 3;
const READERS = 3;
/** What the one record of the device says; its calibration adds a number that goes up with each change. */
const STORED = 1_000_000;

/** How often a service is killed, and ms between two kills at most. */
export interface CorrectionKills {
  readonly services: number;
  readonly everyMs: number;
}

/**
 * Corrections are changed, made and removed at three services over one database, and read at them, while services are killed.
 * Throws AssertionError where a read at any of them misses what was confirmed before it, has what was not asked for, or goes back,
 * or where the history is not what was said; resolves with what was done.
 */
export async function killedCorrections(seed: number, kills: CorrectionKills): Promise<string> {
  const random = generator(seed);
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-corrections-'));
  const server = await startPostgres();
  const services: ServiceProcess[] = [];
  try {
    const keyFile = join(folder, 'lab.key');
    await writeFile(keyFile, randomBytes(32));
    const args = ['--store', await server.database(), '--key-file', keyFile];
    const start = () => startServiceProcess({ args });
    services.push(await start());
    services.push(...(await Promise.all(Array.from({ length: SERVICES - 1 }, start))));
    const any = () => services[Math.floor(random() * services.length)]!;
    const device = await Corrected.begin(any);
    const over = new AbortController();
    const killing = async () => {
      for (let n = 0; n < kills.services && !over.signal.aborted; n++) {
        await delay(random() * kills.everyMs);
        const place = Math.floor(random() * services.length);
        await services[place]!.kill();
        services[place] = await start();
      }
    };
    // Whichever ends first, the last kill or what failed, ends the others.
    const all = [
      killing(),
      device.change(over.signal),
      device.makeAndRemove(over.signal),
      ...Array.from({ length: READERS }, () => device.read(over.signal)),
    ].map((work) => work.finally(() => over.abort()));
    await Promise.allSettled(all);
    await Promise.all(all);
    return `${kills.services} kills of services: ${await device.examine()}`;
  } finally {
    await Promise.all(services.map((service) => service.kill()));
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** A device whose corrections are changed, by one after the other, and read by several at once. */
class Corrected {
  readonly #any: () => ServiceProcess;
  readonly #project: string;
  readonly #device: string;
  readonly #calibration: string;
  /** What a change last asked for, the last one that was confirmed, and the highest that a read has had. */
  #asked = 0;
  #confirmed = 0;
  #seen = 0;
  readonly #acknowledged: number[] = [0];
  /** Of the flag that comes and goes whether it is there; null while that is being changed, or nobody was told. */
  #isFlagged: boolean | null = false;
  #flags = 0;
  #reads = 0;
  #unknown = 0;

  private constructor(any: () => ServiceProcess, project: string, device: string, calibration: string) {
    this.#any = any;
    this.#project = project;
    this.#device = device;
    this.#calibration = calibration;
  }

  static async begin(any: () => ServiceProcess): Promise<Corrected> {
    const { id: project } = await answered<{ id: string }>(any(), 'POST', '/_local/v1/projects', {
      name: 'Hall',
    });
    const made = { name: 'rig', source: 'http' };
    const { id: device, metadata } = await answered<{
      id: string;
      metadata: { device_token: string };
    }>(any(), 'POST', `/v2/projects/${project}/devices`, made);
    const stored = await any().fetch('/integrations/http', {
      method: 'POST',
      headers: { authorization: `Bearer ${metadata.device_token}` },
      body: JSON.stringify({ t: STORED }),
    });
    equal(stored.status, 200);
    const path = `/_local/v1/projects/${project}/devices/${device}/corrections`;
    const { id } = await answered<{ id: string }>(any(), 'POST', path, {
      kind: 'calibration',
      key: 't',
      points: [[0, 0]],
    });
    return new Corrected(any, project, device, id);
  }

  get #path(): string {
    return `/_local/v1/projects/${this.#project}/devices/${this.#device}/corrections`;
  }

  /** Changes the calibration, again and again. */
  async change(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const n = ++this.#asked;
      const path = `${this.#path}/${this.#calibration}`;
      if ((await told(this.#any(), 'PATCH', path, { points: [[0, n]] })) === null) this.#unknown++;
      else {
        this.#confirmed = n;
        this.#acknowledged.push(n);
      }
    }
  }

  /** Makes a flag and removes it, again and again; where nobody was told, the next read says which. */
  async makeAndRemove(over: AbortSignal): Promise<void> {
    const flag = {
      kind: 'quality',
      quality: 'suspect',
      reason: 'test',
      from: '2020-01-01T00:00:00Z',
      to: '2020-01-02T00:00:00Z',
    };
    for (let id: string | null = null; !over.aborted; this.#flags++) {
      this.#isFlagged = null;
      const done: { readonly id: string } | null =
        id === null
          ? await told<{ id: string }>(this.#any(), 'POST', this.#path, flag)
          : await told<{ id: string }>(this.#any(), 'DELETE', `${this.#path}/${id}`);
      if (done === null) {
        this.#unknown++;
        const all = await patiently<ShownCorrection[]>(this.#any, this.#path);
        id = all.find(({ kind }) => kind === 'quality')?.id ?? null;
      } else id = id === null ? done.id : null;
      this.#isFlagged = id !== null;
    }
  }

  /** Reads the corrections, and the record through them, at one service after the other. */
  async read(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.#bounded(async () => {
        const [before, flags] = [this.#isFlagged, this.#flags];
        const all = await told<ShownCorrection[]>(this.#any(), 'GET', this.#path);
        if (all === null) return null;
        const flagged = all.filter(({ kind }) => kind === 'quality').length;
        ok(flagged <= 1, 'a flag is there twice');
        if (before !== null && this.#isFlagged === before && this.#flags === flags)
          equal(flagged === 1, before, 'a flag is there that was removed, or not there that was made');
        return offsetOf(all.find(({ id }) => id === this.#calibration));
      });
      await this.#bounded(async () => {
        const path = `/_local/v1/projects/${this.#project}/devices?keys=t&view=corrected`;
        const devices = await told<{ values: { value: number }[] }[]>(this.#any(), 'GET', path);
        return devices && devices[0]!.values[0]!.value - STORED;
      });
    }
  }

  /** Expects what is read to be no older than what was confirmed or read before it, and no newer than what was asked for. */
  async #bounded(read: () => Promise<number | null>): Promise<void> {
    const least = Math.max(this.#confirmed, this.#seen);
    const found = await read();
    if (found === null) return;
    ok(found >= least, `version ${found} is read, and ${least} was there before`);
    ok(found <= this.#asked, `version ${found} is read, and nobody has asked for it`);
    this.#seen = Math.max(this.#seen, found);
    this.#reads++;
  }

  /** Expects all services to agree, and the history to have each version that was confirmed, once and in order. */
  async examine(): Promise<string> {
    const history = await patiently<CorrectionVersion[]>(this.#any, `${this.#path}/history`);
    const own = history
      .filter(({ correction_id }) => correction_id === this.#calibration)
      .toSorted((a, b) => a.version - b.version);
    deepStrictEqual(
      own.map(({ version }) => version),
      own.map((_, i) => i + 1),
    );
    const offsets = own.map(({ after }) => offsetOf(after ?? undefined));
    deepStrictEqual(
      offsets,
      offsets.toSorted((a, b) => a - b),
    );
    equal(new Set(offsets).size, offsets.length, 'a version is there twice');
    for (const n of this.#acknowledged) ok(offsets.includes(n), `version ${n} is lost`);
    ok(offsets.at(-1)! >= this.#seen);
    return `${own.length} versions, ${this.#flags} flags made or removed, ${this.#unknown} of both unanswered, ${this.#reads} reads`;
  }
}

function offsetOf(correction: { readonly points?: unknown } | undefined): number {
  const points = correction?.points as readonly (readonly [number, number])[] | undefined;
  return points?.[0]?.[1] ?? NaN;
}

/** Null where the service went before it answered. Throws AssertionError where it refused. */
async function told<T>(
  service: ServiceProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<T | null> {
  try {
    return await answered<T>(service, method, path, body);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && GONE.has(String(error.code)))) throw error;
    // What it had sent to the database is decided there meanwhile.
    await delay(GONE_MS);
    return null;
  }
}

const GONE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
const GONE_MS = 300;

async function answered<T>(
  service: ServiceProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const { success, data, message } = await service.call<T>(method, path, body);
  ok(success && data !== null && data !== undefined, message);
  return data;
}

async function patiently<T>(any: () => ServiceProcess, path: string): Promise<T> {
  for (;;) {
    const found = await told<T>(any(), 'GET', path);
    if (found !== null) return found;
  }
}
