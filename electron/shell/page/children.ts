import type { Details } from 'electron';
import type { Logger } from '#core/base/logger.ts';
import { ISOLATE_NAME } from '../isolates.ts';

/** Logs the end of Chromium's other processes: after that of the one that draws, a window may stay black. */
export function tellOfChildren(
  app: { on(event: 'child-process-gone', listener: (event: unknown, details: Details) => void): unknown },
  log: Pick<Logger, 'warn'>,
): void {
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    // The service tells of these itself, and kills them.
    if (reason !== 'clean-exit' && name !== ISOLATE_NAME)
      log.warn(`Chromium's process "${name ?? type}" (${type}) ended: ${reason}, exit code ${exitCode}.`);
  });
}
