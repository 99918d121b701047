import { dirname } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { seedFile, type SeedFile } from '#shared/operations/service/seed.ts';
import { validate } from '#shared/values/validate.ts';
import { StartError } from '../../base/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';

/** A seed file that was read, and the folder in which files that it names lie. */
export interface Seed {
  readonly content: SeedFile;
  readonly folder: string;
}

/** Reads a seed file, JSON or YAML 1.2, of which JSON is a part. Rejects with StartError, which names the file and the field. */
export async function readSeed(path: string): Promise<Seed> {
  const wrong = (why: string) => new StartError('bad-flag', `--seed-file ${path}: ${why}`);
  const bytes = await readWhole(nodeFiles, path).catch((error: Error) => {
    throw wrong(`it cannot be read: ${error.message}`);
  });
  if (bytes === null) throw wrong('there is no such file.');
  let value: unknown;
  try {
    value = parse(bytes.toString('utf8'), { maxAliasCount: 1000 });
  } catch (error) {
    if (!(error instanceof YAMLParseError || error instanceof ReferenceError)) throw error;
    throw wrong(`it is neither JSON nor YAML: ${error.message}`);
  }
  const checked = validate(seedFile, value);
  if (!checked.ok) throw wrong(`${checked.message}.`);
  return { content: checked.value, folder: dirname(path) };
}
