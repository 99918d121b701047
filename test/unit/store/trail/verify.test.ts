import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headAfter, NO_LINES } from '#core/store/trail/chain.ts';
import type { Finding } from '#core/store/trail/judge.ts';
import { readEntry } from '#core/store/trail/read-line.ts';
import { TrailDraft } from '#core/store/trail/trail-draft.ts';
import { verifyTrail } from '#core/store/trail/verify.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

/** A trail of so many lines, each of which says its number. */
async function trailOf(count: number): Promise<string[]> {
  const draft = new TrailDraft(NO_LINES, () => 1_700_000_000_000_000);
  for (let n = 1; n <= count; n++) {
    draft.begin({ by: { kind: 'key', id: 'k', name: 'rig' }, operation: 'devices.update' });
    const row = { table: 'devices', id: `d${n}`, before: { name: `${n}` }, after: { name: `new ${n}` } };
    await draft.tellRows([row], []);
    draft.keep();
  }
  return [...draft.lines];
}

const verify = (lines: readonly string[], { original = lines, knowsHead = true } = {}) =>
  verifyTrail({
    async *lines() {
      for (const [i, text] of lines.entries()) yield { text, place: `line ${i + 1}` };
    },
    first: 1,
    head: knowsHead ? headAfter(NO_LINES, original) : null,
  });

const names = ({ from, to }: Finding, n: number) => from <= n && n <= to;

test('a trail as it was written has no findings, and says where it ends', async () => {
  for (const count of [0, 1, 2, 50]) {
    const lines = await trailOf(count);
    const { hash } = headAfter(NO_LINES, lines);
    expect(await verify(lines)).toEqual({
      entries: count,
      first: count === 0 ? null : 1,
      last: count === 0 ? null : count,
      hash: count === 0 ? null : hash,
      harmed: 0,
      findings: [],
    });
  }
});

describe('a single harm is found and named', () => {
  const LINES = 9;
  const each = Array.from({ length: LINES }, (_, i) => i + 1);

  test.each(each)('line %i removed', async (n) => {
    const original = await trailOf(LINES);
    const { harmed, findings } = await verify(original.toSpliced(n - 1, 1), { original });
    expect(harmed).toBe(1);
    expect(findings).toMatchObject([{ harm: 'missing', from: n, to: n, place: null }]);
    expect(findings[0]?.message).toMatch(new RegExp(`^Entry ${n} is missing`));
  });

  test.each(each)('line %i changed', async (n) => {
    const original = await trailOf(LINES);
    const changed = original[n - 1]?.replace('new', 'old') ?? '';
    const { harmed, findings } = await verify(original.with(n - 1, changed), { original });
    expect(harmed).toBe(1);
    expect(findings).toMatchObject([{ harm: 'changed', from: n, to: n, place: `line ${n}` }]);
  });

  test.each(each)('line %i spoiled', async (n) => {
    const original = await trailOf(LINES);
    const { harmed, findings } = await verify(original.with(n - 1, '{"n":'), { original });
    expect(harmed).toBe(1);
    expect(findings).toMatchObject([{ harm: 'unreadable', from: n, to: n, place: `line ${n}` }]);
  });

  test.each(each.slice(1))('line %i written before the one before it', async (n) => {
    const original = await trailOf(LINES);
    const [a = '', b = ''] = [original[n - 2], original[n - 1]];
    const { harmed, findings } = await verify(original.with(n - 2, b).with(n - 1, a), { original });
    expect(harmed).toBe(1);
    expect(findings[0]?.harm).toBe('moved');
    expect([n - 1, n]).toContain(findings[0]?.from);
  });

  test.each(each)('line %i written twice', async (n) => {
    const original = await trailOf(LINES);
    const { harmed, findings } = await verify(original.toSpliced(n - 1, 0, original[n - 1] ?? ''), {
      original,
    });
    expect(harmed).toBe(1);
    expect(findings).toMatchObject([{ harm: 'added', from: n, to: n }]);
  });

  test('a line added behind the last one', async () => {
    const [original, longer] = [await trailOf(LINES), await trailOf(LINES + 1)];
    const { findings } = await verify(longer, { original });
    expect(findings).toMatchObject([{ harm: 'added', from: LINES + 1 }]);
  });

  test('the last lines cut off, or the last one changed, where the head is known, and only there', async () => {
    const original = await trailOf(LINES);
    const cut = original.slice(0, -2);
    expect((await verify(cut, { original })).findings).toMatchObject([
      { harm: 'missing', from: LINES - 1, to: LINES },
    ]);
    expect((await verify(cut, { knowsHead: false })).harmed).toBe(0);
  });

  test('all that follows a line written anew, chain and all', async () => {
    const original = await trailOf(LINES);
    const forged = original.slice(0, 4);
    for (const line of original.slice(4)) {
      const { n: _, prev: __, ...entry } = readEntry(line) ?? { n: 0, prev: '' };
      const head = headAfter(NO_LINES, forged);
      const draft = { ...entry, operation: 'forged', n: head.n + 1, prev: head.hash };
      forged.push(JSON.stringify(draft));
    }
    expect((await verify(forged, { original })).harmed).toBeGreaterThan(0);
  });
});

const harm = record({
  what: constantFrom('remove', 'change', 'swap', 'move', 'double', 'byte'),
  at: nat(),
  to: nat(),
});

test('whatever harms are done, each is named or undone by another, and a trail without one is whole', async () => {
  await assert(
    asyncProperty(nat({ max: 30 }), array(harm, { maxLength: 4 }), async (count, harms) => {
      const original = await trailOf(count);
      const lines = [...original];
      for (const { what, at, to } of harms) {
        if (lines.length === 0) break;
        const [i, j] = [at % lines.length, to % lines.length];
        const line = lines[i] ?? '';
        if (what === 'remove') lines.splice(i, 1);
        else if (what === 'change') lines[i] = line.replace('devices.update', 'devices.upd4te');
        else if (what === 'swap') [lines[i], lines[j]] = [lines[j] ?? '', line];
        else if (what === 'move') lines.splice(j, 0, ...lines.splice(i, 1));
        else if (what === 'double') lines.splice(j, 0, line);
        else {
          const byte = to % line.length;
          lines[i] = `${line.slice(0, byte)}~${line.slice(byte + 1)}`;
        }
      }
      const { harmed, findings } = await verify(lines, { original });
      const isSame = lines.length === original.length && lines.every((line, i) => line === original[i]);
      expect(harmed === 0).toBe(isSame);
      // Whether a line is as it was written the next one tells, or of the last one the store.
      const isVouched = (i: number) => i === original.length - 1 || lines.includes(original[i + 1] ?? '');
      for (const [i, line] of original.entries())
        if (!lines.includes(line) && isVouched(i))
          expect(
            findings.some((finding) => names(finding, i + 1)),
            `entry ${i + 1} is not named`,
          ).toBe(true);
    }),
    { numRuns: someRuns(4000) },
  );
});
