import { createHash } from 'node:crypto';
import { Pace } from '../../turns/pace.ts';
import { MANIFEST, ManifestError, PUBLIC_KEY, readManifest, SIGNATURE, type Manifest } from '../manifest.ts';
import { isSignedBy, readPublicKey } from '../signing-key.ts';
import { commentOf, SEAL_HEX } from '../zip-seal.ts';
import { compareFile } from './compare-file.ts';
import type { PackageFinding, PackageHarm } from './findings.ts';
import { openZip, ZipError, type OpenZip, type ZipBytes, type ZipEntry } from './read-zip.ts';

/** Result of a verification. */
export interface VerifiedPackage {
  /** Files that its manifest names. */
  readonly files: number;
  /** Of the key that signed it; null where none did. */
  readonly fingerprint: string | null;
  /** How many findings there are; `findings` has the first of them. */
  readonly harmed: number;
  readonly findings: readonly PackageFinding[];
  /** Whether the zip is another one around the same files: packed anew, as by somebody who added nothing. */
  readonly isRepacked: boolean;
}

export interface VerifyOptions {
  /** The fingerprint that the reader was told, in hex; null for none. */
  readonly expected: string | null;
}

/** Findings that are told at most. */
const MOST_FINDINGS = 100;
/** Bytes of a manifest, key or signature that are read; a package of 100 million records has a tenth of the first. */
const MOST_MANIFEST = 1 << 28;
const MOST_SMALL = 1 << 12;

/**
 * Reads a package to its end, and names what of it is not as it was signed: in slices of time, and in memory for one file's lines at most.
 * Rejects with the errors of `bytes` alone: whatever a zip has in it, it is told as a finding.
 */
export async function verifyPackage(bytes: ZipBytes, { expected }: VerifyOptions): Promise<VerifiedPackage> {
  const findings: PackageFinding[] = [];
  const found = (file: string | null, harm: PackageHarm, message: string) =>
    findings.push({ file, harm, range: null, message });
  const result = (files: number, fingerprint: string | null, isRepacked = false): VerifiedPackage => ({
    files,
    fingerprint,
    harmed: findings.length,
    findings: findings.slice(0, MOST_FINDINGS),
    isRepacked,
  });

  const zip = await unlessZipError(openZip(bytes));
  if (zip instanceof ZipError) {
    found(null, 'unreadable', `The zip cannot be read: ${zip.message}.`);
    return result(0, null);
  }
  const isRepacked = zip.comment === '';
  // Programs that pack add folders, which hold nothing.
  const entries = zip.entries.filter(
    ({ name, bytes: size }) => !(isRepacked && name.endsWith('/') && size === 0),
  );
  const byName = Map.groupBy(entries, ({ name }) => name);
  for (const [name, several] of byName)
    if (several.length > 1)
      found(
        name,
        'doubled',
        `${name} is in the zip ${several.length === 2 ? 'twice' : `${several.length} times`}.`,
      );

  const read = await readManifestIn(byName, found);
  if (read === null) return result(0, null);
  const { manifest } = read;
  const fingerprint = await signerOf(read, byName, found);
  if (fingerprint !== null && expected !== null && expected !== fingerprint)
    found(
      PUBLIC_KEY,
      'other-key',
      `It is signed by another key than the one that was expected, ${expected}.`,
    );

  for (const file of manifest.files) {
    const several = byName.get(file.path) ?? [];
    if (several.length === 0) found(file.path, 'dropped', `${file.path} was dropped.`);
    for (const entry of several) findings.push(...(await compareFile(file, entry)));
  }
  tellOthers(entries, manifest, found);
  if (!isRepacked) tellOrder(entries, manifest, found);
  if (findings.length === 0 && !isRepacked && !(await isSealed(bytes, zip)))
    found(
      null,
      'changed',
      'The zip was changed: every file in it is as it was signed, but not the bytes around them.',
    );
  return result(manifest.files.length, fingerprint, isRepacked && findings.length === 0);
}

type Found = (file: string | null, harm: PackageHarm, message: string) => void;
type ByName = ReadonlyMap<string, readonly ZipEntry[]>;

async function unlessZipError<T>(work: Promise<T>): Promise<T | ZipError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ZipError) return error;
    throw error;
  }
}

