/** Numbers from 0 to 1 that a seed decides (mulberry32, Tommy Ettinger, 2017). */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` to `most`. */
export const whole = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));

/** One of small numbers as often as one of large ones. */
export const spread = (random: Random, least: number, most: number) => least * (most / least) ** random();
