import { createPublicKey, sign, type KeyObject } from 'node:crypto';
import { MANIFEST, manifestText, PUBLIC_KEY, readManifest, SIGNATURE } from '#core/handover/manifest.ts';
import { Digester, type RunUnit } from '#core/handover/runs.ts';
import { readPublicKey } from '#core/handover/signing-key.ts';
import type { Random } from '../files/random.ts';
import { changedBytes, isIn, says, type Harm, type Intact } from './harm.ts';
import { SEALING, SIGNING, zipOf, type Packed } from './package.ts';

/** The manifest, the signature and the key. */
export function ofSeal(random: Random, { files, otherKey }: Intact): Harm {
  const of = (name: string) => files.find((one) => one.name === name)!.bytes;
  const put = (name: string, bytes: Buffer) => (list: readonly Packed[]) =>
    list.map((one) => (one.name === name ? { name, bytes } : one));
  const manifest = of(MANIFEST);
  const unnamed = files.filter(({ name }) => !SEALING.includes(name) && name !== PUBLIC_KEY);
  const victim = random.of(unnamed.filter(({ bytes }) => bytes.length > 0));
  const forged = changedBytes(random, victim.bytes);
  const digestOf = (bytes: Buffer, unit: RunUnit) => {
    const digester = new Digester(unit);
    digester.update(bytes);
    return digester.end();
  };
  const publicOf = (key: KeyObject) =>
    createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  /** A manifest that says what is there. */
  const withForged = (pem: string | null) => {
    const { key, files: listed } = readManifest(manifest.toString());
    const said = listed.map((file) => {
      if (file.path === victim.name) return { path: file.path, ...digestOf(forged, file.unit) };
      if (pem !== null && file.path === PUBLIC_KEY)
        return { path: PUBLIC_KEY, ...digestOf(Buffer.from(pem), 'lines') };
      return file;
    });
    return Buffer.from(
      manifestText({ key: pem === null ? key : readPublicKey(pem)!.fingerprint, files: said }),
    );
  };
  const otherPem = publicOf(otherKey);
  const harms = {
    'a blank in the manifest': () =>
      [put(MANIFEST, Buffer.concat([manifest, Buffer.from(' ')]))(files), isIn([MANIFEST])] as const,
    'a byte of the manifest': () =>
      [put(MANIFEST, changedBytes(random, manifest))(files), isIn(SIGNING)] as const,
    'a byte of the signature': () =>
      [put(SIGNATURE, changedBytes(random, of(SIGNATURE)))(files), isIn([MANIFEST])] as const,
    'a signature that is cut off': () =>
      [put(SIGNATURE, of(SIGNATURE).subarray(0, random.int(0, 63)))(files), isIn([MANIFEST])] as const,
    'another key': () => [put(PUBLIC_KEY, Buffer.from(otherPem))(files), isIn([PUBLIC_KEY])] as const,
    'a file and its hash': () =>
      [put(MANIFEST, withForged(null))(put(victim.name, forged)(files)), isIn([MANIFEST])] as const,
    'all of it, signed by another key': () => {
      const text = withForged(otherPem);
      const signed = put(SIGNATURE, sign(null, text, otherKey));
      const all = put(PUBLIC_KEY, Buffer.from(otherPem))(put(victim.name, forged)(files));
      return [put(MANIFEST, text)(signed(all)), says(PUBLIC_KEY, 'other-key')] as const;
    },
  };
  const what = random.of(Object.keys(harms) as (keyof typeof harms)[]);
  const [harmed, judge] = harms[what]();
  return { kind: what, what, zip: zipOf(harmed), judge };
}
