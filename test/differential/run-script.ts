import * as acts from './acts.ts';
import { Client } from './client.ts';
import * as ends from './ends.ts';
import type { Host } from './host.ts';
import * as questions from './questions.ts';
import type { Script, Step } from './script.ts';
import { killWriters, writeAtOnce } from './writers.ts';
import { World } from './world.ts';

/** The service is not as the model is: where in a script, why, and all that was asked until then. */
export class Difference extends Error {
  override readonly name = 'Difference';
  readonly shell: string;

  constructor(message: string, shell: string, cause: unknown) {
    super(message, { cause });
    this.shell = shell;
  }
}

/** Does everything a script says to a service and to the model, then compares all there is. Throws a Difference. */
export async function runScript(host: Host, { devices, steps }: Script): Promise<void> {
  const world = new World(new Client(host));
  let at = 'at the beginning';
  try {
    await world.createProject();
    for (let i = 0; i < devices; i++) await world.createDevice(world.projects[0]!);
    for (const [i, step] of steps.entries()) {
      at = `step ${i + 1}, "${step.do}"`;
      world.client.remark(at);
      await perform(world, step);
    }
    at = 'after the last step';
    world.client.remark(at);
    await compareAll(world);
    at = 'when everything is deleted';
    for (const project of world.projects) await acts.deleteProject(world, project);
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new Difference(`${at}: ${told}`, world.client.shell(), error);
  }
}

async function compareAll(world: World): Promise<void> {
  await questions.facts(world);
  for (const device of world.devices) {
    const all = { device: 0, range: null, keys: null };
    await questions.exported(world, device, { ...all, do: 'export', format: 'ndjson' });
    await questions.exported(world, device, { ...all, do: 'export', format: 'csv' });
    await questions.walk(world, device, { ...all, do: 'walk', limit: 997 });
    await questions.series(world, device, { ...all, do: 'series', width: 50 });
  }
}

async function perform(world: World, step: Step): Promise<void> {
  switch (step.do) {
    case 'create project':
      return world.createProject();
    case 'facts':
      return questions.facts(world);
    case 'restart':
      return ends.restart(world);
    case 'kill':
      return ends.kill(world);
    case 'create device':
    case 'delete project': {
      const project = world.project(step.project);
      if (project === undefined) return;
      return step.do === 'create device' ? world.createDevice(project) : acts.deleteProject(world, project);
    }
    case 'copy': {
      const [from, to] = [world.device(step.from), world.device(step.to)];
      if (from && to) await acts.copy(world, from, to, step.format);
      return;
    }
    default: {
      const device = world.device(step.do === 'kill during' ? step.act.device : step.device);
      // All were deleted: there is nothing to do it to.
      if (device !== undefined) await performOn(world, device, step);
    }
  }
}

type DeviceStep = Extract<Step, { device: number } | { do: 'kill during' }>;

async function performOn(
  world: World,
  device: Parameters<typeof acts.purge>[1],
  step: DeviceStep,
): Promise<void> {
  switch (step.do) {
    case 'send':
      return acts.send(world, device, step.body, step.type);
    case 'import lines':
      return acts.importLines(world, device, step.body);
    case 'bulk':
      return acts.bulk(world, device, step);
    case 'remove':
      return acts.remove(world, device, step.range);
    case 'purge':
      return acts.purge(world, device);
    case 'delete device':
      return acts.deleteDevice(world, device);
    case 'write at once':
      return writeAtOnce(world, device, step.writers);
    case 'page':
      return questions.page(world, device, step);
    case 'walk':
      return questions.walk(world, device, step);
    case 'export':
      return questions.exported(world, device, step);
    case 'series':
      return questions.series(world, device, step);
    case 'kill writers':
      return killWriters(world, device, step.writers, step.acknowledged);
    case 'kill during':
      return ends.killDuring(world, device, step);
  }
}
