import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Chance } from '#core/base/chance.ts';
import { SeededChance } from '#core/base/seeded-chance.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const some = (chance: Chance) => [chance.uuid(), chance.bytes(70).toString('hex'), chance.number()];

const draw = fc.record({
  name: fc.constantFrom('', 'a', 'a 1', '1', 'account Default'),
  is: fc.constantFrom('uuid', 'bytes', 'number'),
});

describe('chance by a key', () => {
  test('is the same for the same key and another one for another', () => {
    expect(some(new SeededChance('k'))).toEqual(some(new SeededChance('k')));
    const others = [
      new SeededChance('k'),
      new SeededChance('l'),
      new SeededChance('k 1'),
      new SeededChance(''),
    ];
    expect(new Set(others.flatMap(some)).size).toBe(3 * others.length);
  });

  test('of a name goes on by its own draws alone', () => {
    const of = ({ name, is }: { name: string; is: string }, chance: SeededChance) => {
      const own = chance.of(name);
      return is === 'uuid' ? own.uuid() : is === 'bytes' ? own.bytes(40).toString('hex') : own.number();
    };
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 40 }), (draws) => {
        const together = new SeededChance('k');
        const all = draws.map((each) => of(each, together));
        expect(new Set(all).size).toBe(all.length);
        for (const one of new Set(draws.map(({ name }) => name))) {
          const alone = new SeededChance('k');
          const own = draws.filter(({ name }) => name === one).map((each) => of(each, alone));
          expect(all.filter((_, n) => draws[n]!.name === one)).toEqual(own);
        }
      }),
    );
  });

  test('has the form that is asked for', () => {
    const chance = new SeededChance('k');
    for (let n = 0; n < 200; n++) expect(chance.uuid()).toMatch(UUID);
    for (const count of [0, 1, 31, 32, 33, 64, 1000]) expect(chance.bytes(count)).toHaveLength(count);
  });

  test('deals numbers evenly from 0 up to 1', () => {
    const chance = new SeededChance('k');
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let n = 0; n < 10_000; n++) {
      const number = chance.number();
      expect(number >= 0 && number < 1).toBe(true);
      tenths[Math.floor(number * 10)]!++;
    }
    // 1000 each, give or take five standard deviations of 30.
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  test('draws by another key from then on, also for who has it already', () => {
    const chance = new SeededChance('k');
    const own = chance.of('a');
    own.uuid();
    chance.turnTo('l');
    expect(some(own)).toEqual(some(new SeededChance('l').of('a')));
  });
});
