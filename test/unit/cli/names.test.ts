import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyOf, projectOf, scopeOf, type Holdings, type Named, type Scope } from '#core/cli/names/look-up.ts';
import { nearestOf } from '#core/base/slips.ts';
import { UsageError } from '#core/base/errors.ts';

/* docs/running.md, "Names and ids": what a word means, against a model that weighs each thing by itself. */

interface Project extends Named {
  readonly devices: readonly Named[];
}

const uuid = (n: number) => `00000000-0000-4000-8000-${n.toString().padStart(12, '0')}`;

const holding = (projects: readonly Project[]): Holdings => {
  const devicesOf = (id: string) => projects.find((project) => project.id === id)?.devices ?? [];
  return {
    of: 'the service',
    projects: async () => projects,
    devices: async (id) => devicesOf(id),
    hasDevice: async (id, device) => devicesOf(id).some((each) => each.id === device),
  };
};

type Outcome = { readonly scope: Scope } | { readonly several: readonly string[] } | 'none';

async function outcomeOf(looking: Promise<Scope>): Promise<Outcome> {
  try {
    return { scope: await looking };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const several = [...error.message.matchAll(/^ {2}(\S{36}) {2}/gm)].map(([, id = '']) => id);
    return several.length > 0 ? { several } : 'none';
  }
}

/** 0 for the id, 1 for the name, 2 for the name in another case, 3 for another thing. */
function distance(word: string, id: string, names: readonly string[]): number {
  if (word === id) return 0;
  if (names.some((name) => name === word)) return 1;
  return names.some((name) => name.toUpperCase() === word.toUpperCase()) ? 2 : 3;
}

function nearest<T extends { readonly distance: number }>(all: readonly T[]): readonly T[] {
  const least = Math.min(...all.map((each) => each.distance));
  return least === 3 ? [] : all.filter((each) => each.distance === least);
}

function modelOf(projects: readonly Project[], project: string | undefined, device: string): Outcome {
  const isId = (word: string) => /^[\d-]{36}$/.test(word);
  const meantProjects = nearest(
    projects.map((each) => ({ ...each, distance: distance(project ?? '', each.id, [each.name]) })),
  );
  if (project !== undefined && meantProjects.length > 1)
    return { several: meantProjects.map(({ id }) => id) };
  if (project !== undefined && meantProjects.length === 0 && !(isId(project) && isId(device))) return 'none';
  const among = project === undefined ? projects : meantProjects;
  const meant = nearest(
    among.flatMap((of) =>
      of.devices.map(({ id, name }) => ({
        id,
        project_id: of.id,
        distance: distance(device, id, [name, `${of.name}/${name}`, `${of.id}/${name}`]),
      })),
    ),
  );
  const [one, ...others] = meant;
  if (one && others.length > 0) return { several: meant.map(({ id }) => id) };
  if (one) return { scope: { project_id: one.project_id, device_id: one.id } };
  if (!isId(device)) return 'none';
  const given = meantProjects[0]?.id ?? project;
  return { scope: { ...(given !== undefined && { project_id: given }), device_id: device } };
}

const names = fc.constantFrom('a', 'A', 'b', 'a/b', 'A/b', 'b/a', 'b/a/b', uuid(0), uuid(1), uuid(2));
const worlds = fc
  .array(fc.record({ name: names, devices: fc.array(names, { maxLength: 4 }) }), { maxLength: 4 })
  .map((drawn): readonly Project[] => {
    let id = 0;
    return drawn.map(({ name, devices }) => ({
      id: uuid(id++),
      name,
      devices: devices.map((each) => ({ id: uuid(id++), name: each })),
    }));
  });
const words = fc.oneof(
  names,
  fc.nat(20).map(uuid),
  fc.tuple(names, names).map(([project, device]) => `${project}/${device}`),
);

test('every word means what the model says, with a project and without', async () => {
  await fc.assert(
    fc.asyncProperty(
      worlds,
      fc.option(words, { nil: undefined }),
      words,
      async (projects, project, device) => {
        const found = await outcomeOf(scopeOf(holding(projects), { project, device }));
        expect(found).toEqual(modelOf(projects, project, device));
      },
    ),
    { numRuns: 2000 },
  );
});

