import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Correction } from '#shared/domain/corrections.ts';
import type { Micros } from '#shared/values/time.ts';
import { localPath, type Device, type Model } from './model.ts';
import { dataOf, type Data } from './wire.ts';
import type { World } from './world.ts';

/* Which corrections of its records a device has. */

/** One that was entered: its fields over HTTP, and as the model of the corrected view takes them. */
export interface Entered {
  /** Null where nobody got the answer that would have said it. */
  readonly id: string | null;
  readonly version: number;
  /** By the clock of the service, which may have been set back since. */
  readonly created: Micros;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reads: Correction;
}

/** Corrections in their places: the oldest first, of equal times as they were entered. */
export const inPlace = (entered: readonly Entered[]): readonly Entered[] =>
  entered.toSorted((a, b) => a.created - b.created);

/** Finds out which corrections a device has of these, all of one change or none. */
export async function whichCorrections(
  world: World,
  model: Model,
  device: Device,
  possible: readonly (readonly Entered[])[],
): Promise<readonly Entered[]> {
  const found = await corrections(world, model, device);
  const match = possible.find((each) => isSame(found, each));
  ok(match, `${device.name} has corrections that nobody entered: ${JSON.stringify(found)}`);
  return match.map((entered, i) => ({ ...entered, id: String(found[i]?.['id']) }));
}

/** Compares the corrections that a device has, what the history has of them, and what the audit trail tells of the last one. */
export async function checkCorrections(world: World, model: Model, device: Device): Promise<void> {
  const found = await corrections(world, model, device);
  ok(
    isSame(found, device.corrections),
    `${device.name} has other corrections:\n  found    ${JSON.stringify(found)}\n  expected ${JSON.stringify(device.corrections)}`,
  );
  const history = (await world.data(
    'GET',
    `${localPath(model, device)}/corrections/history`,
  )) as unknown as Data[];
  for (const { id, version } of device.corrections)
    deepStrictEqual(
      history.filter(({ correction_id }) => correction_id === id).length,
      version,
      `versions of a correction of ${device.name}`,
    );
}

interface Told {
  readonly entries: readonly {
    readonly changes?: readonly {
      readonly table: string;
      readonly id: string;
      readonly after: { readonly version?: number } | null;
    }[];
  }[];
  readonly next: number | null;
}

/** The audit trail tells of each version that is there now. */
export async function checkTold(
  world: World,
  { id: device, name, corrections: present }: Device,
): Promise<void> {
  if (present.length === 0) return;
  const { entries, next } = (await world.data(
    'GET',
    `/_local/v1/audit?device_id=${device}&limit=200`,
  )) as unknown as Told;
  const changes = entries.flatMap((entry) => entry.changes ?? []);
  for (const { id, version } of present) {
    const isTold = changes.some(
      (each) => each.table === 'corrections' && each.id === id && each.after?.version === version,
    );
    ok(
      isTold || next !== null,
      `the audit trail tells nothing of version ${version} of a correction of ${name}`,
    );
  }
}

async function corrections(world: World, model: Model, device: Device): Promise<readonly Data[]> {
  const answer = await world.ask('GET', `${localPath(model, device)}/corrections`);
  ok(answer?.status === 200, `the corrections of ${device.name} were answered ${answer?.status}`);
  return dataOf(answer) as unknown as readonly Data[];
}

function isSame(found: readonly Data[], expected: readonly Entered[]): boolean {
  return (
    found.length === expected.length &&
    expected.every(({ id, version, fields }, i) => {
      const one = found[i]!;
      const isIt = (id === null || one['id'] === id) && one['version'] === version;
      return isIt && Object.entries(fields).every(([name, value]) => isEqual(one[name], value));
    })
  );
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
