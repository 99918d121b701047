import { errorCode } from '../../disk/errors.ts';
import type { Files } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';
import { StartError } from '../../errors.ts';
import { readJournal, type ReadJournal } from './journal-text.ts';
import { decodeMetadata, type Written } from './metadata-text.ts';
import { NewerVersion } from './migrations.ts';

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
  readonly bytes: Uint8Array | null;
}
interface WholeText {
  readonly kind: 'whole';
  readonly written: Written;
  readonly bytes: Uint8Array;
}
interface WholeJournal {
  readonly kind: 'whole';
  readonly journal: ReadJournal;
  readonly bytes: Uint8Array;
}

/** What stands under each name. */
export interface Found {
  readonly main: Absent | Damaged | WholeText;
  /** `same`: byte for byte as metadata.json, which is whole. */
  readonly copy: Absent | Damaged | WholeText | { readonly kind: 'same' };
  readonly journal: Absent | Damaged | WholeJournal;
}

/** Reads all of it and changes nothing. Throws StartError: `metadata-newer`, `metadata-unreadable`, `read-only`. */
export async function findMetadata(paths: MetadataPaths, files: Files): Promise<Found> {
  const main = await read(files, paths.main, text);
  const copy = await read(files, paths.copy, (bytes) =>
    main.kind === 'whole' && Buffer.compare(main.bytes, bytes) === 0
      ? ({ kind: 'same' } as const)
      : text(bytes),
  );
  const journal = await read(files, paths.journal, wholeJournal, { hasCopy: false });
  return { main, copy, journal };
}

const text = (bytes: Uint8Array): WholeText => ({ kind: 'whole', written: decodeMetadata(bytes), bytes });
const wholeJournal = (bytes: Uint8Array): WholeJournal => ({
  kind: 'whole',
  journal: readJournal(bytes),
  bytes,
});

async function read<Whole>(
  files: Files,
  path: string,
  decode: (bytes: Uint8Array) => Whole,
  { hasCopy }: { readonly hasCopy: boolean } = { hasCopy: true },
): Promise<Absent | Damaged | Whole> {
  let bytes: Uint8Array | null = null;
  try {
    bytes = await readWhole(files, path);
    return bytes ? decode(bytes) : { kind: 'absent' };
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
    return { kind: 'damaged', reason, bytes };
  }
}
