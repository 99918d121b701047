import { useEffect, useId, type ComponentType } from 'react';
import type { OperationId } from '#shared/operations/index.ts';
import { may } from '../bridge/distant.ts';
import { useDialog } from './dialog.ts';
import { paletteStore } from './palette.ts';

/** Action of the present screen: listed in the palette, run by its key, named by the help of keys. */
export interface Action {
  /** As on its button: "Export…". */
  readonly label: string;
  readonly icon?: ComponentType<{ size?: number }>;
  /** Subject, where that is not plain: a device's name. */
  readonly description?: string;
  /** "n", "[", "mod+b", "mod+shift+z": Ctrl, on a Mac ⌘. What the key writes counts, wherever a layout has it. */
  readonly shortcut?: string;
  /** Another key for the same, for those who know it from elsewhere. */
  readonly also?: string;
  /** Only a key, for the help of keys: in the palette it would be of no use. */
  readonly keyOnly?: boolean;
  /** Where the service has it not, or lets this window not do it, it is not offered. */
  readonly needs?: OperationId;
  readonly run: () => void;
}

/** Registered actions, by owner: read when needed, without a new drawing. */
const registered = new Map<string, { readonly actions: readonly Action[]; readonly reach: Reach }>();

/** Whether something can be done on this screen, in this project or everywhere: the nearest comes first. */
const REACHES = ['here', 'project', 'everywhere'] as const;
type Reach = (typeof REACHES)[number];

/** Offers what can be done as long as the component is mounted; of two with one key this screen's has it. */
export function useActions(actions: readonly Action[], reach: Reach = 'here'): void {
  const own = useId();
  useEffect(() => {
    // In its place again: what was offered first stays first.
    registered.set(own, { actions, reach });
  });
  useEffect(() => () => void registered.delete(own), [own]);
}

/** Returns the present actions, the nearest first. */
export function currentActions(): readonly Action[] {
  const all = [...registered.values()].toSorted(
    (a, b) => REACHES.indexOf(a.reach) - REACHES.indexOf(b.reach),
  );
  return all.flatMap(({ actions }) => actions.filter(({ needs }) => needs === undefined || may(needs)));
}

/** Elements that use every key while focused. */
const OWN_KEYS = '[role="dialog"], [role="menu"], [role="listbox"]';

/**
 * Returns whether a pressed key is for something over the screen. A dialog and the palette have the keys from the moment they are asked
 * for: what gets the focus may be drawn later, as its code has not come or the machine is busy.
 */
export function isOverScreen({ target }: KeyboardEvent): boolean {
  if (useDialog.getState().open !== null || paletteStore.getState().opened) return true;
  return target instanceof Element && target.closest(OWN_KEYS) !== null;
}

/** Returns the present action of a pressed key; null: none. */
export function actionOf(event: KeyboardEvent): Action | null {
  return (
    currentActions().find(({ shortcut, also }) =>
      [shortcut, also].some((keys) => keys !== undefined && isPressed(keys, event)),
    ) ?? null
  );
}

function isPressed(shortcut: string, event: KeyboardEvent): boolean {
  const withMod = shortcut.startsWith('mod+');
  const withShift = shortcut.startsWith('mod+shift+');
  const name = shortcut.replace(/^mod\+(shift\+)?/, '');
  if (event.key.toLowerCase() !== name) return false;
  // Where a layout writes "[" with AltGr, that looks like Ctrl and Alt together.
  if (!withMod && event.getModifierState('AltGraph')) return true;
  // With Shift, Ctrl means something else: what was undone comes back.
  if (withMod && event.shiftKey !== withShift) return false;
  return (event.ctrlKey || event.metaKey) === withMod && !event.altKey;
}

/** A shortcut's keys, as they are written on a keyboard: "Ctrl", "B". */
export function keysOf(shortcut: string): readonly string[] {
  const keys = shortcut.split(/(?<=.)\+/);
  return keys.map((key) => (key === 'mod' ? 'Ctrl' : key.charAt(0).toUpperCase() + key.slice(1)));
}
