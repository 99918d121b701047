import { create } from 'zustand';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import type { CorrectionKind, View as ReadView } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { KeptDelete } from '#shared/operations/metadata/undo.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { OtherService } from '#shared/operations/service/other-services.ts';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { LocalProject } from '#shared/operations/metadata/projects.ts';
import type { View } from '#shared/operations/metadata/views.ts';
import type { WidgetPlace } from '#shared/domain/dashboard.ts';
import type { ApiKey, Device, DeviceFunction, Project, Widget } from '#shared/schema/schemas.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Zone } from '../time.ts';

interface OfDevice {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
}

/** The records of a stretch of time, in µs; both ends belong to it. */
interface OfSpan {
  readonly span: { readonly from: Micros; readonly to: Micros };
}

interface OfDevices {
  readonly project_id: string;
  readonly devices: readonly FoundDevice[];
}

/** A correction that is made, or changed. */
export interface ToCorrect extends OfDevice {
  readonly what: CorrectionKind;
  /** By which times are written and read. */
  readonly zone: Zone;
  /** What was selected in a view; absent: nothing. */
  readonly selected?: OfSpan & { readonly view: ReadView };
  /** Keys that are shown. */
  readonly keys?: readonly string[];
  /** By how much the span was moved on the chart, µs. */
  readonly shift_us?: Micros;
  /** The correction that is changed; absent: a new one. */
  readonly correction?: ShownCorrection;
}

/** A correction that is to be removed. */
export interface OfCorrection {
  readonly project_id: string;
  readonly correction: ShownCorrection;
  /** What it says, in a line. */
  readonly line: string;
}

/** The dialog that is open: one at most, from any screen or the palette. */
export type OpenDialog =
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'new-project' }
  | { readonly kind: 'edit-project'; readonly project: LocalProject }
  | { readonly kind: 'delete-project'; readonly project: Project }
  | { readonly kind: 'new-device' | 'new-devices'; readonly project_id: string }
  | { readonly kind: 'clone-device'; readonly project_id: string; readonly device: FoundDevice }
  | ({ readonly kind: 'tag-devices' | 'export-devices' | 'move-devices' } & OfDevices)
  | ({ readonly kind: 'remove-devices'; readonly what: 'data' | 'devices' } & OfDevices)
  | { readonly kind: 'edit-device'; readonly project_id: string; readonly device: Device }
  | ({ readonly kind: 'delete-device' } & OfDevice)
  | ({ readonly kind: 'purge-data' } & OfDevice)
  | ({ readonly kind: 'renew-token' } & OfDevice)
  | ({ readonly kind: 'simulate' } & OfDevice)
  | ({ readonly kind: 'export' } & OfDevice & Partial<OfSpan> & { readonly keys?: readonly string[] })
  | ({
      readonly kind: 'hand-over';
      readonly project_id: string;
      readonly devices: readonly Pick<Device, 'id' | 'name'>[];
    } & Partial<OfSpan>)
  | ({ readonly kind: 'delete-records'; readonly records: number } & OfDevice & OfSpan)
  | ({ readonly kind: 'delete-found'; readonly records: number; readonly what: string } & OfDevice & OfSpan)
  | { readonly kind: 'save-view'; readonly address: string; readonly name: string; readonly view?: View }
  | {
      readonly kind: 'note';
      readonly project_id: string;
      readonly device_id: string;
      /** µs, of a view; a null end is an instant. */
      readonly start: Micros;
      readonly end: Micros | null;
      readonly view: ReadView;
      readonly text?: string;
      readonly note?: Note;
    }
  | ({ readonly kind: 'correct' } & ToCorrect)
  | ({ readonly kind: 'remove-correction' } & OfCorrection)
  | {
      readonly kind: 'decode-again';
      readonly decoder: DeviceFunction;
      /** Name of the device. */
      readonly device: string;
      readonly zone: Zone;
    }
  | { readonly kind: 'acknowledge'; readonly alarms: readonly Alarm[] }
  | {
      readonly kind: 'silence-rule';
      readonly rule: Pick<DeviceFunction, 'project_id' | 'id' | 'name' | 'silenced_until'>;
    }
  | {
      readonly kind: 'widget';
      readonly project_id: string;
      /** The widget that is changed; absent: a new one. */
      readonly widget?: Widget;
      /** Place of a new one, by its type. */
      readonly placeOf: (type: string) => WidgetPlace;
    }
  | { readonly kind: 'import-widgets'; readonly project_id: string; readonly file: File }
  | { readonly kind: 'discard-delete'; readonly kept: KeptDelete }
  | { readonly kind: 'other-service'; readonly service?: OtherService }
  | { readonly kind: 'remove-other-service'; readonly service: OtherService }
  | { readonly kind: 'open-network' }
  | { readonly kind: 'back-up-secrets' }
  | { readonly kind: 'restore-backup'; readonly file: File }
  | { readonly kind: 'new-key' }
  | { readonly kind: 'revoke-key'; readonly apiKey: ApiKey };

interface DialogState {
  readonly open: OpenDialog | null;
  /** Element focused before the dialog, which gets the focus back. */
  readonly opener: Element | null;
}

export const useDialog = create<DialogState>(() => ({ open: null, opener: null }));

export function openDialog(open: OpenDialog): void {
  useDialog.setState((before) => ({ open, opener: before.open ? before.opener : focused() }));
}

export function closeDialog(): void {
  useDialog.setState({ open: null });
}

/** Returns the focused element; for an item of a menu, which goes away with it, the menu's button. */
function focused(): Element | null {
  const menu = document.activeElement?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : document.activeElement;
}
