import { StoreError } from '../base/errors.ts';

/** Begins anew as often as something turned out to be damaged, which is left out then. */
export async function undamaged(work: () => Promise<void>): Promise<void> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'damaged')) throw error;
    }
}
