import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_TROUBLE, TROUBLES, type Trouble } from '#shared/operations/service/simulator-fields.ts';
import type { Reading } from '#core/simulate/readings.ts';
import { withTrouble } from '#core/simulate/trouble.ts';

/* docs/rigs.md, "Simulators": what goes wrong, in the shares that are asked for. */

const COUNT = 4000;
const MINUTE = 60_000_000;

const readings = (count = COUNT): Reading[] =>
  Array.from({ length: count }, (_, n) => ({
    timestamp: n * MINUTE,
    due: n * MINUTE,
    keys: ['n', 'state'],
    values: [n, `s${n}`],
  }));

async function sent(trouble: Partial<Trouble>, seed: number, count = COUNT): Promise<Reading[]> {
  const spanOf = (key: string) => (key === 'n' ? 1000 : null);
  const all = withTrouble(readings(count), { ...NO_TROUBLE, ...trouble }, { seed, spanOf });
  const found: Reading[] = [];
  // A gap has no keys.
  for await (const reading of all) if (reading.keys.length > 0) found.push(reading);
  return found;
}

const place = ({ values: [n] }: Reading) => n as number;
const seeds = fc.nat();
const share = fc.double({ min: 0.05, max: 0.9, noNaN: true });

/** Six standard deviations of a share of so many. */
const near = (found: number, of: number, wanted: number) =>
  Math.abs(found - of * wanted) <= 6 * Math.sqrt(of * wanted * (1 - wanted)) + 1;

const holds = (check: (seed: number, share: number) => Promise<void>) =>
  fc.assert(fc.asyncProperty(seeds, share, check), { numRuns: 15 });

test('without trouble all are sent as they are', async () => {
  expect(await sent({}, 1)).toEqual(readings());
});

test('gaps are left out', () =>
  holds(async (seed, gaps) => {
    const found = await sent({ gaps }, seed);
    expect(near(COUNT - found.length, COUNT, gaps)).toBe(true);
    const there = new Set(found.map(place));
    expect(found).toEqual(readings().filter((each) => there.has(place(each))));
  }));

test('duplicates come twice, one behind the other', () =>
  holds(async (seed, duplicates) => {
    const found = await sent({ duplicates }, seed);
    expect(near(found.length - COUNT, COUNT, duplicates)).toBe(true);
    const twice = found.filter((each, i) => i > 0 && place(found[i - 1]!) === place(each));
    expect(twice).toHaveLength(found.length - COUNT);
  }));

test('late ones are all there, with their own times, behind one to five others', () =>
  holds(async (seed, late) => {
    const found = await sent({ late }, seed);
    expect(found.map(place).toSorted((a, b) => a - b)).toEqual(readings().map(place));
    let [most, overtaken] = [0, 0];
    found.forEach((each) => {
      expect(each.timestamp).toBe(place(each) * MINUTE);
      expect(each.due - each.timestamp).toBeLessThanOrEqual(5 * MINUTE);
      if (each.due > each.timestamp) overtaken++;
      most = Math.max(most, each.due);
    });
    expect(near(overtaken, COUNT, late)).toBe(true);
    expect(found.map(({ due }) => due)).toEqual(found.map(({ due }) => due).toSorted((a, b) => a - b));
  }));

test('a wrong clock is a minute to a day off, either way', () =>
  holds(async (seed, wrong_clock) => {
    const found = await sent({ wrong_clock }, seed);
    const off = found.map((each) => each.timestamp - place(each) * MINUTE).filter((by) => by !== 0);
    expect(near(off.length, COUNT, wrong_clock)).toBe(true);
    for (const by of off) {
      expect(Math.abs(by)).toBeGreaterThanOrEqual(MINUTE);
      expect(Math.abs(by)).toBeLessThanOrEqual(1440 * MINUTE);
    }
    expect([off.some((by) => by < 0), off.some((by) => by > 0)]).toEqual([true, true]);
  }));

test('a stuck sensor has the values of the one before, at its own time', () =>
  holds(async (seed, stuck) => {
    const found = await sent({ stuck }, seed);
    let repeated = 0;
    found.forEach((each, i) => {
      expect(each.timestamp).toBe(i * MINUTE);
      if (place(each) === i) return;
      repeated++;
      expect(each.values).toEqual(found[i - 1]?.values);
    });
    expect(near(repeated, COUNT - 1, stuck)).toBe(true);
  }));

test('a spike lies ten spans off, in a number', () =>
  holds(async (seed, spikes) => {
    const found = await sent({ spikes }, seed);
    const off = found.map((each, i) => place(each) - i).filter((by) => by !== 0);
    expect(near(off.length, COUNT, spikes)).toBe(true);
    expect(new Set(off.map(Math.abs))).toEqual(new Set([10_000]));
    expect(found.map(({ values: [, state] }) => state)).toEqual(
      readings().map(({ values: [, state] }) => state),
    );
  }));

test('one kind of trouble moves no other, and the same seed has the same', () =>
  holds(async (seed, gaps) => {
    const others = { late: 0.1, duplicates: 0.1, wrong_clock: 0.1, stuck: 0.1, spikes: 0.1 };
    const [all, with_] = [await sent(others, seed, 500), await sent({ ...others, gaps }, seed, 500)];
    expect(await sent(others, seed, 500)).toEqual(all);
    // Late ones may be sent at other places; what each of them is does not change.
    const text = (each: Reading) => JSON.stringify([each.timestamp, each.values]);
    const known = new Set(all.map(text));
    for (const each of with_) expect(known).toContain(text(each));
  }));

test('all of it, always', async () => {
  const all = Object.fromEntries(TROUBLES.map((name) => [name, 1]));
  expect(await sent(all, 1, 20)).toEqual([]);
  expect(await sent({ ...all, gaps: 0 }, 1, 20)).toHaveLength(40);
});
