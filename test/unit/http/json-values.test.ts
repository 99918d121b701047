import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { valuesIn } from '#core/http/json/json-values.ts';

const count = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : 1 + Object.values(value).reduce((sum: number, part) => sum + count(part), 0);

test('no JSON holds more values than are counted, and texts hold none, whatever is in them', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const counted = valuesIn(Buffer.from(json));
      const held = count(JSON.parse(json));
      expect(counted).toBeGreaterThanOrEqual(held);
      // An empty object or array has room for a value.
      expect(counted).toBeLessThanOrEqual(2 * held + 1);
    }),
  );
  expect(valuesIn(Buffer.from('{"a,[{\\"":",,[[","b":[{},{},{}]}'))).toBe(9);
});
