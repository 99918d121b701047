import { app, dialog } from 'electron';
import { explain } from '#core/errors.ts';

/** Says why there is no app, with the stack only of what nobody expected, and ends it. */
export function showFailure(error: unknown): void {
  dialog.showErrorBox('Fieldbench cannot start', explain(error));
  app.exit(1);
}
