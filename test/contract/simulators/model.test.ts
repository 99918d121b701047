import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstValues } from '#shared/domain/shapes.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { simulated, START, type Place, type Simulated } from './simulated.ts';

/* docs/rigs.md, "Simulators": simulators, moves of the clock, deletes and restarts, against what should be stored then. */

const WALK = { shape: 'walk', start: 10, step: 1 } as const;
const DEVICES = 3;

/** A simulator as the model has it. */
interface Known {
  readonly id: string;
  readonly device: number;
  readonly every_ms: number;
  readonly count: number | null;
  readonly start: Micros;
  readonly origin: Micros;
  readonly created: Micros;
  readonly speed: number | 'max' | null;
  readonly seed: number;
  /** When it was stopped; Infinity while it runs. */
  until: Micros;
  isListed: boolean;
}

const op = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('start' as const),
      device: fc.nat(DEVICES - 1),
      every_ms: fc.integer({ min: 20, max: 5000 }),
      count: fc.option(fc.integer({ min: 1, max: 300 })),
      startMs: fc.option(fc.integer({ min: -5000, max: 5000 })),
      speed: fc.option(fc.constantFrom(2, 3, 10, 'max' as const), { freq: 1 }),
      seed: fc.nat(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 8000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('stop' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), device: fc.nat(DEVICES - 1) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('restart' as const) }) },
);

/** What it has stored by now. */
function storedBy(known: Known, now: Micros): readonly string[] {
  const { every_ms, count, start, origin, created, speed, seed, until } = known;
  const last = Math.min(now, until);
  const times: Micros[] = [];
  for (let n = 0; n < (count ?? Infinity); n++) {
    const at = start + n * every_ms * 1000;
    const due =
      speed === 'max'
        ? created
        : speed === null
          ? Math.max(at, created)
          : Math.round(Math.max(origin, created) + (at - origin) / speed);
    if (due > last || (speed === 'max' && count === null && at > created)) break;
    times.push(at);
  }
  const values = firstValues(WALK, { seed, key: 'x', every_ms }, times.length);
  return times.map((time, n) => `${formatMicros(time)} ${values[n]}`);
}

test('what is stored is what should be, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 3, maxLength: 25 }), async (ops) => {
      let now: Micros = START;
      let rig: Simulated = await simulated({ mode: 'frozen', now });
      const { directory } = rig.service;
      try {
        const devices: (Place | null)[] = [];
        for (let i = 0; i < DEVICES; i++) {
          const { project_id, device_id } = await rig.device('http', devices[0]?.project_id);
          devices.push({ project_id, device_id });
        }
        const all: Known[] = [];
        for (const each of ops) {
          if (each.what === 'start') {
            const { what: _, startMs, count, speed, device, ...given } = each;
            const place = devices[device];
            if (!place || (speed === 'max' && count === null && (startMs ?? 1) > 0)) continue;
            const start = startMs === null ? null : now + startMs * 1000;
            const made = await rig.start({
              ...place,
              ...given,
              keys: { x: WALK },
              ...(count !== null && { count }),
              ...(start !== null && { start: formatMicros(start) }),
              ...(speed !== null && { speed }),
            });
            const usual =
              speed === 'max'
                ? now - ((count ?? 1) - 1) * given.every_ms * 1000
                : now + given.every_ms * 1000;
            const of = {
              id: made.id,
              device,
              count,
              speed,
              created: now,
              start: start ?? usual,
              origin: start ?? now,
            };
            expect(made.start).toBe(formatMicros(of.start));
            all.push({ ...given, ...of, until: Infinity, isListed: true });
            if (speed === 'max') await rig.ended(made.id);
          } else if (each.what === 'advance') {
            await rig.advance(each.ms);
            now += each.ms * 1000;
          } else if (each.what === 'stop') {
            const running = all.filter(({ isListed }) => isListed);
            const known = running[each.which % Math.max(1, running.length)];
            if (known === undefined) continue;
            const stopped = await rig.stop(known.id);
            expect(stopped.stored).toBe(storedBy(known, now).length);
            known.until = now;
            known.isListed = false;
          } else if (each.what === 'delete') {
            const place = devices[each.device];
            if (!place) continue;
            devices[each.device] = null;
            await rig.service.request(
              'DELETE',
              `/v2/projects/${place.project_id}/devices/${place.device_id}`,
            );
            for (const known of all) if (known.device === each.device) known.isListed = false;
          } else {
            await rig.service.service.close();
            rig = await simulated({ mode: 'frozen', now }, { directory });
            for (const known of all) {
              known.until = Math.min(known.until, now);
              known.isListed = false;
            }
          }
        }
        for (const [i, place] of devices.entries()) {
          if (!place) continue;
          const found = (await rig.records(place)).map(({ timestamp, x }) => `${timestamp} ${String(x)}`);
          const wanted = all.filter(({ device }) => device === i).flatMap((known) => storedBy(known, now));
          expect(found.toSorted()).toEqual(wanted.toSorted());
        }
        expect((await rig.list()).map(({ id, stored, refused }) => [id, stored, refused])).toEqual(
          all.filter(({ isListed }) => isListed).map((known) => [known.id, storedBy(known, now).length, 0]),
        );
      } finally {
        await rig.service.stop();
      }
    }),
    { numRuns: someRuns(80) },
  );
}, 300_000);