/** Null where there is none that can be read: then nothing of the package can be compared. */
async function readManifestIn(
  byName: ByName,
  found: Found,
): Promise<{ readonly manifest: Manifest; readonly text: Buffer } | null> {
  const text = await contentOf(byName, MANIFEST, MOST_MANIFEST, found);
  if (text === null) {
    if (!byName.has(MANIFEST))
      found(MANIFEST, 'dropped', `${MANIFEST} was dropped, or the file is no package of Fieldbench.`);
    return null;
  }
  try {
    return { manifest: readManifest(text.toString('utf8')), text };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    found(MANIFEST, 'changed', `${MANIFEST} was changed: ${error.message}. Nothing can be compared with it.`);
    return null;
  }
}

/** Returns the fingerprint of the key that signed the manifest; null where none did. */
async function signerOf(
  { manifest, text }: { readonly manifest: Manifest; readonly text: Buffer },
  byName: ByName,
  found: Found,
): Promise<string | null> {
  const signature = await contentOf(byName, SIGNATURE, MOST_SMALL, found);
  const pem = await contentOf(byName, PUBLIC_KEY, MOST_SMALL, () => {});
  if (signature === null) {
    if (!byName.has(SIGNATURE)) found(SIGNATURE, 'dropped', `${SIGNATURE} was dropped: nobody signed it.`);
    return null;
  }
  const key = pem && readPublicKey(pem.toString('latin1'));
  if (!key) {
    if (pem) found(PUBLIC_KEY, 'changed', `${PUBLIC_KEY} was changed: it is no key.`);
    return null;
  }
  if (isSignedBy(key, text, signature)) return key.fingerprint;
  const isNamed = key.fingerprint === manifest.key;
  found(
    isNamed ? MANIFEST : PUBLIC_KEY,
    'not-signed',
    isNamed
      ? `${MANIFEST} or ${SIGNATURE} was changed: the one is not the signature of the other by the key of ${PUBLIC_KEY}.`
      : `${PUBLIC_KEY} or ${MANIFEST} was changed: the key is not the one that ${MANIFEST} names, and signed nothing of it.`,
  );
  return null;
}

/** The bytes of a small file; null where it is not there or cannot be read, which is told. */
async function contentOf(byName: ByName, name: string, most: number, found: Found): Promise<Buffer | null> {
  const [entry] = byName.get(name) ?? [];
  if (!entry) return null;
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of entry.content()) {
      length += piece.length;
      if (length > most) {
        found(
          name,
          'changed',
          `${name} was changed: it has more than ${most} bytes, as none of a package has.`,
        );
        return null;
      }
      pieces.push(piece);
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    found(name, 'changed', `${name} was changed: it cannot be unpacked, ${error.message}.`);
    return null;
  }
  return Buffer.concat(pieces);
}

/** Files that the manifest does not name. */
function tellOthers(entries: readonly ZipEntry[], { files }: Manifest, found: Found): void {
  const named = new Set([...files.map(({ path }) => path), MANIFEST, SIGNATURE]);
  for (const name of new Set(entries.map((entry) => entry.name))) {
    if (named.has(name)) continue;
    const where = pointsOutside(name)
      ? ' Its name points out of the folder into which it would be unpacked: unpack nothing of this zip.'
      : '';
    found(name, 'added', `${name} was added: the manifest does not name it.${where}`);
  }
}

const pointsOutside = (name: string) => /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name);

/** The order of those that are there, once each. */
function tellOrder(entries: readonly ZipEntry[], { files }: Manifest, found: Found): void {
  const places = new Map([...files.map(({ path }) => path), MANIFEST, SIGNATURE].map((path, i) => [path, i]));
  let last = -1;
  for (const { name } of entries) {
    const place = places.get(name);
    if (place === undefined) continue;
    if (place < last) {
      found(
        name,
        'reordered',
        `${name} stands behind files that it was written before: they are in another order.`,
      );
      return;
    }
    last = place;
  }
}

/** Whether the zip's last bytes are the hash of all before. */
async function isSealed(bytes: ZipBytes, { comment }: OpenZip): Promise<boolean> {
  const hash = createHash('sha256');
  const pace = new Pace();
  const end = bytes.size - SEAL_HEX;
  const piece = Buffer.alloc(1 << 18);
  for (let at = 0; at < end;) {
    const read = await bytes.read(piece.subarray(0, Math.min(piece.length, end - at)), at);
    if (read === 0) return false;
    hash.update(piece.subarray(0, read));
    at += read;
    await pace.pause();
  }
  return comment === commentOf(hash.digest('hex'));
}
