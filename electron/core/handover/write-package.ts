import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { Digester, type RunUnit } from './runs.ts';
import { manifestText, MANIFEST, PUBLIC_KEY, SIGNATURE, type ManifestFile } from './manifest.ts';
import type { SigningKey } from './signing-key.ts';
import { commentOf, SEAL_HEX } from './zip-seal.ts';

/** A file of a package, before it is in one. */
export interface Member {
  /** As a manifest takes it: letters, digits, ".", "_" and "-", without a blank. */
  readonly path: string;
  readonly unit: RunUnit;
  /** Its bytes, once, when its turn comes. `read`: called with the records that were read for what comes next. */
  readonly bytes: (read: (records: number) => void) => AsyncIterable<Uint8Array>;
}

export interface PackageOptions {
  readonly members: readonly Member[];
  /** Resolves with the key that signs; asked when all else is written. */
  readonly key: () => Promise<SigningKey>;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of a package, and how many records were read for them. */
export interface PackagePiece {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/**
 * A fixed time, so that the same files are the same bytes, and the fastest level: most of a package are numbers. Of the zip's own
 * format only what every program reads.
 */
const ENTRY = {
  mtime: new Date(1980, 0, 1, 12),
  forceDosTimestamp: true,
  mode: 0o100644,
  compressionLevel: 1,
} as const;

/**
 * Writes a package: its files in the order given, the public key, the manifest, the signature. The same files and the same key are the
 * same bytes, by the same Fieldbench. Rejects as the members do, or as the signal's reason.
 */
export async function* writePackage({
  members,
  key,
  signal,
}: PackageOptions): AsyncGenerator<PackagePiece, void, undefined> {
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  const files: ManifestFile[] = [];
  let reading: Readable | null = null;
  let records = 0;

  function add(path: string, bytes: () => AsyncIterable<Uint8Array>): void {
    zip.addReadStreamLazy(path, ENTRY, (begin) => {
      reading = Readable.from(bytes(), { objectMode: false });
      reading.once('error', (error) => out.destroy(error));
      begin(null, reading);
    });
  }
  async function* digested({ path, unit, bytes }: Member): AsyncGenerator<Uint8Array> {
    const digester = new Digester(unit);
    for await (const piece of bytes((count) => void (records += count))) {
      signal?.throwIfAborted();
      digester.update(piece);
      yield piece;
    }
    files.push({ path, ...digester.end() });
  }

  let manifest = Buffer.alloc(0);
  let signing: SigningKey | null = null;
  async function* publicKey() {
    signing = await key();
    yield Buffer.from(signing.pem);
  }
  async function* signed() {
    if (signing === null) throw new Error('The signature stands before the key.');
    manifest = Buffer.from(manifestText({ key: signing.fingerprint, files }));
    yield manifest;
  }
  async function* signature() {
    if (signing !== null) yield signing.sign(manifest);
  }
  for (const member of members) add(member.path, () => digested(member));
  add(PUBLIC_KEY, () => digested({ path: PUBLIC_KEY, unit: 'lines', bytes: publicKey }));
  add(MANIFEST, signed);
  add(SIGNATURE, signature);
  zip.end({ forceZip64Format: false, comment: commentOf('0'.repeat(SEAL_HEX)) });

  try {
    for await (const bytes of sealed(out)) {
      signal?.throwIfAborted();
      yield { bytes, length: records };
      records = 0;
    }
  } finally {
    // A consumer that leaves early ends the reading of members, too.
    out.destroy();
    (reading as Readable | null)?.destroy();
  }
}

/** The bytes of a zip, the last of which become the hash of all before. */
async function* sealed(zip: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held = Buffer.alloc(0);
  for await (const piece of zip) {
    const all = held.length === 0 ? Buffer.from(piece) : Buffer.concat([held, piece]);
    const from = Math.max(0, all.length - SEAL_HEX);
    held = all.subarray(from);
    if (from === 0) continue;
    const passed = all.subarray(0, from);
    hash.update(passed);
    yield passed;
  }
  yield Buffer.from(hash.digest('hex'));
}
