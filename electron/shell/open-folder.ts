import type { Dialog, Shell } from 'electron';

/**
 * Opens a folder where the system shows folders. Electron answers with why it could not, or "". `what` it is, as "data" for
 * its words.
 */
export async function openFolder(
  directory: string,
  what: string,
  {
    shell,
    dialog,
  }: { readonly shell: Pick<Shell, 'openPath'>; readonly dialog: Pick<Dialog, 'showMessageBox'> },
): Promise<void> {
  const reason = await shell.openPath(directory);
  if (reason === '') return;
  await dialog.showMessageBox({
    type: 'error',
    title: 'Fieldbench',
    message: `The system could not show the folder of ${what}.`,
    detail: `It is ${directory}\n\n${reason}`,
    buttons: ['OK'],
  });
}
