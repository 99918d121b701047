import { errorCode } from '../../../disk/errors.ts';
import type { Files } from '../../../disk/files.ts';
import { comparedPieces, isThere } from '../../../disk/pieces.ts';
import { readWhole } from '../../../disk/whole-file.ts';
import { StartError } from '../../../base/errors.ts';
import { readJournal, type ReadJournal } from './journal-text.ts';
import { NewerVersion } from './migrations.ts';
import { readMetadata, type Written } from './read-metadata.ts';

/** The files of a data folder's metadata. */
export interface MetadataPaths {
  readonly directory: string;
  readonly main: string;
  readonly copy: string;
  readonly journal: string;
}

interface Absent {
  readonly kind: 'absent';
}
interface Damaged {
  readonly kind: 'damaged';
  readonly reason: string;
  /** Whether the disk gives its bytes, whatever they are. */
  readonly isReadable: boolean;
}
interface WholeText {
  readonly kind: 'whole';
  readonly written: Written;
}
interface WholeJournal {
  readonly kind: 'whole';
  readonly journal: ReadJournal;
  readonly bytes: Uint8Array;
}

/** Files found under each name. */
export interface Found {
  readonly main: Absent | Damaged | WholeText;
  /** `same`: byte for byte as metadata.json, which is whole. */
  readonly copy: Absent | Damaged | WholeText | { readonly kind: 'same' };
  readonly journal: Absent | Damaged | WholeJournal;
}

/** Reads all of it and changes nothing. Throws StartError: `metadata-newer`, `metadata-unreadable`, `read-only`. */
export async function findMetadata(paths: MetadataPaths, files: Files): Promise<Found> {
  const readText = async (path: string, pieces?: AsyncIterable<Buffer>): Promise<WholeText> => ({
    kind: 'whole',
    written: await readMetadata(files, path, pieces),
  });
  const both = comparedPieces(files, paths.main, paths.copy);
  const main = await find(files, paths.main, (path) => readText(path, both.pieces));
  const copy = await find(files, paths.copy, async (path) =>
    main.kind === 'whole' && both.areSame() ? ({ kind: 'same' } as const) : readText(path),
  );
  const journal = await find(files, paths.journal, (path) => wholeJournal(files, path), { hasCopy: false });
  return { main, copy, journal };
}

async function wholeJournal(files: Files, path: string): Promise<WholeJournal> {
  const bytes = (await readWhole(files, path)) ?? Buffer.alloc(0);
  return { kind: 'whole', journal: readJournal(bytes), bytes };
}

async function find<Whole>(
  files: Files,
  path: string,
  read: (path: string) => Promise<Whole>,
  { hasCopy }: { readonly hasCopy: boolean } = { hasCopy: true },
): Promise<Absent | Damaged | Whole> {
  try {
    return isThere(files, path) ? await read(path) : { kind: 'absent' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof NewerVersion)
      throw new StartError(
        'metadata-newer',
        `${path} cannot be opened: ${reason}. It was left as it is. ` +
          'Start the newer Fieldbench, or choose another folder with --data.',
        { cause: error },
      );
    const code = errorCode(error);
    if (code === 'EACCES' || code === 'EPERM')
      throw new StartError(
        'read-only',
        `${path} may not be read by this user (${reason}). ` +
          'Start Fieldbench as the user who owns it, or choose another folder with --data.',
        { cause: error },
      );
    // That says that this process lacks the memory or the stack, and nothing of the file.
    if (error instanceof RangeError || code === 'ERR_STRING_TOO_LONG')
      throw new StartError(
        'metadata-unreadable',
        `${path} is larger than this process can read (${reason}). The file is whole and was left as it is. ` +
          'Start Fieldbench with more memory, or tell its makers.',
        { cause: error },
      );
    // A bad sector is damage, for which there is a copy; too many open files, say, are not.
    if (code !== undefined && (code !== 'EIO' || !hasCopy))
      throw new StartError(
        'metadata-unreadable',
        `${path} cannot be read at present (${reason}). It was left as it is. Check the disk, and start again.`,
        { cause: error },
      );
    return { kind: 'damaged', reason, isReadable: code === undefined };
  }
}
