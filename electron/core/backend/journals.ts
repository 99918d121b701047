import { join } from 'node:path';
import { writtenAs, type Contents } from '../disk/contents.ts';
import type { Files } from '../disk/files.ts';
import { asideName, LineJournal } from '../disk/line-journal.ts';

/** The journals beside records and metadata. */
const NAMES = [
  'api-key-use',
  'chance',
  'console-sessions',
  'mqtt-alarms',
  'mqtt-sessions',
  'push-agreed',
  'restore',
  'store-check',
] as const;
export type JournalName = (typeof NAMES)[number];

const fileOf = (name: JournalName) => `${name}.journal`;

/** The journals of a data directory. */
export const journalsOf =
  (directory: string, files: Files) =>
  (name: JournalName, version: number): LineJournal =>
    new LineJournal({ path: join(directory, fileOf(name)), files, word: `fieldbench-${name}`, version });

/** Whether one of them has a file of this name, or what was set aside of one. */
export const isJournalFile: Contents['isFile'] = writtenAs(
  ...NAMES.map(fileOf).flatMap((file) => [file, asideName(file)]),
);
