import { useEffect, useRef } from 'react';
import { placeOf, standingAt, type Place } from './components/screen/place.ts';
import { focusHeading } from './components/screen/screen.tsx';
import { later } from './later.tsx';
import { useDialog } from './stores/dialog.ts';

const KeysHelp = later(async () => (await import('./frame/shortcuts-help.tsx')).KeysHelp);
const NewKeyDialog = later(async () => (await import('./views/api-keys/new-key-dialog.tsx')).NewKeyDialog);
const RevokeKeyDialog = later(
  async () => (await import('./views/api-keys/revoke-key-dialog.tsx')).RevokeKeyDialog,
);
const DeleteDeviceDialog = later(
  async () => (await import('./views/device/delete-dialogs.tsx')).DeleteDeviceDialog,
);
const PurgeDataDialog = later(
  async () => (await import('./views/device/delete-dialogs.tsx')).PurgeDataDialog,
);
const DeleteRecordsDialog = later(
  async () => (await import('./views/device/delete-records-dialog.tsx')).DeleteRecordsDialog,
);
const DiscardDialog = later(async () => (await import('./views/deleted/discard-dialog.tsx')).DiscardDialog);
const EditDeviceDialog = later(
  async () => (await import('./views/device/edit-device-dialog.tsx')).EditDeviceDialog,
);
const ExportDialog = later(
  async () => (await import('./views/device/export/export-dialog.tsx')).ExportDialog,
);
const HandOverDialog = later(async () => (await import('./export/hand-over-dialog.tsx')).HandOverDialog);
const RenewTokenDialog = later(
  async () => (await import('./views/device/renew-token-dialog.tsx')).RenewTokenDialog,
);
const SimulateDialog = later(
  async () => (await import('./views/device/simulate/simulate-dialog.tsx')).SimulateDialog,
);
const NewDeviceDialog = later(
  async () => (await import('./views/devices/new/new-device-dialog.tsx')).NewDeviceDialog,
);
const CloneDeviceDialog = later(
  async () => (await import('./views/devices/new/clone-device-dialog.tsx')).CloneDeviceDialog,
);
const NewDevicesDialog = later(
  async () => (await import('./views/devices/new/new-devices-dialog.tsx')).NewDevicesDialog,
);
const TagDialog = later(async () => (await import('./views/devices/bulk/tag-dialog.tsx')).TagDialog);
const MoveDialog = later(async () => (await import('./views/devices/bulk/move-dialog.tsx')).MoveDialog);
const RemoveDialog = later(async () => (await import('./views/devices/bulk/remove-dialog.tsx')).RemoveDialog);
const ExportDevicesDialog = later(
  async () => (await import('./views/devices/bulk/export-dialog.tsx')).ExportDevicesDialog,
);
const DeleteProjectDialog = later(
  async () => (await import('./views/projects/delete-project-dialog.tsx')).DeleteProjectDialog,
);
const ProjectDialog = later(async () => (await import('./views/projects/project-dialog.tsx')).ProjectDialog);

const DeleteFoundDialog = later(
  async () => (await import('./views/device/times/delete-found-dialog.tsx')).DeleteFoundDialog,
);
const SaveViewDialog = later(async () => (await import('./views/saved/save-view-dialog.tsx')).SaveViewDialog);
const CorrectDialog = later(
  async () => (await import('./views/device/corrections/dialogs/correct-dialog.tsx')).CorrectDialog,
);
const RemoveCorrectionDialog = later(
  async () =>
    (await import('./views/device/corrections/dialogs/remove-correction-dialog.tsx')).RemoveCorrectionDialog,
);
const DecodeAgainDialog = later(
  async () => (await import('./views/device/decoder/decode-again-dialog.tsx')).DecodeAgainDialog,
);
const AcknowledgeDialog = later(
  async () => (await import('./views/alarms/acknowledge-dialog.tsx')).AcknowledgeDialog,
);
const SilenceDialog = later(async () => (await import('./rules/silence-dialog.tsx')).SilenceDialog);
const NoteDialog = later(async () => (await import('./views/device/notes/note-dialog.tsx')).NoteDialog);

const ServiceDialog = later(
  async () => (await import('./views/other-services/service-dialog.tsx')).ServiceDialog,
);
const RemoveServiceDialog = later(
  async () => (await import('./views/other-services/remove-service-dialog.tsx')).RemoveServiceDialog,
);

