import { app, dialog } from 'electron';
import { UsageError } from '#core/cli/flags.ts';
import { StartError, StoreError, VaultError } from '#core/errors.ts';

const EXPECTED = [UsageError, StartError, VaultError, StoreError];

/** Says why there is no app, with the stack only of what nobody expected, and ends it. */
export function showFailure(error: unknown): void {
  dialog.showErrorBox('Fieldbench cannot start', textOf(error));
  app.exit(1);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  return isExpected ? error.message : (error.stack ?? error.message);
}
