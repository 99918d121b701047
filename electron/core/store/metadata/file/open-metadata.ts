import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import type { Files } from '../../../disk/files.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { KnownLines } from '../../trail/trail-files.ts';
import { StartError } from '../../../base/errors.ts';
import { findMetadata, type Found, type MetadataPaths } from './find-metadata.ts';
import { numberOf } from './generation.ts';
import { asideName } from './metadata-names.ts';
import { upgradeNote } from '../../upgrade-note.ts';
import { SCHEMA_VERSION } from '../metadata-schema.ts';
import type { Written } from './read-metadata.ts';
import { MetadataSnapshots } from '../tables/metadata-snapshots.ts';

/** The metadata of a folder as its files give it, and what is to be done to them before anything else. */
export interface OpenedMetadata {
  readonly state: MetadataSnapshots;
  /** The writing of metadata.json, or of its copy, that this is, and how many bytes it has. */
  readonly generation: string;
  readonly bytes: number;
  /** The format's version that it was written in. */
  readonly version: number;
  /** Lines of the audit trail: the last one at that writing, and what its journal has. */
  readonly trail: KnownLines;
  /** The journal that goes on: all of it, and how many changes that is. */
  readonly journal: { readonly content: Uint8Array; readonly lines: number } | null;
  /** A journal is there that is of no use any more. */
  readonly isJournalOver: boolean;
  readonly isCopyBehind: boolean;
  /** All is to be written anew. */
  readonly isToWrite: boolean;
  /** Files that are kept under another name before they go. */
  readonly aside: readonly { readonly path: string; readonly from: string }[];
  /** For people to read. */
  readonly notes: readonly string[];
}

/**
 * Puts together what a folder holds, and changes nothing in it: metadata.json, or where that cannot be read its copy, and
 * the journal that continues it. Resolves with null in a new folder. Throws StartError.
 */
export async function openMetadata(
  paths: MetadataPaths,
  clock: Clock,
  files: Files,
): Promise<OpenedMetadata | null> {
  const found = await findMetadata(paths, files);
  const { main, copy, journal } = found;
  if (main.kind === 'absent' && copy.kind === 'absent' && journal.kind === 'absent') return null;
  const base = main.kind === 'whole' ? main : copy.kind === 'whole' ? copy : null;
  if (!base) throw nothingToRead(paths, found);

  const { written } = base;
  const state = new MetadataSnapshots(written.state, written.weights);
  const { trail: head } = state;
  const follows = replay(state, written, journal);
  const isWhole = follows === 'whole' || follows === 'none' || follows === 'over';
  const stamp = formatMicros(clock.now()).replaceAll(':', '-');
  const aside = (ending: 'json' | 'journal', from: string) => ({
    path: join(paths.directory, asideName(stamp, ending)),
    from,
  });
  const mainAside = main.kind === 'damaged' && main.isReadable ? aside('json', paths.main) : null;
  const isJournalAside = journal.kind !== 'absent' && (follows === 'damaged' || follows === 'foreign');
  const journalAside = isJournalAside ? aside('journal', paths.journal) : null;
  return {
    state,
    generation: written.generation,
    bytes: written.bytes,
    version: written.version,
    trail: { head, lines: isReplayed(follows) ? trailIn(journal) : [] },
    journal:
      follows === 'whole' && journal.kind === 'whole'
        ? { content: journal.bytes, lines: journal.journal.changes.length }
        : null,
    isJournalOver: follows === 'over',
    isCopyBehind: copy.kind !== 'same',
    isToWrite: main.kind !== 'whole' || !written.isAsWritten || !isWhole,
    aside: [mainAside, journalAside].filter((each) => each !== null),
    notes: [
      ...notesOfMain(paths, main, written, follows, mainAside?.path),
      ...notesOfJournal(paths, journal, follows, journalAside?.path ?? ''),
    ],
  };
}

