import * as fc from 'fast-check';
import type { Stage } from './stage.ts';

/** Letters of a counterexample that a person wants to see. */
const MOST_TOLD = 6000;

/** One way in, and what nobody thought of that comes in by it. */
export interface Door {
  readonly name: string;
  /**
   * Hands in about `inputs` of them and resolves with how many, with what shrinking took. Rejects with the smallest that
   * breaks a rule.
   */
  run(stage: () => Promise<Stage>, options: DoorRun): Promise<number>;
}

export interface DoorRun {
  readonly seed: number;
  readonly inputs: number;
}

/**
 * A door of a running service. `hand` gives it a list of inputs, of `most` at most, and throws where an answer is wrong;
 * behind each list the service is still right, and behind all of them it is started again and has everything.
 */
export function doorOf<Input>(
  name: string,
  input: fc.Arbitrary<Input>,
  hand: (stage: Stage, inputs: readonly Input[]) => Promise<void>,
  { most = 24 }: { readonly most?: number } = {},
): Door {
  return {
    name,
    async run(open, options) {
      const stage = await open();
      const check = (list: readonly Input[]) => stage.follow(() => hand(stage, list));
      const handed = await tried(input, check, { ...options, most });
      await stage.settle();
      return handed;
    },
  };
}

/** A door without a running service: what is read from files. */
export function readerOf<Input>(
  name: string,
  input: fc.Arbitrary<Input>,
  read: (one: Input) => Promise<void>,
): Door {
  const check = async (list: readonly Input[]) => {
    for (const one of list) await read(one);
  };
  return { name, run: (_, options) => tried(input, check, { ...options, most: 1 }) };
}

/** A door each of whose inputs is a list of so many. */
export function countedAs(many: number, door: Door): Door {
  return {
    name: door.name,
    run: async (stage, { seed, inputs }) =>
      many * (await door.run(stage, { seed, inputs: Math.ceil(inputs / many) })),
  };
}

async function tried<Input>(
  input: fc.Arbitrary<Input>,
  check: (list: readonly Input[]) => Promise<void>,
  { seed, inputs, most }: DoorRun & { readonly most: number },
): Promise<number> {
  let handed = 0;
  const lists = fc.array(input, { minLength: 1, maxLength: most, size: 'max' });
  const property = fc.asyncProperty(lists, async (list) => {
    handed += list.length;
    await check(list);
  });
  const numRuns = Math.max(1, Math.round((2 * inputs) / (most + 1)));
  const { failed, counterexample, errorInstance, numShrinks } = await fc.check(property, { seed, numRuns });
  if (!failed) return handed;
  const smallest = fc.stringify(counterexample?.[0]).slice(0, MOST_TOLD);
  throw new Error(`After ${handed} inputs, the smallest of ${numShrinks}: ${smallest}`, {
    cause: errorInstance,
  });
}
