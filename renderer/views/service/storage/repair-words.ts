import type { Storage } from '#shared/operations/service/storage.ts';

type Repair = Storage['repaired'][number]['kind'];

/** Meanings of repairs for the keeper of the data, and whether they need an act. */
export const MEANINGS: Readonly<Record<Repair, { readonly title: string; readonly means: string }>> = {
  'torn-tail': {
    title: 'A write was cut off',
    means: 'The machine or the service stopped while it wrote. What was acknowledged is all there.',
  },
  damaged: {
    title: 'Something on the disk was damaged',
    means:
      'The disk gave back other bytes than were written. What cannot be read is set aside, the rest is whole. Look after the disk, and have a backup.',
  },
  'finished-purge': {
    title: 'A purge was finished',
    means: 'The service was stopped in the middle of it. Nothing is to be done.',
  },
  'stale-file': {
    title: 'Left-over files were removed',
    means: 'A crash left them behind; no record was in them that is not elsewhere. Nothing is to be done.',
  },
  stuck: {
    title: 'Records could not be moved to their place',
    means: 'They are safe in the log and are tried again. Look whether the disk is full or read-only.',
  },
  upgraded: {
    title: 'A file was brought to the format of this version',
    means:
      'The version that wrote it refuses the data from now on. To go back, put a copy of the data directory from before in its place.',
  },
};
