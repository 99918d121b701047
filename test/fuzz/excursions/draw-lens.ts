import type { Calibration, Correction } from '#shared/domain/corrections.ts';
import type { Lens } from '#core/store/store.ts';
import type { Random } from '../files/random.ts';

/* Random corrections of a recording: their spans begin and end at its records and between them. */

const MOST_CORRECTIONS = 6;
const KEY = 'k';

/** `former`: a device that may go before. */
export function lensOf(random: Random, times: readonly number[], former: string): Lens {
  const instant = () =>
    (times[random.int(0, Math.max(0, times.length - 1))] ?? 0) + random.of([0, 0, -1, 1, 1000]);
  const reach = Math.max(...times, 0) - Math.min(...times, 0);
  const draw = (): Correction => {
    const [a, b] = [instant(), instant()];
    const span = { from: Math.min(a, b), to: Math.max(a, b) };
    switch (random.of(['calibration', 'calibration', 'quality', 'quality', 'time', 'derived'])) {
      case 'calibration':
        return {
          kind: 'calibration',
          key: random.of([KEY, KEY, 'other']),
          ...random.of([{}, span, span, { from: span.from }, { to: span.to }]),
          points: random.of<Calibration['points']>([
            { gain: random.of([1, -1, 0.5, 3]), offset: random.of([0, -4, 0.1]) },
            [[0, random.of([0.4, -3])]],
            [
              [-10, -12],
              [0, 0.5],
              [10, 9],
            ],
            [
              [-10, 9],
              [0, 0.5],
              [10, -12],
            ],
          ]),
        };
      case 'quality':
        return {
          kind: 'quality',
          keys: random.of([null, [KEY], ['other'], ['other', KEY]]),
          ...span,
          quality: random.of(['fail', 'test', 'suspect', 'pass']),
        };
      case 'time': {
        const shift = random.of([1, -1, 1000, -reach, Math.floor(reach / 2), -Math.floor(reach / 3)]);
        const length = Math.max(1, span.to - span.from);
        const rate = random.of([0.001, 0.5, 0.999, 1, 1.001, 3]);
        const right = span.from + random.of([0, shift]);
        const by = random.chance(1 / 2)
          ? { shift }
          : {
              at: [
                [span.from, right],
                [span.from + length, right + Math.max(1, Math.round(length * rate))],
              ] as [[number, number], [number, number]],
            };
        return { kind: 'time', ...span, by };
      }
      default:
        return { kind: 'derived', key: random.of(['x', 'x', KEY]), of: 'other * 2', within_s: 0 };
    }
  };
  const corrections = Array.from({ length: random.int(1, MOST_CORRECTIONS) }, draw);
  const formers = random.chance(1 / 4) ? [{ device: former, until: instant(), lens: null }] : [];
  return { corrections, formers };
}
