import { getHotkeyHandler } from '@mantine/hooks';
import {
  IconActivity,
  IconAdjustmentsCheck,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconFlag,
  IconMaximize,
  IconTrash,
  IconZoomIn,
  IconZoomInArea,
  IconZoomOut,
  IconZoomReset,
} from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { useShortcuts } from '../../components/screen/use-shortcuts.ts';
import { useActions, type Action } from '../../stores/actions.ts';

/** Of an arrow key, as a share of what is seen. */
export const PAN_STEP = 0.2;

type Act = () => void;

interface ChartActions {
  readonly pan: (by: -1 | 1) => void;
  readonly closer: Act;
  readonly farther: Act;
  readonly all: Act;
  readonly fullScreen: Act;
  readonly back: Act | null;
  readonly forward: Act | null;
  /** What only the chart of one device does. Its keys count wherever they mean nothing else. */
  readonly ofDevice?: DeviceActions;
}

interface DeviceActions {
  readonly step: (to: -1 | 1 | 'first' | 'last') => void;
  readonly mark: (name: 'a' | 'b') => void;
  readonly nextNote: Act;
  /** Follows what comes in, or stops that. */
  readonly follow: Act;
  /** Selects what lies between the marks. */
  readonly selectMarks: Act;
  readonly extend: (by: -1 | 1) => void;
  readonly zoomSelection: Act | null;
  readonly deleteSelection: Act | null;
  /** What can be put right of the selection; none without one. */
  readonly correctSelection: readonly { readonly label: string; readonly run: Act }[];
  /** Drops the selection, or the cursor. */
  readonly drop: Act | null;
}

/** The keys of a chart, and what the palette offers for it. What is returned is for its frame. */
export function useChartKeyboard(actions: ChartActions): (event: KeyboardEvent<HTMLElement>) => void {
  const { pan, closer, farther, all, fullScreen, ofDevice } = actions;
  const looking: Readonly<Record<string, Act>> = {
    ArrowLeft: () => pan(-1),
    ArrowRight: () => pan(1),
    // Layouts differ in whether "+" needs Shift.
    plus: closer,
    'shift+plus': closer,
    minus: farther,
    '0': all,
  };
  useShortcuts({ f: fullScreen, ...(ofDevice && { ...looking, ...shortcutsOf(ofDevice) }) });
  useActions(ofDevice ? offersOf(actions, ofDevice) : NO_ACTIONS);
  const look = getHotkeyHandler(ofDevice ? [] : Object.entries(looking));
  return (event) => {
    const act = ownKey(event, actions);
    if (!act) return look(event);
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

const NO_ACTIONS: readonly Action[] = [];

function shortcutsOf(device: DeviceActions): Readonly<Record<string, Act>> {
  return {
    ',': () => device.step(-1),
    '.': () => device.step(1),
    a: () => device.mark('a'),
    b: () => device.mark('b'),
    m: device.nextNote,
    l: device.follow,
    s: device.selectMarks,
    'shift+ArrowLeft': () => device.extend(-1),
    'shift+ArrowRight': () => device.extend(1),
  };
}

function offersOf(actions: ChartActions, device: DeviceActions): Action[] {
  return [
    { label: 'Look closer', icon: IconZoomIn, run: actions.closer },
    { label: 'Look from farther', icon: IconZoomOut, run: actions.farther },
    { label: 'Show the whole span', icon: IconZoomReset, run: actions.all },
    ...offered('Back to what was shown before', IconArrowBackUp, actions.back),
    ...offered('Forward again', IconArrowForwardUp, actions.forward),
    { label: 'Follow what comes in', icon: IconActivity, run: device.follow },
    { label: 'Full screen', icon: IconMaximize, run: actions.fullScreen },
    { label: 'Go to the next note', icon: IconFlag, run: device.nextNote },
    ...offered('Zoom to the selection', IconZoomInArea, device.zoomSelection),
    ...device.correctSelection.map((act) => ({ ...act, icon: IconAdjustmentsCheck })),
    ...offered('Delete the selected records…', IconTrash, device.deleteSelection),
  ];
}

function offered(label: string, icon: NonNullable<Action['icon']>, run: Act | null): Action[] {
  return run === null ? [] : [{ label, icon, run }];
}

/** A key that means something elsewhere, and counts only where the chart has the focus; null where it has no use for it. */
function ownKey(event: KeyboardEvent<HTMLElement>, { back, forward, ofDevice }: ChartActions): Act | null {
  const { key, altKey, ctrlKey, metaKey, target } = event;
  if (ctrlKey || metaKey) return null;
  const isAlt = (name: string) => altKey && key === name;
  if (key === 'Backspace' || isAlt('ArrowLeft')) return back;
  if (isAlt('ArrowRight')) return forward;
  if (altKey || !ofDevice) return null;
  if (key === 'Escape') return ofDevice.drop;
  if (key === 'Home') return () => ofDevice.step('first');
  if (key === 'End') return () => ofDevice.step('last');
  // A button does what it says.
  if (target instanceof Element && target.closest('button')) return null;
  if (key === ' ') return ofDevice.follow;
  if (key === 'Enter') return ofDevice.zoomSelection;
  return key === 'Delete' ? ofDevice.deleteSelection : null;
}
