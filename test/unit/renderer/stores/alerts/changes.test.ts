import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MOST_ALERTED } from '#shared/domain/alerts.ts';
import type { AlertedDevice, Alerts, RangedValue } from '#shared/operations/metadata/alerts.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import {
  changesBetween,
  devicesToAsk,
  logged,
  lookOf,
  MOST_LOGGED,
  subjectOf,
  type Log,
  type Look,
} from '../../../../../renderer/stores/alerts/changes.ts';

/* What changed between readings of what is wrong. */

const START: Micros = Date.UTC(2026, 2, 2, 8) * 1000;
const NOTHING: Log = new Map();

const valueOf = (key: string, outside: boolean, at: Micros): RangedValue => ({
  key,
  value: outside ? 31.5 : 21.5,
  timestamp: formatMicros(at),
  outside,
  corrected: false,
  shown_as: '',
  unit: '°C',
  decimals: null,
  low: 10,
  high: 30,
});

const deviceOf = (id: string, more: Partial<AlertedDevice> = {}): AlertedDevice => ({
  id,
  name: id,
  project_id: 'p',
  project: 'Hall',
  status: more.late_since ? 'late' : 'online',
  interval_s: 60,
  last_seen: formatMicros(START),
  late_since: null,
  corrected: false,
  values: [],
  ...more,
});

const answer = (at: Micros, devices: readonly AlertedDevice[], complete = true): Alerts => ({
  as_of: formatMicros(at),
  late: devices.filter(({ late_since }) => late_since !== null).length,
  outside: devices.flatMap(({ values }) => values).filter(({ outside }) => outside).length,
  complete,
  devices: [...devices],
});

const lateAt = (id: string, at: Micros) =>
  deviceOf(id, { late_since: formatMicros(at), last_seen: formatMicros(at - 120e6) });

describe('from one reading to the next', () => {
  test('a device that became late is told of with the moment at which its silence was too long', () => {
    const before = lookOf(answer(START, []));
    const [change, ...others] = changesBetween(before, answer(START + 10e6, [lateAt('a', START + 3e6)]));
    expect(others).toEqual([]);
    expect(change).toMatchObject({ kind: 'late', at: START + 3e6, after: START + 3e6, value: null });
  });

  test('one that sends again is told of with what it was seen by, one that may be silent for longer with the reading', () => {
    const before = lookOf(answer(START, [lateAt('a', START - 5e6), lateAt('b', START - 5e6)]));
    const a = deviceOf('a', { last_seen: formatMicros(START + 4e6) });
    const b = deviceOf('b', { last_seen: formatMicros(START - 125e6), interval_s: 3600 });
    expect(changesBetween(before, answer(START + 10e6, [a, b]))).toMatchObject([
      { kind: 'back', at: START + 4e6, after: START },
      { kind: 'back', at: START + 10e6, after: START },
    ]);
  });

  test('a value that left its range or came back is told of with its time, value and range', () => {
    const before = lookOf(answer(START, [deviceOf('a', { values: [valueOf('supply', true, START)] })]));
    const values = [valueOf('supply', false, START + 5e6), valueOf('return', true, START + 6e6)];
    const changes = changesBetween(before, answer(START + 10e6, [deviceOf('a', { values })]));
    expect(changes).toMatchObject([
      { kind: 'inside', value: { key: 'supply', value: 21.5, low: 10, high: 30 }, at: START + 5e6 },
      { kind: 'outside', value: { key: 'return', value: 31.5 }, at: START + 6e6, after: START },
    ]);
  });

  test('what an earlier answer had no room for is no news; what came about since is', () => {
    const many = Array.from({ length: MOST_ALERTED }, (_, i) => lateAt(`d${i}`, START - i * 1e6));
    const before = lookOf(answer(START, many, false));
    const after = answer(
      START + 10e6,
      [lateAt('new', START + 1e6), ...many, lateAt('old', START - 900e6)],
      false,
    );
    expect(changesBetween(before, after).map(({ device }) => device.id)).toEqual(['new']);
    // A reading keeps no more than it can ask for again.
    expect(lookOf(after)).toMatchObject({ isWhole: false });
    expect(devicesToAsk(lookOf(after), NOTHING)).toHaveLength(MOST_ALERTED);
  });

  test('a log keeps the last things that changed, however many do', () => {
    const values = Array.from({ length: MOST_LOGGED + 20 }, (_, i) => valueOf(`k${i}`, true, START + 1e6));
    const log = logged(
      NOTHING,
      lookOf(answer(START, [])),
      answer(START + 2e6, [deviceOf('a', { values })]),
      [],
    );
    expect([...log.keys()].at(0)).toBe('a k20');
    expect(log.size).toBe(MOST_LOGGED);
  });
});

