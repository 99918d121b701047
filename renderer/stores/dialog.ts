import { create } from 'zustand';
import type { ApiKey, Device, Project } from '#shared/schemas.ts';

interface OfDevice {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
}

/** The dialog that is open: one at most, from any screen or the palette. */
export type OpenDialog =
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'new-project' }
  | { readonly kind: 'edit-project'; readonly project: Project }
  | { readonly kind: 'delete-project'; readonly project: Project }
  | { readonly kind: 'new-device'; readonly project_id: string }
  | { readonly kind: 'edit-device'; readonly project_id: string; readonly device: Device }
  | ({ readonly kind: 'delete-device' } & OfDevice)
  | ({ readonly kind: 'purge-data' } & OfDevice)
  | ({ readonly kind: 'renew-token' } & OfDevice)
  | ({ readonly kind: 'import'; readonly file: File; readonly later: readonly File[] } & OfDevice)
  | ({ readonly kind: 'export' } & OfDevice)
  | { readonly kind: 'new-key' }
  | { readonly kind: 'revoke-key'; readonly apiKey: ApiKey };

interface DialogState {
  readonly open: OpenDialog | null;
  /** What had the focus before the dialog, and gets it back. */
  readonly opener: Element | null;
}

export const useDialog = create<DialogState>(() => ({ open: null, opener: null }));

export function openDialog(open: OpenDialog): void {
  useDialog.setState((before) => ({ open, opener: before.open ? before.opener : focused() }));
}

export function closeDialog(): void {
  useDialog.setState({ open: null });
}

/** What has the focus; for an item of a menu, which goes away with it, the menu's button. */
function focused(): Element | null {
  const menu = document.activeElement?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : document.activeElement;
}
