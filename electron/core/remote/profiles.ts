import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import { SERVICE_COLOURS } from '#shared/operations/service/other-services.ts';
import { writeAtomically } from '../disk/atomic-file.ts';
import { writtenAs } from '../disk/contents.ts';
import { startError } from '../disk/errors.ts';
import type { Files } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';

/* other-services.json: the services elsewhere that people look at from here. Their API keys are in the vault. */

const profile = z.object({
  id: z.string(),
  name: z.string(),
  /** With its scheme, without a slash at its end. */
  address: z.string(),
  /** PEM of whom to trust; null: whom this machine trusts anyway. */
  certificate: z.string().nullable(),
  colour: z.enum(SERVICE_COLOURS),
  /** Whether nothing is changed there from here, whatever the key may. */
  read_only: z.boolean(),
});
export type Profile = Readonly<z.infer<typeof profile>>;
const file = z.object({ version: z.literal(1), services: z.array(profile) });

/** The data directory that they are in. */
export interface ProfilesPlace {
  readonly directory: string;
  readonly files: Files;
}

const FILE = 'other-services.json';
const ASIDE = '.damaged';
const pathIn = (directory: string) => join(directory, FILE);
const isWritten = writtenAs(FILE);
/** Whether they are in a file of this name, or were when it was damaged. */
export const isProfilesFile = (name: string) => isWritten(name) || name === `${FILE}${ASIDE}`;

/** Reads the profiles; a file that cannot be read is set aside, of which a note tells. Throws StartError where the disk fails. */
export async function readProfiles({
  directory,
  files,
}: ProfilesPlace): Promise<{ readonly profiles: readonly Profile[]; readonly notes: readonly string[] }> {
  const path = pathIn(directory);
  try {
    const bytes = await readWhole(files, path);
    if (bytes === null) return { profiles: [], notes: [] };
    const read = file.safeParse(jsonIn(bytes));
    if (read.success) return { profiles: read.data.services, notes: [] };
    await files.rename(path, `${path}${ASIDE}`);
    const note = `${path} is damaged or of a newer Fieldbench: it was set aside as ${path}${ASIDE}, and no other services are listed.`;
    return { profiles: [], notes: [note] };
  } catch (error) {
    throw startError(error, directory);
  }
}

/** Rejects with StoreError; what was there before is whole then. */
export async function writeProfiles(
  { directory, files }: ProfilesPlace,
  services: readonly Profile[],
): Promise<void> {
  const text = `${JSON.stringify({ version: 1, services }, null, 2)}\n`;
  await writeAtomically(pathIn(directory), text, { files });
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
