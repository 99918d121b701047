import { createMemoryMetadata } from '../../helpers/store/memory-metadata.ts';
import { metadataSuite } from '../../suites/metadata.ts';

metadataSuite('memory model', async () => ({
  open: async () => createMemoryMetadata(),
  remove: async () => {},
  lasting: false,
}));
