import { StoreError } from '../base/errors.ts';

/**
 * Poison after an unconfirmed write: from then on the contents of the disk are unknown, and a retry would only seem to help:
 * the kernel may have dropped the pages (Rebello et al., USENIX ATC 2020). Nothing more is stored.
 */
export class Poison {
  reason: StoreError | null = null;

  by(cause: unknown): StoreError {
    // The folder is another's by now: that says more than what came of it.
    if (cause instanceof StoreError && cause.code === 'poisoned') this.reason ??= cause;
    return (this.reason ??= new StoreError(
      'poisoned',
      'The disk did not confirm what was written, so nothing more is stored until the service is restarted. ' +
        'Records acknowledged before are safe; check the disk.',
      { cause },
    ));
  }
}