const boiler: Project = {
  id: uuid(1),
  name: 'Boiler room',
  devices: [
    { id: uuid(2), name: 'ESP32' },
    { id: uuid(3), name: 'Pump\u001b[31m' },
  ],
};
const roof: Project = { id: uuid(4), name: 'Roof', devices: [{ id: uuid(5), name: 'esp32' }] };
const both = holding([boiler, roof]);

describe('a name', () => {
  test('in its own case is that thing, whatever is called the same in another', async () => {
    expect(await scopeOf(both, { device: 'esp32' })).toEqual({ project_id: roof.id, device_id: uuid(5) });
    expect(await scopeOf(both, { device: 'boiler ROOM/esp32' })).toEqual({
      project_id: boiler.id,
      device_id: uuid(2),
    });
    expect(await scopeOf(both, { project: 'ROOF', device: 'ESP32' })).toEqual({
      project_id: roof.id,
      device_id: uuid(5),
    });
  });

  test('of several is refused with each of them, and gives the terminal no orders', async () => {
    await expect(scopeOf(both, { device: 'Esp32' })).rejects.toThrow(
      new UsageError(
        `--device must be one device of the service, got "Esp32", the name of 2: give PROJECT/DEVICE, or the id.\n  ${uuid(2)}  Boiler room/ESP32\n  ${uuid(5)}  Roof/esp32`,
      ),
    );
    const twice = holding([
      { ...boiler, devices: [...boiler.devices, { id: uuid(6), name: 'pump\u001b[31m' }] },
    ]);
    await expect(scopeOf(twice, { device: 'PUMP\u001b[31m' })).rejects.toThrow('Boiler room/Pump�[31m');
  });

  test('of more than ten is refused with ten of them', async () => {
    const many = holding(Array.from({ length: 1200 }, (_, i) => ({ id: uuid(i), name: 'Rig', devices: [] })));
    const refused = projectOf(many, 'Rig');
    await expect(refused).rejects.toThrow('the name of 1,200: give the id.\n');
    await expect(refused).rejects.toThrow(new RegExp(`  ${uuid(9)}  Rig\\n  and 1,190 more$`));
  });

  test('of nothing is refused, with the nearest one where one is near', async () => {
    await expect(scopeOf(both, { project: 'Boiler rom' })).rejects.toThrow(
      '--project must be the name or id of a project of the service, got "Boiler rom". Did you mean "Boiler room"?',
    );
    await expect(scopeOf(both, { project: 'Roof', device: 'ESP23' })).rejects.toThrow(
      '--device must be the name or id of a device of the project "Roof", got "ESP23". Did you mean "esp32"?',
    );
    await expect(scopeOf(both, { device: 'Roof/ESP33' })).rejects.toThrow('Did you mean "Roof/esp32"?');
    await expect(scopeOf(both, { device: 'Compressor' })).rejects.toThrow(/got "Compressor"\.$/);
    await expect(scopeOf(both, { project: '' })).rejects.toThrow(/got ""\.$/);
  });

  test('may be of a project or of a device where either will do', async () => {
    expect(await anyOf(both, 'Roof', undefined)).toBe(roof.id);
    expect(await anyOf(both, 'Roof/esp32', undefined)).toBe(uuid(5));
    expect(await anyOf(both, uuid(5), undefined)).toBe(uuid(5));
    await expect(anyOf(both, 'Roof', [boiler.id])).rejects.toThrow(
      '--into must be the name or id of a project or device',
    );
  });
});

test('an id asks for no list of devices', async () => {
  const asking: Holdings = {
    ...both,
    devices: () => Promise.reject(new Error('All devices were asked for.')),
  };
  const found = { project_id: roof.id, device_id: uuid(5) };
  expect(await scopeOf(asking, { device: uuid(5) })).toEqual(found);
  expect(await scopeOf(asking, { project: roof.id, device: uuid(5) })).toEqual(found);
  expect(await anyOf(asking, uuid(5), undefined)).toBe(uuid(5));
  // Of another account: the service knows it.
  expect(await scopeOf(asking, { project: uuid(8), device: uuid(9) })).toEqual({
    project_id: uuid(8),
    device_id: uuid(9),
  });
});

test('the nearest text has the fewest slips', () => {
  expect(nearestOf('pupm', ['lamp', 'pump', 'pumps'])).toBe('pump');
  expect(nearestOf('PRESSURE-1', ['pressure', 'pressure-12', 'pressure-2'])).toBe('pressure-12');
  expect(nearestOf('valve', ['pump', 'fan'])).toBeNull();
});
