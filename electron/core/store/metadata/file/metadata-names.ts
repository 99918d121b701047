import { join } from 'node:path';
import { writtenAs } from '../../../disk/contents.ts';
import type { MetadataPaths } from './find-metadata.ts';

const MAIN = 'metadata.json';
const COPY = 'metadata.last-good.json';
const JOURNAL = 'metadata.journal';
const ASIDE = /^metadata\.damaged-[\w.-]+\.(json|journal)(\.tmp)?$/;

export const metadataPaths = (directory: string): MetadataPaths => ({
  directory,
  main: join(directory, MAIN),
  copy: join(directory, COPY),
  journal: join(directory, JOURNAL),
});

/** Returns the name for a damaged one. `stamp`: when it was found, without colons. */
export const asideName = (stamp: string, ending: 'json' | 'journal') => `metadata.damaged-${stamp}.${ending}`;

/** Whether it is one of the files that hold the metadata. */
export const isMetadata = (name: string) => [MAIN, COPY, JOURNAL].includes(name);

const isWritten = writtenAs(MAIN, COPY, JOURNAL);

/** Whether the metadata's files have this name, or what was set aside of one. */
export const isMetadataFile = (name: string) => isWritten(name) || ASIDE.test(name);
