import * as fc from 'fast-check';
import type { WritableTables } from '#core/store/metadata/metadata.ts';
import { aDevice, aKey, aProject, hashOf } from '../../../../suites/metadata/rows.ts';

/* What tokens and API keys are at any moment, as maps, and the changes that two services make to both. */

const ACCOUNTS = [crypto.randomUUID(), crypto.randomUUID()] as const;
/** Secrets are numbers; those of keys begin here. */
export const KEYS = 1_000_000;

export interface Device {
  readonly id: string;
  readonly project: string;
  readonly secret: number;
  readonly source: 'http' | 'mqtt';
}

/** What there is; states are not changed. */
export interface State {
  readonly projects: ReadonlyMap<string, string>;
  readonly devices: ReadonlyMap<string, Device>;
  readonly keys: ReadonlyMap<string, number>;
}

const KINDS = [
  'make',
  'renew',
  'rename',
  'move',
  'delete',
  'delete many',
  'delete project',
  'undo',
  'key',
  'revoke',
  'by an earlier build',
] as const;
export const act = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 50 }),
  count: fc.integer({ min: 1, max: 4 }),
  /** Which secrets are looked up meanwhile. */
  looks: fc.array(fc.nat({ max: 50 }), { maxLength: 3 }),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** What a change does to the maps, and how it is made. */
export interface Step {
  readonly after: State;
  readonly make: (tables: WritableTables) => Promise<void>;
}

export class Naive {
  state: State = { projects: new Map(), devices: new Map(), keys: new Map() };
  /** What was deleted and can be had back. */
  readonly #kept: {
    readonly projects: readonly string[];
    readonly devices: readonly Device[];
    readonly rows: {
      readonly id: string;
      readonly sequence: number;
      readonly table: 'projects' | 'devices';
    }[];
  }[] = [];
  #secrets = 0;

  /** All secrets so far, those of keys last. */
  get secrets(): number[] {
    return Array.from({ length: this.#secrets }, (_, n) => [n, KEYS + n]).flat();
  }

  step({ kind, pick, count }: Act): Step | null {
    const { projects, devices, keys } = this.state;
    const device = [...devices.values()][pick % Math.max(1, devices.size)];
    const project = [...projects.keys()][pick % Math.max(1, projects.size)];
    const key = [...keys.keys()][pick % Math.max(1, keys.size)];
    switch (kind) {
      case 'make':
        return this.#make(pick % 3 === 0 ? undefined : project, count);
      case 'renew': {
        if (!device) return null;
        const secret = this.#secrets++;
        return this.#patch({ ...device, secret }, { token_hash: hashOf(secret) });
      }
      case 'rename':
        return device ? this.#patch(device, { name: `name ${this.#secrets++}` }) : null;
      case 'move':
        return device && project ? this.#patch({ ...device, project }, { project_id: project }) : null;
      case 'delete':
        return device ? this.#remove([], [device]) : null;
      case 'delete many':
        return this.#remove([], [...devices.values()].slice(pick % 3, (pick % 3) + 2 * count));
      case 'delete project':
        return project
          ? this.#remove(
              [project],
              [...devices.values()].filter((each) => each.project === project),
            )
          : null;
      case 'undo':
        return this.#undo();
      case 'key': {
        const [id, secret] = [crypto.randomUUID(), this.#secrets++];
        const after = { ...this.state, keys: new Map(keys).set(id, KEYS + secret) };
        return {
          after,
          make: async (tables) =>
            void (await tables.insert('api_keys', aKey(id, ACCOUNTS[0], KEYS + secret))),
        };
      }
      case 'revoke': {
        if (key === undefined) return null;
        const after = { ...this.state, keys: new Map(keys) };
        after.keys.delete(key);
        return { after, make: async (tables) => void (await tables.remove('api_keys', key)) };
      }
      case 'by an earlier build':
        return device ? this.#remove([], [device]) : null;
    }
  }

  #make(known: string | undefined, count: number): Step {
    const projects = new Map(this.state.projects);
    const devices = new Map(this.state.devices);
    const project = known ?? crypto.randomUUID();
    const account_id = projects.get(project) ?? ACCOUNTS[projects.size % 2 ? 1 : 0];
    projects.set(project, account_id);
    const made = Array.from({ length: count }, (_, n): Device => ({
      id: crypto.randomUUID(),
      project,
      secret: this.#secrets++,
      source: n % 2 ? 'http' : 'mqtt',
    }));
    for (const each of made) devices.set(each.id, each);
    return {
      after: { ...this.state, projects, devices },
      async make(tables) {
        if (known === undefined) await tables.insert('projects', aProject(project, account_id));
        for (const { id, secret, source } of made)
          await tables.insert('devices', { ...aDevice(id, project, secret), source });
      },
    };
  }

  #patch(device: Device, fields: { token_hash?: string; name?: string; project_id?: string }): Step {
    return {
      after: { ...this.state, devices: new Map(this.state.devices).set(device.id, device) },
      make: async (tables) => void (await tables.patch('devices', device.id, fields)),
    };
  }

  #remove(projects: readonly string[], devices: readonly Device[]): Step {
    const after = {
      ...this.state,
      projects: new Map(this.state.projects),
      devices: new Map(this.state.devices),
    };
    for (const id of projects) after.projects.delete(id);
    for (const { id } of devices) after.devices.delete(id);
    const kept = this.#kept;
    return {
      after,
      async make(tables) {
        const rows = [];
        for (const [table, ids] of [
          ['projects', projects],
          ['devices', devices.map(({ id }) => id)],
        ] as const)
          for (const id of ids) {
            const row = await tables.get(table, id);
            if (row) rows.push({ ...row, table });
            await tables.remove(table, id);
          }
        kept.push({ projects, devices, rows });
      },
    };
  }

  #undo(): Step | null {
    const kept = this.#kept.pop();
    if (
      !kept ||
      kept.devices.some(
        ({ project }) => !this.state.projects.has(project) && !kept.projects.includes(project),
      )
    )
      return null;
    const after = {
      ...this.state,
      projects: new Map(this.state.projects),
      devices: new Map(this.state.devices),
    };
    for (const row of kept.rows)
      if (row.table === 'projects')
        after.projects.set(row.id, (row as unknown as { account_id: string }).account_id);
    for (const device of kept.devices) after.devices.set(device.id, device);
    return {
      after,
      async make(tables) {
        for (const { table, ...row } of kept.rows) await tables.putBack(table, row);
      },
    };
  }
}
