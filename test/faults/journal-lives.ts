import { deepStrictEqual, ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineJournal } from '#core/disk/line-journal.ts';
import { StoreError } from '#core/base/errors.ts';
import { randomCrashState } from './crash-states.ts';
import { diskFiles } from './disk-files.ts';
import { Disk, type Operation } from './disk.ts';
import type { Attempt, Fault } from './failing-files.ts';
import { generator } from './random-crashes.ts';

/* Lives of a journal on a disk that fails and loses power: what was awaited is there, and nothing that was never written. */

type Act =
  | { readonly kind: 'append'; readonly lines: number; readonly bytes: number }
  | { readonly kind: 'note' }
  /** So many of the last lines are kept; others are appended while it is written anew. */
  | { readonly kind: 'replace'; readonly keep: number; readonly lines: number };

interface Life {
  readonly acts: readonly Act[];
  readonly fault: { readonly at: number; readonly times: number; readonly fault: Fault } | null;
  /** How it ends; `inside`: in the middle of its last act, after so many attempts of it. */
  readonly end: 'stop' | 'kill' | 'power cut';
  readonly inside: number | null;
}

const lives = fc.array(
  fc.record<Life>({
    acts: fc.array(
      fc.oneof(
        fc.record({
          kind: fc.constant('append' as const),
          lines: fc.integer({ min: 1, max: 4 }),
          bytes: fc.constantFrom(0, 20, 700),
        }),
        fc.record({ kind: fc.constant('note' as const) }),
        fc.record({ kind: fc.constant('replace' as const), keep: fc.nat(6), lines: fc.nat(2) }),
      ),
      { minLength: 1, maxLength: 10 },
    ),
    fault: fc.option(
      fc.record({
        at: fc.nat(30),
        times: fc.integer({ min: 1, max: 4 }),
        fault: fc.constantFrom<Fault>('EIO', 'ENOSPC', 'short'),
      }),
    ),
    end: fc.constantFrom<Life['end']>('stop', 'kill', 'power cut', 'power cut'),
    inside: fc.option(fc.nat(6)),
  }),
  { minLength: 1, maxLength: 5 },
);

/** What a failing disk may refuse: reading what is there never fails here. */
const WRITES = new Set<Attempt>(['make', 'grow', 'write', 'sync', 'sync-folder', 'rename', 'truncate']);

/** What a file may hold: these lines in this order, and any of those beside. */
interface Possible {
  readonly sure: string[];
  readonly maybe: Set<string>;
}

function isOne(found: readonly string[], { sure, maybe }: Possible): boolean {
  const expected = new Set(sure);
  const others = found.filter((line) => !expected.has(line));
  const known = found.filter((line) => expected.has(line));
  return (
    others.every((line) => maybe.has(line)) &&
    new Set(others).size === others.length &&
    known.join('\n') === sure.join('\n')
  );
}

/** What was awaited is there after any crash, and a torn end is no damage. */
export function journalProperty() {
  return fc.asyncProperty(lives, fc.nat(), async (given, seed) => {
    const random = generator(seed);
    let disk = new Disk();
    let base = disk.copy();
    let past: readonly Operation[] = [];
    let next = 0;
    /** What a start may find: one, unless something was being written anew. */
    let possible: readonly Possible[] = [{ sure: [], maybe: new Set() }];
    for (const life of given) await live(life);

    async function live({ acts, fault, end, inside }: Life): Promise<void> {
      let [tries, left, allowed] = [0, 0, Infinity];
      const files = diskFiles(
        disk,
        (_, what) => {
          if (allowed <= 0) return 'EIO';
          if (!WRITES.has(what)) return null;
          allowed--;
          if (tries++ === fault?.at) left = fault.times;
          return left-- > 0 ? (fault?.fault ?? null) : null;
        },
        past,
      );
      const journal = new LineJournal({ path: '/j', files, word: 'lines', version: 1 });
      const { lines, rest } = await journal.read();
      const matching = possible.filter((one) => isOne(lines, one));
      ok(matching.length > 0, JSON.stringify({ lines, possible }));
      ok(rest !== 'damaged', 'a crash was taken for damage');
      // What is there is not there for good before it was written anew: a sync of it may have failed. Without, nobody starts.
      await replace(lines, []);
      for (const [n, act] of journal.isBegun ? acts.entries() : []) {
        if (inside !== null && n === acts.length - 1) allowed = inside;
        await perform(act);
        deepStrictEqual(files.open, journal.isBegun ? 1 : 0);
      }
      if (end === 'stop') {
        await journal.close();
        deepStrictEqual(files.open, 0);
      }
      allowed = 0;
      past = [...files.trace];
      if (end !== 'power cut') return;
      disk = randomCrashState(past, random, base);
      past = [];
      base = disk.copy();

      async function perform(act: Act): Promise<void> {
        if (act.kind === 'note') {
          const line = `note ${next++}`;
          latest().maybe.add(line);
          journal.note(line);
        } else if (act.kind === 'replace') {
          await replace(latest().sure.slice(-act.keep), fresh(act.lines, 10));
        } else if (journal.isBegun) {
          await settle(fresh(act.lines, act.bytes).map((line) => [line, journal.append(line)]));
        }
      }

      /** Writes these anew; others that are appended meanwhile come behind. */
      async function replace(texts: readonly string[], others: readonly string[]): Promise<void> {
        const before = latest();
        const replacing = journal.replace(texts);
        const appending = others.map((line) => [line, journal.append(line)] as const);
        const [error] = await Promise.all([
          replacing.then(
            () => null,
            (reason: unknown) => reason,
          ),
          ...appending.map(([, one]) => one.catch(() => undefined)),
        ]);
        const after: Possible = { sure: [...texts], maybe: new Set(before.maybe) };
        if (error === null) possible = [after];
        else {
          ok(error instanceof StoreError);
          // The disk did not say which of them has the name; where it said, the old one goes on.
          if (!journal.isBegun) {
            possible = [...possible, after];
            for (const { maybe: any } of possible) for (const one of others) any.add(one);
            return void (await Promise.all(appending.map(async ([, one]) => ok(await rejected(one)))));
          }
        }
        await settle(appending);
      }

      async function settle(appending: readonly (readonly [string, Promise<void>])[]): Promise<void> {
        for (const [line, appended] of appending) {
          if (await rejected(appended)) for (const one of possible) one.maybe.add(line);
          else latest().sure.push(line);
        }
      }

      function fresh(count: number, bytes: number): string[] {
        return Array.from({ length: count }, () => `${next++} ${'x'.repeat(bytes)}`);
      }
    }

    function latest(): Possible {
      return possible.at(-1)!;
    }
  });
}

async function rejected(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    ok(error instanceof StoreError);
    return true;
  }
}
