import type { Dialog, Shell } from 'electron';

/** Opens the data directory where the system shows folders. Electron answers with why it could not, or "". */
export async function openData(
  directory: string,
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
    message: 'The system could not show the data folder.',
    detail: `It is ${directory}\n\n${reason}`,
    buttons: ['OK'],
  });
}
