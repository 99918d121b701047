import { describe, expect, test } from 'vitest';
import { clockNotes, createSystemClock } from '#core/clock.ts';

describe('a clock that cannot be right', () => {
  test('is said, with what it says and what comes of it', () => {
    expect(clockNotes({ now: () => 12_000_000 })).toEqual([
      expect.stringMatching(/says 1970-01-01T00:00:12Z, which cannot be\. Set it/),
    ]);
  });

  test('is not this machine’s', () => {
    expect(clockNotes(createSystemClock())).toEqual([]);
  });
});
