import { useEffect } from 'react';
import { focusHeading } from './components/screen/screen.tsx';
import { KeysHelp } from './frame/shortcuts-help.tsx';
import { useDialog } from './stores/dialog.ts';
import { NewKeyDialog } from './views/api-keys/new-key-dialog.tsx';
import { RevokeKeyDialog } from './views/api-keys/revoke-key-dialog.tsx';
import { DeleteDeviceDialog, PurgeDataDialog } from './views/device/delete-dialogs.tsx';
import { EditDeviceDialog } from './views/device/edit-device-dialog.tsx';
import { ExportDialog } from './views/device/export/export-dialog.tsx';
import { ImportDialog } from './views/device/import/import-dialog.tsx';
import { RenewTokenDialog } from './views/device/renew-token-dialog.tsx';
import { NewDeviceDialog } from './views/devices/new-device-dialog.tsx';
import { DeleteProjectDialog } from './views/projects/delete-project-dialog.tsx';
import { ProjectDialog } from './views/projects/project-dialog.tsx';

/** Shows the dialog that is open, and afterwards gives the focus back to what had it. */
export function Dialogs() {
  const { open: dialog, opener } = useDialog();
  const isOpen = dialog !== null;
  useEffect(() => {
    if (isOpen || !(opener instanceof HTMLElement)) return;
    // What it acted on may be gone, and its button with it.
    if (opener.isConnected) opener.focus();
    else focusHeading();
  }, [isOpen, opener]);
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'shortcuts':
      return <KeysHelp />;
    case 'new-project':
      return <ProjectDialog />;
    case 'edit-project':
      return <ProjectDialog project={dialog.project} />;
    case 'delete-project':
      return <DeleteProjectDialog project={dialog.project} />;
    case 'new-device':
      return <NewDeviceDialog project_id={dialog.project_id} />;
    case 'edit-device':
      return <EditDeviceDialog {...dialog} />;
    case 'delete-device':
      return <DeleteDeviceDialog {...dialog} />;
    case 'purge-data':
      return <PurgeDataDialog {...dialog} />;
    case 'renew-token':
      return <RenewTokenDialog {...dialog} />;
    case 'import':
      // Files that were dropped together come one after the other, each in a dialog of its own.
      return <ImportDialog key={dialog.later.length} {...dialog} />;
    case 'export':
      return <ExportDialog {...dialog} />;
    case 'new-key':
      return <NewKeyDialog />;
    case 'revoke-key':
      return <RevokeKeyDialog apiKey={dialog.apiKey} />;
  }
}