/** Devices as a service has them, told of in full. */
class Plant {
  now = START;
  /** By id; a key without a range is absent. */
  readonly devices = new Map<string, { isLate: boolean; outside: Map<string, boolean> }>();

  /** Whether each thing is wrong that there is. */
  get states(): ReadonlyMap<string, boolean> {
    return new Map(
      [...this.devices].flatMap(([id, { isLate, outside }]) => [
        [subjectOf(id, null), isLate] as const,
        ...[...outside].map(([key, isOut]) => [subjectOf(id, key), isOut] as const),
      ]),
    );
  }

  read(asked: readonly string[]): Alerts {
    const told = [...this.devices].flatMap(([id, { isLate, outside }]) => {
      const all = asked.includes(id);
      const values = [...outside]
        .filter(([, isOut]) => isOut || all)
        .map(([key, isOut]) => valueOf(key, isOut, this.now));
      if (!all && !isLate && values.length === 0) return [];
      return [deviceOf(id, { values, late_since: isLate ? formatMicros(this.now) : null })];
    });
    return answer(this.now, told);
  }
}

/** What should be in the log, by all that there was at each reading. */
function noted(
  log: ReadonlyMap<string, readonly [kind: string, times: number]>,
  before: ReadonlyMap<string, boolean>,
  after: ReadonlyMap<string, boolean>,
): ReadonlyMap<string, readonly [kind: string, times: number]> {
  const next = new Map<string, readonly [string, number]>();
  for (const [subject, isWrong] of after) {
    const known = log.get(subject);
    const kinds = subject.includes(' ') ? ['inside', 'outside'] : ['back', 'late'];
    if (isWrong !== (before.get(subject) ?? false))
      next.set(subject, [kinds[Number(isWrong)] ?? '', (known?.[1] ?? 0) + 1]);
    else if (known) next.set(subject, known);
  }
  return next;
}

test('the log says what became of everything at the readings since somebody looked, whatever happens', () => {
  const place = { device: fc.nat(4), key: fc.constantFrom('k0', 'k1') };
  const step = fc.oneof(
    fc.record({ does: fc.constantFrom('late', 'sends', 'delete', 'make'), ...place }),
    fc.record({ does: fc.constantFrom('out', 'in', 'no-range'), ...place }),
    fc.record({ does: fc.constantFrom('read', 'read', 'read', 'look'), ...place }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const plant = new Plant();
      const generations = [0, 0, 0, 0, 0];
      const idOf = (i: number) => `d${i}.${generations[i]}`;
      let look: Look = lookOf(plant.read([]));
      let log: Log = NOTHING;
      let known = plant.states;
      let expected: ReadonlyMap<string, readonly [string, number]> = new Map();
      for (const { does, device: i, key } of steps) {
        plant.now += 1e6;
        const device = plant.devices.get(idOf(i));
        if (does === 'make' && !device) plant.devices.set(idOf(i), { isLate: false, outside: new Map() });
        if (does === 'delete' && plant.devices.delete(idOf(i))) generations[i] = (generations[i] ?? 0) + 1;
        if (does === 'late' && device) device.isLate = true;
        if (does === 'sends' && device) device.isLate = false;
        if (does === 'out' || does === 'in') device?.outside.set(key, does === 'out');
        if (does === 'no-range') device?.outside.delete(key);
        if (does === 'look') {
          log = NOTHING;
          expected = new Map();
        }
        if (does === 'read') {
          const asked = devicesToAsk(look, log);
          const alerts = plant.read(asked);
          log = logged(log, look, alerts, asked);
          look = lookOf(alerts);
          expected = noted(expected, known, plant.states);
          known = plant.states;
          expect(new Map([...log].map(([subject, { kind, times }]) => [subject, [kind, times]]))).toEqual(
            expected,
          );
          for (const { at, after } of log.values()) expect(at).toBeGreaterThanOrEqual(after);
        }
      }
    }),
  );
});