const OpenNetworkDialog = later(
  async () => (await import('./views/service/doors/open-network-dialog.tsx')).OpenNetworkDialog,
);

const BackUpSecretsDialog = later(
  async () => (await import('./views/service/storage/back-up-secrets-dialog.tsx')).BackUpSecretsDialog,
);
const RestoreDialog = later(
  async () => (await import('./views/service/storage/restore-dialog.tsx')).RestoreDialog,
);

const WidgetDialog = later(
  async () => (await import('./views/dashboard/dialogs/widget-dialog.tsx')).WidgetDialog,
);
const ImportWidgetsDialog = later(
  async () => (await import('./views/dashboard/dialogs/import-widgets-dialog.tsx')).ImportWidgetsDialog,
);

/** Shows the dialog that is open, and afterwards gives the focus back to what had it. */
export function Dialogs() {
  const { open: dialog, opener } = useDialog();
  const isOpen = dialog !== null;
  const stood = useRef<{
    readonly place: Place | null;
    /** Keyboard region around the opener: a chart. */
    readonly around: HTMLElement | null;
    readonly screen: string;
  }>(null);
  useEffect(() => {
    if (!(opener instanceof HTMLElement)) return;
    if (isOpen) {
      stood.current = {
        place: placeOf(opener),
        around: opener.parentElement?.closest<HTMLElement>('[role="group"][tabindex="0"]') ?? null,
        screen: window.location.hash,
      };
      return;
    }
    if (opener.isConnected) {
      opener.focus();
      return;
    }
    // What it acted on is gone, its button with it, and perhaps the whole screen.
    const isHere = stood.current?.screen === window.location.hash;
    const around = stood.current?.around;
    if (isHere && around?.isConnected) {
      around.focus({ preventScroll: true });
      return;
    }
    const next = isHere && stood.current?.place ? standingAt(stood.current.place) : null;
    if (next) next.focus({ preventScroll: true });
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
    case 'new-devices':
      return <NewDevicesDialog project_id={dialog.project_id} />;
    case 'clone-device':
      return <CloneDeviceDialog {...dialog} />;
    case 'tag-devices':
      return <TagDialog {...dialog} />;
    case 'move-devices':
      return <MoveDialog {...dialog} />;
    case 'hand-over':
      return <HandOverDialog {...dialog} />;
    case 'export-devices':
      return <ExportDevicesDialog {...dialog} />;
    case 'remove-devices':
      return <RemoveDialog {...dialog} />;
    case 'edit-device':
      return <EditDeviceDialog {...dialog} />;
    case 'delete-device':
      return <DeleteDeviceDialog {...dialog} />;
    case 'purge-data':
      return <PurgeDataDialog {...dialog} />;
    case 'delete-records':
      return <DeleteRecordsDialog {...dialog} />;
    case 'renew-token':
      return <RenewTokenDialog {...dialog} />;
    case 'simulate':
      return <SimulateDialog {...dialog} />;
    case 'export':
      return <ExportDialog {...dialog} />;
    case 'delete-found':
      return <DeleteFoundDialog {...dialog} />;
    case 'save-view':
      return <SaveViewDialog {...dialog} />;
    case 'note':
      return <NoteDialog {...dialog} />;
    case 'correct':
      return <CorrectDialog {...dialog} />;
    case 'remove-correction':
      return <RemoveCorrectionDialog {...dialog} />;
    case 'decode-again':
      return <DecodeAgainDialog {...dialog} />;
    case 'acknowledge':
      return <AcknowledgeDialog alarms={dialog.alarms} />;
    case 'silence-rule':
      return <SilenceDialog rule={dialog.rule} />;
    case 'other-service':
      return <ServiceDialog {...(dialog.service && { service: dialog.service })} />;
    case 'remove-other-service':
      return <RemoveServiceDialog service={dialog.service} />;
    case 'open-network':
      return <OpenNetworkDialog />;
    case 'back-up-secrets':
      return <BackUpSecretsDialog />;
    case 'restore-backup':
      return <RestoreDialog file={dialog.file} />;
    case 'widget':
      return <WidgetDialog {...dialog} />;
    case 'import-widgets':
      return <ImportWidgetsDialog {...dialog} />;
    case 'new-key':
      return <NewKeyDialog />;
    case 'discard-delete':
      return <DiscardDialog kept={dialog.kept} />;
    case 'revoke-key':
      return <RevokeKeyDialog apiKey={dialog.apiKey} />;
  }
}
