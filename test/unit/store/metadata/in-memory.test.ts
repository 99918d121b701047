import { systemRandom } from '#core/base/system-random.ts';
import { createMemoryDisk, MEMORY_DIRECTORY } from '#core/disk/memory/memory-disk.ts';
import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import { metadataSuite } from '../../../suites/metadata.ts';
import { clock } from './metadata-folder.ts';

metadataSuite('a folder in memory', async () => {
  const { files } = createMemoryDisk(1 << 28);
  return {
    open: () => openFolderMetadata({ directory: MEMORY_DIRECTORY, clock, chance: systemRandom, files }),
    remove: async () => {},
    lasting: true,
  };
});
