import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SeededChance } from '#core/base/seeded-chance.ts';
import type { FaultMatch } from '#shared/operations/service/faults.ts';
import type { RequestFacts } from '#core/faults/facts.ts';
import { RuleSet } from '#core/faults/rule-set.ts';

const FACTS: RequestFacts = {
  door: 'http',
  operation: 'ingest',
  method: 'POST',
  path: '/integrations/http',
  key_id: null,
  device_id: 'd',
};

const rulesOf = (delay_ms: [number, number], seed = 1) =>
  new RuleSet(seed, [{ match: {}, do: { delay_ms } }], {
    chance: new SeededChance(`${seed}`),
    disk: null,
    acted: () => {},
  });

test('a delay of a range lies in it, both ends included, and follows from the chance', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(3), fc.nat(), (low, more, seed) => {
      const drawn = (rules: RuleSet) => Array.from({ length: 60 }, () => rules.meet(FACTS)?.delayMs ?? -1);
      const delays = drawn(rulesOf([low, low + more], seed));
      for (const delay of delays) expect(delay).toBeGreaterThanOrEqual(low);
      expect(Math.max(...delays)).toBeLessThanOrEqual(low + more);
      expect(drawn(rulesOf([low, low + more], seed))).toEqual(delays);
    }),
  );
  const both = new Set(Array.from({ length: 60 }, (_, seed) => rulesOf([3, 4], seed).meet(FACTS)?.delayMs));
  expect(both).toEqual(new Set([3, 4]));
});

test('a request of which it is not known who asks may meet whatever it meets once that is known', () => {
  const some = <T>(of: readonly T[]) => fc.option(fc.constantFrom(...of), { nil: undefined });
  const match = fc
    .record({
      door: some(['http', 'mqtt'] as const),
      operation: some(['ingest', 'data.list']),
      method: some(['POST', 'GET']),
      path: some(['/', '/integrations', '/v2']),
      key_id: some(['k']),
      device_id: some(['d', 'e']),
    })
    .map(
      (given) =>
        Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as FaultMatch,
    );
  fc.assert(
    fc.property(match, (given) => {
      const rules = new RuleSet(null, [{ match: given, do: { status: 503 } }], {
        chance: new SeededChance('1'),
        disk: null,
        acted: () => {},
      });
      if (rules.meet(FACTS) !== null) expect(rules.mayMeet(FACTS)).toBe(true);
    }),
  );
});
