import {
  IconActivity,
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
import { useShortcuts } from '../../../components/screen/use-shortcuts.ts';
import { useActions, type Action } from '../../../stores/actions.ts';

interface Actions {
  readonly pan: (by: -1 | 1) => void;
  readonly closer: () => void;
  readonly farther: () => void;
  readonly all: () => void;
  readonly step: (to: -1 | 1 | 'first' | 'last') => void;
  readonly mark: (name: 'a' | 'b') => void;
  readonly nextNote: () => void;
  /** Follows what comes in, or stops that. */
  readonly follow: () => void;
  readonly fullScreen: () => void;
  /** Selects what lies between the marks. */
  readonly selectMarks: () => void;
  readonly extend: (by: -1 | 1) => void;
  readonly back: (() => void) | null;
  readonly forward: (() => void) | null;
  readonly zoomSelection: (() => void) | null;
  readonly deleteSelection: (() => void) | null;
  /** Drops the selection, or the cursor. */
  readonly drop: (() => void) | null;
}

/**
 * The keys of a chart. Those that mean something elsewhere count only where the chart has the focus: what is returned is
 * for its frame.
 */
export function useChartKeyboard(actions: Actions): (event: KeyboardEvent) => void {
  useShortcuts({
    ArrowLeft: () => actions.pan(-1),
    ArrowRight: () => actions.pan(1),
    // Layouts differ in whether "+" needs Shift.
    plus: actions.closer,
    'shift+plus': actions.closer,
    minus: actions.farther,
    '0': actions.all,
    ',': () => actions.step(-1),
    '.': () => actions.step(1),
    a: () => actions.mark('a'),
    b: () => actions.mark('b'),
    m: actions.nextNote,
    l: actions.follow,
    f: actions.fullScreen,
    s: actions.selectMarks,
    'shift+ArrowLeft': () => actions.extend(-1),
    'shift+ArrowRight': () => actions.extend(1),
  });
  useActions([
    { label: 'Look closer', icon: IconZoomIn, run: actions.closer },
    { label: 'Look from farther', icon: IconZoomOut, run: actions.farther },
    { label: 'Show the whole span', icon: IconZoomReset, run: actions.all },
    ...offered('Back to what was shown before', IconArrowBackUp, actions.back),
    ...offered('Forward again', IconArrowForwardUp, actions.forward),
    { label: 'Follow what comes in', icon: IconActivity, run: actions.follow },
    { label: 'Full screen', icon: IconMaximize, run: actions.fullScreen },
    { label: 'Go to the next note', icon: IconFlag, run: actions.nextNote },
    ...offered('Zoom to the selection', IconZoomInArea, actions.zoomSelection),
    ...offered('Delete the selected records…', IconTrash, actions.deleteSelection),
  ]);
  return (event) => {
    const act = ownKey(event, actions);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

function offered(label: string, icon: NonNullable<Action['icon']>, run: (() => void) | null): Action[] {
  return run === null ? [] : [{ label, icon, run }];
}

function ownKey(event: KeyboardEvent, actions: Actions): (() => void) | null {
  const { key, altKey, ctrlKey, metaKey, target } = event;
  if (ctrlKey || metaKey) return null;
  const isAlt = (name: string) => altKey && key === name;
  if (key === 'Backspace' || isAlt('ArrowLeft')) return actions.back;
  if (isAlt('ArrowRight')) return actions.forward;
  if (altKey) return null;
  if (key === 'Escape') return actions.drop;
  if (key === 'Home') return () => actions.step('first');
  if (key === 'End') return () => actions.step('last');
  // A button does what it says.
  if (target instanceof Element && target.closest('button')) return null;
  if (key === ' ') return actions.follow;
  if (key === 'Enter') return actions.zoomSelection;
  return key === 'Delete' ? actions.deleteSelection : null;
}
