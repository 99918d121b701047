import { Pace } from '../../turns/pace.ts';
import type { ManifestFile } from '../manifest.ts';
import { Digester, type FileDigest, type LineHash } from '../runs.ts';
import { compareRuns } from './compare-runs.ts';
import { harmText, rangeText, type PackageFinding } from './findings.ts';
import { ZipError, type ZipEntry } from './read-zip.ts';

/** Bytes beyond which a file that is longer than it was is read no further: twice what it was, and a little. */
const mostOf = (bytes: number) => 2 * bytes + (1 << 20);

/** Compares a file of a package with what the manifest says of it. Returns nothing where it is as it was. */
export async function compareFile(file: ManifestFile, entry: ZipEntry): Promise<readonly PackageFinding[]> {
  const { digest, why } = await digestOf(file, entry, null);
  if (why === null && digest.sha256 === file.sha256 && digest.bytes === file.bytes) return [];
  const lines: LineHash[] = [];
  const again =
    file.unit === 'lines' ? await digestOf(file, entry, (hash) => void lines.push(hash)) : { digest, why };
  const { path, unit, runs } = file;
  const harmed = compareRuns(unit, runs, again.digest.runs, lines);
  const findings = harmed.map(({ harm, range, lines: count }): PackageFinding => {
    const what = rangeText(range);
    return { file: path, harm, range, message: `${path}: ${what}: ${harmText(harm, range, count)}.` };
  });
  if (why !== null) findings.unshift(whole(path, `${path} was changed: ${why}.`));
  // Its runs are all there, and yet it is another file: what the manifest says of it does not go together.
  else if (findings.length === 0)
    findings.push(whole(path, `${path} was changed, or what the manifest says of it.`));
  return findings;
}

const whole = (file: string, message: string): PackageFinding => ({
  file,
  harm: 'changed',
  range: null,
  message,
});

/** `why`: what ended the reading; null for the end of the file. */
async function digestOf(
  { bytes, unit }: ManifestFile,
  entry: ZipEntry,
  take: ((hash: LineHash) => void) | null,
): Promise<{ readonly digest: FileDigest; readonly why: string | null }> {
  const digester = new Digester(unit, take);
  const pace = new Pace();
  let length = 0;
  try {
    for await (const piece of entry.content()) {
      length += piece.length;
      if (length > mostOf(bytes))
        return { digest: digester.end(), why: `it has more than twice the ${bytes} bytes that it had` };
      digester.update(piece);
      await pace.pause();
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    return { digest: digester.end(), why: `it cannot be unpacked to its end, ${error.message}` };
  }
  return { digest: digester.end(), why: null };
}
