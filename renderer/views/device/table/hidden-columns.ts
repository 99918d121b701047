import { useState } from 'react';

const placeOf = (device_id: string) => `table-hidden ${device_id}`;
/** Keys that are remembered: a browser keeps little. */
const MOST_KEYS = 500;

/** The columns of a device's table that are not shown, remembered in this browser. */
export function useHiddenColumns(
  device_id: string,
): [ReadonlySet<string>, (hidden: readonly string[]) => void] {
  const [hidden, setHidden] = useState(() => new Set(read(device_id)));
  const hide = (next: readonly string[]) => {
    setHidden(new Set(next));
    if (next.length === 0) window.localStorage.removeItem(placeOf(device_id));
    // Keys hold no comma.
    else window.localStorage.setItem(placeOf(device_id), next.slice(0, MOST_KEYS).join(','));
  };
  return [hidden, hide];
}

function read(device_id: string): readonly string[] {
  return (window.localStorage.getItem(placeOf(device_id)) ?? '').split(',').filter(Boolean);
}
