import type { Micros } from '#shared/values/time.ts';
import type { Draft } from './model.ts';
import type { World } from './world.ts';

const FIRST = Date.UTC(2026, 2, 2, 19) * 1000;
const MINUTE_US = 60_000_000;
/** In the order of their code units. */
export const KEYS = ['humidity', 'pressure', 'state', 'temperature', 'zähler'] as const;
const STATES = ['on', 'off', 'idle "1"', '£ µ', ''];

/** Lately for the most part; the same times come again. */
export const someTime = ({ random, now }: World): Micros =>
  random.chance(0.7) ? now - random.int(0, 90) * MINUTE_US : FIRST + random.int(0, 10_000) * 1_234_567;

/** Records as a device may have them; `areTimed`: all with a time. */
export function someDrafts(world: World, most: number, areTimed = false): readonly Draft[] {
  const { random } = world;
  return Array.from({ length: random.int(1, most) }, () => {
    const time = areTimed || random.chance(0.5) ? someTime(world) : null;
    const some = KEYS.filter(() => random.chance(0.4));
    const keys = some.length > 0 ? some : [random.of(KEYS)];
    return {
      time,
      fields: keys.map(
        (key) => [key, key === 'state' ? random.of(STATES) : random.int(-400, 4000) / 4] as const,
      ),
    };
  });
}
