import { afterEach, describe, expect, test, vi } from 'vitest';
import { clockNotes } from '#core/base/clock.ts';
import { createSystemClock } from '#core/base/system-clock.ts';

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

describe('the clock of the machine', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** Both clocks of the machine, as a test moves them. */
  function clocks() {
    const at = { wall: Date.UTC(2026, 0, 1), elapsed: 1000, stall: 0 };
    vi.spyOn(performance, 'now').mockImplementation(() => at.elapsed);
    vi.spyOn(Date, 'now').mockImplementation(() => {
      // Something else ran since the other one was read.
      at.wall += at.stall;
      at.elapsed += at.stall;
      at.stall = 0;
      return at.wall;
    });
    return at;
  }

  test('does not go back where something runs between a look at one clock and at the other', () => {
    const at = clocks();
    const clock = createSystemClock();
    let before = clock.now();
    for (const stall of [0, 20, 0, 300, 7, 0]) {
      at.stall = stall;
      at.wall += 1;
      at.elapsed += 1;
      const now = clock.now();
      expect(now).toBe(before + (1 + stall) * 1000);
      before = now;
    }
  });

  test('waits longer than a timer of Node, and not a moment less', () => {
    vi.useFakeTimers();
    try {
      const ran: string[] = [];
      const clock = createSystemClock();
      const DAYS_60 = 60 * 86_400_000;
      clock.after(DAYS_60, () => void ran.push('60 days'));
      const given = clock.after(DAYS_60, () => void ran.push('cancelled'));
      vi.advanceTimersByTime(DAYS_60 - 1);
      given.cancel();
      expect(ran).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(ran).toEqual(['60 days']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('follows a wall clock that is set', () => {
    const at = clocks();
    const clock = createSystemClock();
    at.wall -= 3_600_000;
    expect(clock.now()).toBe(at.wall * 1000);
  });
});
