import { beforeAll, expect, test } from 'vitest';
import { foldersOf } from '#core/handover/file-names.ts';
import { readFingerprint } from '#shared/domain/fingerprint.ts';
import { verifyPackage } from '#core/handover/verify/verify-package.ts';
import { anyKey, filesOf, inMemory, packed, zipOf, type Packed } from '../../fuzz/handover/package.ts';

/* What `verify` says of a harmed file, word by word. */

const PATH = 'devices/1-a/records-raw.csv';
/** Records of a minute each. */
const timeOf = (i: number) => new Date(Date.UTC(2026, 2, 2) + i * 60_000).toISOString().replace('Z', '000Z');
const LINES = ['timestamp,"t"\r\n', ...Array.from({ length: 5000 }, (_, i) => `${timeOf(i)},${i}\r\n`)];
const member = {
  path: PATH,
  unit: 'lines' as const,
  async *bytes() {
    yield Buffer.from(LINES.join(''));
  },
};
const key = anyKey();
let files: readonly Packed[];
beforeAll(async () => void (files = await filesOf([member], key)));

async function said(lines: readonly string[]): Promise<readonly string[]> {
  const harmed = files.map((one) =>
    one.name === PATH ? { ...one, bytes: Buffer.from(lines.join('')) } : one,
  );
  const { findings } = await verifyPackage(inMemory(zipOf(harmed)), { expected: null });
  return findings.map(({ message }) => message);
}

const NEAR =
  /^devices\/1-a\/records-raw\.csv: lines [\d,]+ to [\d,]+ \(from 2026-03-0\dT[\d:.]+Z on, before 2026-03-0\dT[\d:.]+Z\): /;

test('a record that was changed, dropped or moved is within lines and times that are named', async () => {
  const [changed = ''] = await said(LINES.with(2000, `${timeOf(1999)},x\r\n`));
  expect(changed).toMatch(NEAR);
  expect(changed).toMatch(/: changed\.$/);
  const [, from = '', to = ''] = /lines ([\d,]+) to ([\d,]+)/.exec(changed) ?? [];
  const number = (text: string) => Number(text.replaceAll(',', ''));
  expect(number(from)).toBeLessThanOrEqual(2001);
  expect(number(to)).toBeGreaterThanOrEqual(2001);
  const [dropped = '', ...others] = await said(LINES.toSpliced(3000, 3));
  expect(dropped).toMatch(NEAR);
  expect(dropped).toMatch(/: 3 lines of it dropped\.$/);
  expect(others).toEqual([]);
  const [moved = ''] = await said(LINES.with(4000, LINES[4001]!).with(4001, LINES[4000]!));
  expect(moved).toMatch(NEAR);
  expect(moved).toMatch(/: in another order\.$/);
});

test('a record that is there twice is named by its own line', async () => {
  const [twice = ''] = await said(LINES.toSpliced(2001, 0, LINES[2000]!));
  expect(twice).toMatch(/: line 2,002 .*: there twice\.$/);
  const [added = ''] = await said(LINES.toSpliced(2001, 0, '2026-03-03T00:00:00Z,1\r\n'));
  expect(added).toMatch(/: 1 line added to it\.$/);
});

test('the same files and the same key are the same bytes', async () => {
  expect((await packed([member], key)).equals(await packed([member], key))).toBe(true);
});

test('devices whose names say nothing to a file system have folders of their own', () => {
  expect(foldersOf(['Größe/2', '../..', 'CON', '日本'])).toEqual(['1-Grosse-2', '2', '3-CON', '4']);
  expect(foldersOf(Array.from({ length: 10 }, () => 'a'))[0]).toBe('01-a');
});

test('a fingerprint is read however it was grouped', () => {
  const hex = '0123456789abcdef'.repeat(4);
  expect(readFingerprint(hex.toUpperCase().replace(/..(?=.)/g, '$&:'))).toBe(hex);
  expect(readFingerprint(`SHA256: ${hex.replace(/.{4}/g, '$& ')}`)).toBe(hex);
  expect(readFingerprint(hex.slice(1))).toBeNull();
});
