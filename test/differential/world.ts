import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Client } from './client.ts';
import { objectOf, textOf } from './client.ts';
import { Records } from './model.ts';
import { readTime } from './time.ts';

/** How far the service's clock may stray from this process's, in µs: it follows the wall clock to 5 ms. */
const STRAY = 10_000;

/** An instant that is known to lie between two, in µs. */
export interface Between {
  readonly from: number;
  readonly to: number;
}

/** Runs something and answers between which instants it ran. */
export async function timed<T>(work: () => Promise<T>): Promise<[T, Between]> {
  const from = Date.now() * 1000 - STRAY;
  const result = await work();
  return [result, { from, to: Date.now() * 1000 + STRAY }];
}

/** What is known of a time that the service keeps: null is never. Once it was read it must stay. */
export class Moment {
  #possible: (Between | null)[] = [null];

  set(between: Between): void {
    this.#possible = [between];
  }

  /** It may have been set: nobody said so before the service was killed. */
  mayBe(between: Between): void {
    this.#possible.push(between);
  }

  check(time: number | null, what: string): void {
    const fits = this.#possible.some((each) =>
      each === null || time === null ? each === time : time >= each.from && time <= each.to,
    );
    ok(fits, `${what} is ${time}, expected one of ${JSON.stringify(this.#possible)} (µs)`);
    this.#possible = [time === null ? null : { from: time, to: time }];
  }
}

export interface Device {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly project: Project;
  readonly records: Records;
  readonly seen: Moment;
  readonly purged: Moment;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  /** Oldest first. */
  devices: Device[];
}

/** Times of concurrent writers begin here: nothing else uses them. */
const WRITERS_FROM = Date.UTC(2090, 0, 1) * 1000;

/** The projects that a script made, beside what the model holds of them. */
export class World {
  readonly client: Client;
  /** Oldest first. */
  projects: Project[] = [];
  #made = 0;
  #nextWriters = WRITERS_FROM;

  constructor(client: Client) {
    this.client = client;
  }

  get devices(): Device[] {
    return this.projects.flatMap(({ devices }) => devices);
  }

  project(number: number): Project | undefined {
    return this.projects[number % this.projects.length];
  }

  device(number: number): Device | undefined {
    const { devices } = this;
    return devices[number % devices.length];
  }

  /** The first of `length` µs that no record has. */
  freshTimes(length: number): number {
    const from = this.#nextWriters;
    this.#nextWriters += length + 1;
    return from;
  }

  async createProject(): Promise<void> {
    const name = `P${++this.#made}`;
    const body = JSON.stringify({ name });
    const created = await this.client.object('POST', '/_local/v1/projects', {
      type: 'application/json',
      body,
    });
    const id = textOf(created.get('id'));
    this.client.name(id, name, 'id');
    this.projects.push({ id, name, devices: [] });
  }

  async createDevice(project: Project): Promise<void> {
    const name = `D${++this.#made}`;
    const asked = { type: 'application/json', body: JSON.stringify({ name, source: 'http' }) };
    const created = await this.client.object('POST', `/v2/projects/${project.id}/devices`, asked, 201);
    const [id, token] = [
      textOf(created.get('id')),
      textOf(objectOf(created.get('metadata')).get('device_token')),
    ];
    deepStrictEqual(created.get('last_seen'), NEVER);
    this.client.name(id, name, 'id');
    this.client.name(token, `T${name.slice(1)}`, 'device_token');
    const [records, seen, purged] = [new Records(), new Moment(), new Moment()];
    project.devices.push({ id, name, token, project, records, seen, purged });
  }

  forget(device: Device): void {
    device.project.devices = device.project.devices.filter((each) => each !== device);
  }
}

/** What `last_seen` says of a device that never stored anything (docs/api.md, "Fields"). */
const NEVER = '0001-01-01T00:00:00Z';

/** Reads `last_seen`; null is never. */
export function seenAt(text: string): number | null {
  if (text === NEVER) return null;
  const time = readTime(text);
  ok(time !== null, `last_seen is no time: ${text}`);
  return time;
}

export const documentPath = ({ id, project }: Device) => `/v2/projects/${project.id}/devices/${id}`;
export const localPath = ({ id, project }: Device) => `/_local/v1/projects/${project.id}/devices/${id}`;