/** How a journal and the state that was read go together. */
type Follows = 'none' | 'over' | 'foreign' | 'damaged' | 'torn' | 'whole';

/** Makes the changes of the journal, where it is this writing that it continues. */
function replay(state: MetadataSnapshots, { generation }: Written, found: Found['journal']): Follows {
  if (found.kind === 'absent') return 'none';
  if (found.kind === 'damaged') return 'damaged';
  const { journal } = found;
  if (journal.generation !== generation)
    // A crash after metadata.json was written and before its first change leaves the journal before.
    return numberOf(journal.generation) < numberOf(generation) ? 'over' : 'foreign';
  for (const change of journal.changes) state.replay(change);
  return journal.rest.kind === 'nothing' ? 'whole' : journal.rest.kind;
}

const isReplayed = (follows: Follows) => follows !== 'none' && follows !== 'over' && follows !== 'foreign';

const trailIn = (found: Found['journal']) =>
  found.kind === 'whole' ? found.journal.changes.flatMap(({ trail }) => trail) : [];

function notesOfMain(
  { main: path, copy }: MetadataPaths,
  main: Found['main'],
  taken: Written,
  follows: Follows,
  aside: string | undefined,
): string[] {
  if (main.kind === 'whole') return notesOfHand(path, taken);
  const kept = aside === undefined ? 'nothing of it could be kept' : `it was kept as ${aside}`;
  const what = main.kind === 'damaged' ? `could not be read (${main.reason}); ${kept}` : 'was missing';
  const byHand = notesOfHand(copy, taken);
  const instead =
    follows !== 'whole' && follows !== 'torn'
      ? 'Its last good copy was taken instead: anything changed after that copy was made is missing.'
      : `Its last good copy and the journal that continues it were taken instead${byHand.length > 0 ? '.' : ': nothing that was confirmed is lost.'}`;
  return [`${path} ${what}. ${instead}`, ...byHand];
}

/** Of a file that can be read, and is of an earlier version, or was changed by somebody or a failing disk. */
function notesOfHand(path: string, { isAsWritten, version }: Written): string[] {
  if (version !== SCHEMA_VERSION) return [upgradeNote(path, version, SCHEMA_VERSION)];
  if (isAsWritten) return [];
  return [`${path} is not as Fieldbench wrote it. All of it could be read, and was taken as it is.`];
}

function notesOfJournal(
  { journal: path }: MetadataPaths,
  found: Found['journal'],
  follows: Follows,
  aside: string,
): string[] {
  if (found.kind === 'damaged')
    return [
      `${path} could not be read (${found.reason}); it was kept as ${aside}. ` +
        'What was changed since metadata.json was written is missing.',
    ];
  if (found.kind === 'absent') return [];
  const { rest, changes, generation } = found.journal;
  if (follows === 'foreign')
    return [
      `${path} continues another metadata.json (${generation}); it was kept as ${aside}. ` +
        `Changes it holds, which are missing: ${changes.length}.`,
    ];
  if (follows === 'torn')
    return [`${path} ended in a change that was cut off and was removed: it had not been confirmed.`];
  if (follows === 'damaged' && rest.kind === 'damaged')
    return [
      `${path} is damaged behind its change ${changes.length}; it was kept as ${aside}. ` +
        `Changes behind the damage, which are missing: ${rest.lost}.`,
    ];
  return [];
}

function nothingToRead({ main, copy, journal }: MetadataPaths, found: Found): StartError {
  const beside = found.journal.kind === 'absent' ? '' : ` ${journal} alone is not enough.`;
  return new StartError(
    'metadata-damaged',
    `Neither ${main} (${stateOf(found.main)}) nor its copy ${copy} (${stateOf(found.copy)}) can be read.${beside} ` +
      'Nothing was changed. Put one of them back from a backup, or choose another folder with --data.',
  );
}

const stateOf = (found: Found['main' | 'copy']) =>
  found.kind === 'damaged' ? found.reason : 'it is missing';
