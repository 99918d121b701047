import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { verifyPackage } from '#core/handover/verify/verify-package.ts';
import { anyKey, filesOf, inMemory, zipOf } from '../../fuzz/handover/package.ts';

/* Zips that somebody made to do harm: `verify` has words for each, and neither fails nor takes much memory. */

const verify = (zip: Buffer) => verifyPackage(inMemory(zip), { expected: null });
const wordsOf = async (zip: Buffer) => (await verify(zip)).findings.map(({ message }) => message).join('\n');

const text = (path: string, words: string) => ({
  path,
  unit: 'lines' as const,
  async *bytes() {
    yield Buffer.from(words);
  },
});
const intact = () => filesOf([text('devices/1-a/notes.json', '[]\n')], anyKey());

describe.each([
  ['nothing', Buffer.alloc(0)],
  ['words', Buffer.from('no zip at all')],
  ['the end of a zip alone', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
  ['an end that says 65,535 files', Buffer.from('504b05060000ffffffffffffffffffffffffffff0000', 'hex')],
])('%s', (_, bytes) => {
  test('is told as no package', async () => {
    const found = await verify(bytes);
    expect(found).toMatchObject({ files: 0, fingerprint: null });
    expect(found.findings[0]?.harm).toMatch(/unreadable|dropped/);
  });
});

test('zip64 that points anywhere is told', async () => {
  const zip = zipOf(await intact(), false);
  const end = zip.subarray(zip.length - 22);
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(0xffff_ffff_ffffn, 32);
  record.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  for (const at of [0n, BigInt(zip.length - 22), 0xffff_ffff_ffff_ffffn]) {
    locator.writeBigUInt64LE(at, 8);
    const found = await verify(Buffer.concat([zip.subarray(0, -22), record, locator, end]));
    expect(found.findings[0]?.message).toMatch(/^The zip cannot be read: /);
  }
});

test('a manifest that unpacks to gigabytes is read no further than any manifest is long', async () => {
  const files = await intact();
  const bomb = Buffer.alloc((1 << 28) + 1, 0x20);
  const words = await wordsOf(
    zipOf(files.map((one) => (one.name === 'manifest.json' ? { ...one, bytes: bomb } : one))),
  );
  expect(words).toMatch(/manifest\.json was changed: it has more than 268435456 bytes/);
});

test('a file that unpacks to far more than it was is read no further', async () => {
  const files = await intact();
  const bomb = Buffer.alloc(1 << 25, 0x0a);
  const words = await wordsOf(
    zipOf(files.map((one) => (one.name.endsWith('notes.json') ? { ...one, bytes: bomb } : one))),
  );
  expect(words).toMatch(/notes\.json was changed: it has more than twice the 3 bytes/);
});

test.each(['../../etc/passwd', '/etc/passwd', 'C:\\Windows\\x', 'a\\..\\..\\b'])(
  'a path %s is named, and nothing is written',
  async (name) => {
    const words = await wordsOf(zipOf([...(await intact()), { name, bytes: Buffer.from('x') }]));
    expect(words).toContain(`${name} was added`);
    expect(words).toContain('points out of the folder');
  },
);

test('a name that is there twice, with other bytes, is named', async () => {
  const files = await intact();
  const words = await wordsOf(
    zipOf([...files, { name: 'devices/1-a/notes.json', bytes: Buffer.from('["x"]\n') }]),
  );
  expect(words).toContain('devices/1-a/notes.json is in the zip twice.');
  expect(words).toMatch(/notes\.json: line 1: changed/);
});

test('a file that says another length than it has, is encrypted, or of another method, is named', async () => {
  const files = await intact();
  const zip = zipOf(files);
  const listed = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
  for (const [at, value] of [
    [listed + 24, 0x7fff],
    [listed + 8, 1],
    [listed + 10, 99],
    [listed + 42, 0x7fff],
  ] as const) {
    const harmed = Buffer.from(zip);
    harmed.writeUInt16LE(value, at);
    expect((await verify(harmed)).findings[0]?.message).toMatch(
      /notes\.json was changed: it cannot be unpacked|The zip cannot be read/,
    );
  }
});

test.each([
  '{"format":"fieldbench-handover","version":1}',
  '{"format":"fieldbench-handover","version":2,"key":"0000000000000000000000000000000000000000000000000000000000000000","files":[],"runs":{}}',
  `{"format":"fieldbench-handover","version":1,"key":"${'0'.repeat(64)}","files":[{"path":"../x","sha256":"${'0'.repeat(64)}","bytes":1}],"runs":{}}`,
  '['.repeat(100_000),
  '"'.repeat(9),
])('a manifest that is none is told: %.60s', async (words) => {
  const files = await intact();
  const zip = zipOf(
    files.map((one) => (one.name === 'manifest.json' ? { ...one, bytes: Buffer.from(words) } : one)),
  );
  expect(await wordsOf(zip)).toMatch(
    /manifest\.json was changed: it is (?:no JSON|not written as one|of version 2)/,
  );
});

test('a stream that is cut off in the middle of a file is named, and how far it can be read', async () => {
  const lines = Array.from({ length: 2000 }, (_, i) => `${new Date(i * 1000).toISOString()},${i}\n`).join('');
  const files = await filesOf([text('devices/1-a/records-raw.csv', lines)], anyKey());
  const zip = zipOf(files);
  const packed = deflateRawSync(Buffer.from(lines), { level: 1 });
  const at = zip.indexOf(packed.subarray(0, 200)) + Math.floor(packed.length / 2);
  const harmed = Buffer.from(zip);
  harmed.fill(0xff, at, at + 400);
  const words = await wordsOf(harmed);
  expect(words).toMatch(/records-raw\.csv was changed: it cannot be unpacked to its end/);
});
