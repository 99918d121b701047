import type { Simulator } from '#shared/operations/service/simulators.ts';
import type { ClockSetting } from '#core/base/rig-clock.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/** 2026-03-03T00:00:00Z, µs. */
export const START = Date.UTC(2026, 2, 3) * 1000;
export const FROZEN = { mode: 'frozen', now: START } as const;

export interface Record_ {
  readonly timestamp: string;
  readonly [key: string]: unknown;
}

export interface Place {
  readonly project_id: string;
  readonly device_id: string;
}

/** A service with simulators, and what a test asks of it. */
export interface Simulated {
  readonly service: RunningService;
  /** A device of a new project. */
  device(source?: 'http' | 'mqtt', project_id?: string): Promise<Place & { readonly token: string }>;
  start(body: object): Promise<Simulator>;
  list(): Promise<readonly Simulator[]>;
  stop(id: string): Promise<Simulator>;
  /** Of all that are there, oldest first. */
  records(place: Place): Promise<readonly Record_[]>;
  advance(ms: number): Promise<number>;
  /** The message of a 400. */
  refused(body: object): Promise<string>;
  /** Resolves with it once it has ended. */
  ended(id: string): Promise<Simulator>;
}

export async function simulated(
  clock: ClockSetting | null = FROZEN,
  config: Parameters<typeof runService>[0] = {},
): Promise<Simulated> {
  const service = await runService({ vault: 'memory', clock, ...config }, { isAlone: true });
  const path = '/_local/v1/simulators';
  const list = async () => (await dataOf(service, 'GET', path)) as unknown as readonly Simulator[];
  return {
    service,
    list,
    async device(source = 'http', given) {
      const project_id = given ?? (await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Lab' })).id;
      const { id, metadata } = await dataOf(service, 'POST', `/v2/projects/${project_id}/devices`, {
        name: 'Probe',
        source,
      });
      return { project_id, device_id: id, token: (metadata as { device_token: string }).device_token };
    },
    start: async (body) => (await dataOf(service, 'POST', path, body)) as unknown as Simulator,
    stop: async (id) => (await dataOf(service, 'DELETE', `${path}/${id}`)) as unknown as Simulator,
    async records({ project_id, device_id }) {
      const found: Record_[] = [];
      for (let page = 1; ; page++) {
        const query = `page=${page}&limit=10000&range=all`;
        const some = (await dataOf(
          service,
          'GET',
          `/v2/projects/${project_id}/devices/${device_id}/data?${query}`,
        )) as unknown as Record_[];
        found.push(...some);
        if (some.length < 10_000) return found.toReversed();
      }
    },
    advance: async (ms) =>
      (await dataOf(service, 'POST', '/_local/v1/clock/advance', { ms }))['ran'] as number,
    async refused(body) {
      const { status, envelope } = await service.request('POST', path, { body });
      if (status !== 400) throw new Error(`${status}: ${envelope.message}`);
      return envelope.message;
    },
    async ended(id) {
      for (;;) {
        const found = (await list()).find((each) => each.id === id);
        if (!found) throw new Error('it is gone');
        if (found.state !== 'running') return found;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

/** The time so many seconds after START, as records have it. */
export const at = (seconds: number) =>
  new Date(START / 1000 + seconds * 1000).toISOString().replace('Z', '000Z');
