import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoDuration } from '#shared/values/duration.ts';

test.each([
  [0, 'PT0S'],
  [1, 'PT0.000001S'],
  [1_500_000, 'PT1.5S'],
  [60e6, 'PT1M'],
  [3_600e6 + 1e6, 'PT1H1S'],
  [86_400e6, 'P1D'],
  [2 * 86_400e6 + 3 * 3_600e6 + 4 * 60e6 + 5_060_000, 'P2DT3H4M5.06S'],
])('%i µs are %s', (us, text) => expect(isoDuration(us)).toBe(text));

test('a duration says each µs', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (us) => {
      const [, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] =
        /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,6}))?S)?)?$/.exec(isoDuration(us)) ?? [];
      const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
      expect(whole * 1_000_000n + BigInt(fraction.padEnd(6, '0'))).toBe(BigInt(us));
    }),
  );
});
