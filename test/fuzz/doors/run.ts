import type { DoorRun } from './door.ts';
import { doors, SHARES } from './index.ts';
import { Stage } from './stage.ts';

/** Doors, and the service that they share, which is started with the first that needs one. */
export interface DoorTarget {
  /** Hands inputs to one door; resolves with how many. Throws the smallest that breaks a rule, and how to have it again. */
  run(name: string, options: DoorRun): Promise<number>;
  stop(): Promise<void>;
}

export const doorNames: readonly string[] = doors.map(({ name }) => name);

/** Of so many inputs by all doors, how many come by one; at least one does. */
export const shareOf = (name: string, inputs: number) =>
  Math.max(1, Math.round(((SHARES[name] ?? 0) / 1000) * inputs));

export function openDoorTarget(): DoorTarget {
  let stage: Promise<Stage> | null = null;
  return {
    async run(name, options) {
      const door = doors.find((one) => one.name === name);
      if (!door) throw new RangeError(`There is no door ${name}: it must be one of ${doorNames.join(', ')}.`);
      try {
        return await door.run(() => (stage ??= Stage.open()), options);
      } catch (error) {
        const again = `npm run fuzz -- --only ${name} --seed ${options.seed} --inputs ${options.inputs}`;
        throw new Error(`${name}. Again: ${again}\n${(error as Error).message}`, { cause: error });
      }
    },
    async stop() {
      await (await stage)?.close();
    },
  };
}
