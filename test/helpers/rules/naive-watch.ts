import type { Watch, WatchOf } from '#core/api/rules/pairs.ts';
import type { Firing } from '#core/rules/firing.ts';
import type { RecordStore } from '#core/store/store.ts';

/**
 * Watch without any skill: reads all that is stored, at each look. Of rules with one condition: `above` without hysteresis, or
 * `silent_s`.
 */
export function naiveWatch({ rule, since }: WatchOf, records: Pick<RecordStore, 'scan'>): Watch {
  return {
    async look(device, clock) {
      const { when, for_s } = rule;
      const readings: { readonly time: number; readonly isTrue: boolean }[] = [];
      let last = -Infinity;
      for await (const batch of records.scan(device))
        for (const { timestamp, keys, values } of batch) {
          if ('silent_s' in when) {
            const from = last + when.silent_s * 1_000_000;
            if (last > -Infinity && from < timestamp) readings.push({ time: from, isTrue: true });
            readings.push({ time: timestamp, isTrue: false });
          } else if ('above' in when) {
            const value = values[keys.indexOf(when.key)];
            if (typeof value === 'number') readings.push({ time: timestamp, isTrue: value > when.above });
          }
          last = timestamp;
        }
      const now = Math.max(clock, last);
      let next: number | null = null;
      if ('silent_s' in when && last > -Infinity) {
        const from = last + when.silent_s * 1_000_000;
        if (from <= now) readings.push({ time: from, isTrue: true });
        else next = from;
      }
      const firings: Firing[] = [];
      let start: number | null = null;
      const end = (at: number | null) => {
        if (start === null) return;
        const fired: number = start + for_s * 1_000_000;
        if (at === null && fired > now) next = Math.min(next ?? Infinity, fired);
        if ((at ?? Infinity) >= fired && fired <= now && (at ?? Infinity) > since)
          firings.push({ start, fired, end: at });
        start = null;
      };
      for (const [i, { time, isTrue }] of readings.entries()) {
        if (readings[i + 1]?.time === time) continue;
        if (isTrue) start ??= time;
        else end(time);
      }
      end(null);
      return { firings, next, cut: null };
    },
  };
}
