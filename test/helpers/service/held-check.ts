import { openFolder } from '#core/folder/open-folder.ts';

/** Opens a folder whose records are not checked before `held` resolves. */
export const openWithHeldCheck =
  (held: Promise<void>): typeof openFolder =>
  async (options) => {
    const backend = await openFolder(options);
    const { records } = backend;
    const check = records.check.bind(records);
    records.check = async (...of) => {
      await held;
      return check(...of);
    };
    return backend;
  };
