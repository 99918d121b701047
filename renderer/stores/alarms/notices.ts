import { create } from 'zustand';
import { keep, readKept } from '../kept.ts';

/* Notifications of the desktop and the sound of alarms that are raised while this window is open. */

/** Whether this window may notify; `insecure`: browsers let no page without TLS do so. */
export type Allowed = NotificationPermission | 'insecure';

const SOUND = 'alarm-sound';
const OFF = 'off';

interface Notices {
  readonly allowed: Allowed;
  readonly hasSound: boolean;
}

export const useNotices = create<Notices>(() => ({
  allowed: allowedNow(),
  hasSound: readKept(SOUND) !== OFF,
}));

function allowedNow(): Allowed {
  return window.isSecureContext && 'Notification' in window ? Notification.permission : 'insecure';
}

/** Asks for leave to notify, which browsers grant at a click alone. */
export async function askToNotify(): Promise<void> {
  if (allowedNow() !== 'insecure') await Notification.requestPermission();
  useNotices.setState({ allowed: allowedNow() });
}

export function switchSound(hasSound: boolean): void {
  keep(SOUND, hasSound ? '' : OFF);
  useNotices.setState({ hasSound });
}
