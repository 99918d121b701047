import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { exportRecords } from '#core/export/export.ts';
import { MANIFEST, PUBLIC_KEY, SIGNATURE } from '#core/handover/manifest.ts';
import { signingKeyOf } from '#core/handover/signing-key.ts';
import { writePackage, type Member } from '#core/handover/write-package.ts';
import { commentOf, SEAL_HEX } from '#core/handover/zip-seal.ts';
import type { StoredRecord } from '#core/store/store.ts';
import type { Random } from '../files/random.ts';

/* Packages of made-up records, and zips of whatever files, sealed as a package's. */

/** PKCS #8 of an Ed25519 key, before its 32 bytes (RFC 8410). */
const PKCS_8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A private key that 32 bytes are. */
export const keyOf = (bytes: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS_8, bytes]), format: 'der', type: 'pkcs8' });

export const anyKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

export const signerOf = (key: KeyObject) => {
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const get = async () => pem;
  return signingKeyOf({ get, set: async () => {}, readKept: async () => [pem] });
};

/** Returns the bytes of a package. */
export async function packed(members: readonly Member[], key: KeyObject): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of writePackage({ members, key: () => signerOf(key) })) pieces.push(bytes);
  return Buffer.concat(pieces);
}

/** Records that one line each is of, now and then with a text or without a value. */
function recordsOf(random: Random, count: number): StoredRecord[] {
  let time = 1_772_483_421_202_946 + random.int(0, 1_000_000);
  return Array.from({ length: count }, () => {
    time += random.of([0, 1, 60_000_000, 60_000_000, 60_000_000]);
    const state = random.of(['idle', 'on', 'a "quoted" word', 'two\nlines']);
    const some = random.chance(0.2)
      ? { keys: ['state', 't'], values: [state, random.int(0, 40)] }
      : { keys: ['t'], values: [random.int(-400, 400) / 10] };
    return { timestamp: time, received: time, ...some };
  });
}

/** Files as a package of one or two devices has them. */
export function drawMembers(random: Random): readonly Member[] {
  const devices = random.int(1, 2);
  const members: Member[] = [textMember('HOW-TO-CHECK.txt', 'Lines\nof words.\n')];
  for (let place = 1; place <= devices; place++) {
    const folder = `devices/${place}-Probe`;
    const format = random.of(['csv', 'csv', 'ndjson', 'ndjson', 'parquet'] as const);
    const records = recordsOf(random, random.of([0, 1, 5, 400, 3000]));
    async function* scan() {
      yield records;
    }
    const notes = records.slice(0, 9).map(({ timestamp }) => ({ start: timestamp, text: 'Valve opened' }));
    members.push(textMember(`${folder}/notes.json`, `${JSON.stringify(notes, null, 2)}\n`));
    members.push({
      path: `${folder}/records-raw.${format}`,
      unit: format === 'parquet' ? 'bytes' : 'lines',
      async *bytes() {
        for await (const { bytes } of exportRecords({ scan: scan(), keys: ['state', 't'], format }))
          yield bytes;
      },
    });
  }
  return [...members, textMember('audit-trail.ndjson', random.chance(0.5) ? '' : '{"n":1}\n{"n":2}\n')];
}

function textMember(path: string, text: string): Member {
  async function* bytes() {
    if (text !== '') yield Buffer.from(text);
  }
  return { path, unit: 'lines', bytes };
}

/** A file in a zip. */
export interface Packed {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A zip of any files, in their order, with the comment of a package, or without one as others pack. */
export function zipOf(files: readonly Packed[], isSealed = true): Buffer {
  const parts: Buffer[] = [];
  const listed: Buffer[] = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const [nameBytes, data] = [Buffer.from(name), deflateRawSync(bytes, { level: 1 })];
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(1 << 11, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt16LE(33, 8);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(nameBytes.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), facts, nameBytes, data);
    listed.push(Buffer.from('PK\x01\x02\x3f\x03', 'latin1'), facts, tail, nameBytes);
    at += 4 + facts.length + nameBytes.length + data.length;
  }
  const list = Buffer.concat(listed);
  const comment = isSealed ? commentOf('0'.repeat(SEAL_HEX)) : '';
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(at, 12);
  end.writeUInt16LE(comment.length, 16);
  const zip = Buffer.concat([...parts, list, Buffer.from('PK\x05\x06', 'latin1'), end, Buffer.from(comment)]);
  if (!isSealed) return zip;
  const before = zip.subarray(0, zip.length - SEAL_HEX);
  return Buffer.concat([before, Buffer.from(createHash('sha256').update(before).digest('hex'))]);
}

/** The files of a package as they are in its zip. */
export async function filesOf(members: readonly Member[], key: KeyObject): Promise<readonly Packed[]> {
  const { openZip } = await import('#core/handover/verify/read-zip.ts');
  const { entries } = await openZip(inMemory(await packed(members, key)));
  return Promise.all(entries.map(async ({ name, content }) => ({ name, bytes: await buffer(content()) })));
}

/** Bytes for `verifyPackage`. */
export const inMemory = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (into: Uint8Array, position: number) =>
    bytes.copy(into, 0, position, Math.min(bytes.length, position + into.length)),
});

/** Files that no manifest names. */
export const SEALING: readonly string[] = [MANIFEST, SIGNATURE];
export const SIGNING: readonly string[] = [...SEALING, PUBLIC_KEY];
