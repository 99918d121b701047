import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { FileDigest, Run } from './runs.ts';

/*
 * What a package says of its files (docs/hand-over.md, "manifest.json"). Each file is a line that begins with its path and its SHA-256,
 * so that a shell finds both; the runs come behind all of them.
 */

export const MANIFEST = 'manifest.json';
export const SIGNATURE = 'manifest.sig';
export const PUBLIC_KEY = 'public-key.pem';
export const HOW_TO_CHECK = 'HOW-TO-CHECK.txt';
export const REPORT = 'report.html';
const FORMAT = 'fieldbench-handover';
const VERSION = 1;

/** Paths that stand in a shell, a zip and a file system as they are: no blanks, no dots alone. */
const PATH_RULE = /^(?!.*(?:^|\/)\.)[0-9A-Za-z._-]+(?:\/[0-9A-Za-z._-]+)*$/;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const length = z.int().min(1);
const bytes = z.int().min(0);
const file = z.object({ path: z.string().regex(PATH_RULE).max(255), sha256, bytes });
const run = z.tuple([
  length,
  z.string().regex(/^[0-9a-f]{32}$/),
  z.string().regex(/^(?:[0-9a-f]{16})?$/),
  z.string().max(40),
]);
const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.int().min(1),
  /** Fingerprint of the key that signs it. */
  key: sha256,
  files: z.array(file),
  runs: z.record(z.string(), z.object({ unit: z.enum(['lines', 'bytes']), list: z.array(run) })),
});

export interface ManifestFile extends FileDigest {
  readonly path: string;
}

export interface Manifest {
  readonly key: string;
  /** In the order in which they stand in the package. */
  readonly files: readonly ManifestFile[];
}

/** Returns the text of a manifest. */
export function manifestText({ key, files }: Manifest): string {
  const head = JSON.stringify({ format: FORMAT, version: VERSION, key }).slice(0, -1);
  const lines = files.map(({ path, sha256: hash, bytes: size }) =>
    JSON.stringify({ path, sha256: hash, bytes: size }),
  );
  const runs = files.map(
    ({ path, unit, runs: list }) =>
      `${JSON.stringify(path)}:{"unit":"${unit}","list":[\n${list.map(rowOf).join(',\n')}\n]}`,
  );
  return `${head},"files":[\n${lines.join(',\n')}\n],"runs":{\n${runs.join(',\n')}\n}}\n`;
}

const rowOf = ({ length: count, hash, sum, time }: Run) => JSON.stringify([count, hash, sum, time]);

/** Why a text is no manifest, for people to read. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

/** Reads the text of a manifest. Throws ManifestError. */
export function readManifest(text: string): Manifest {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (cause) {
    throw new ManifestError('it is no JSON', { cause });
  }
  const read = manifest.safeParse(json);
  if (!read.success) throw new ManifestError('it is not written as one', { cause: read.error });
  const { version, key, files, runs } = read.data;
  if (version > VERSION)
    throw new ManifestError(`it is of version ${version}, and this Fieldbench knows ${VERSION}`);
  const paths = new Set(files.map(({ path }) => path));
  if (paths.size < files.length) throw new ManifestError('it names a file twice');
  const whole = files.map(({ path, sha256: hash, bytes: size }) => {
    const own = Object.hasOwn(runs, path) ? runs[path] : undefined;
    const list = (own?.list ?? []).map(([count, runHash, sum, time]): Run => {
      return { length: count, hash: runHash, sum, time };
    });
    return { path, sha256: hash, bytes: size, unit: own?.unit ?? ('lines' as const), runs: list };
  });
  return { key, files: whole };
}
