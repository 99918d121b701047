import { useMemo } from 'react';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { useBooleansApartOfEach } from '../../../chart/states/use-booleans.ts';
import type { Compared } from '../../../chart/compare/compared.ts';
import type { LiveSource } from '../../../stores/dashboard/live-groups.ts';
import { summaries } from '../../../stores/dashboard/summaries.ts';
import { deviceKey } from '../../../stores/devices.ts';
import { useLive } from '../live/dashboard-live.ts';
import type { Live } from '../live/live-store.ts';

/** A summary with keys that came first behind it. */
function withKeys(summary: DeviceSummary, lives: readonly (readonly [LiveSource, Live])[]): DeviceSummary {
  const more = lives.flatMap(([{ key }, { value }]) => {
    const numeric = Number(typeof value?.value === 'number' || typeof value?.value === 'boolean');
    const known = summary.keys.find((one) => one.key === key);
    const isKnown = known !== undefined && (numeric === 0 || known.numeric > 0);
    return value === null || isKnown ? [] : [{ key, count: 1, numeric }];
  });
  if (more.length === 0) return summary;
  const names = new Set(more.map(({ key }) => key));
  return { ...summary, keys: [...summary.keys.filter(({ key }) => !names.has(key)), ...more] };
}

/** Whether two say the same of a device, whatever it has stored since. */
const hasSameFacts = (one: Live, other: Live): boolean =>
  one.isKnown === other.isKnown &&
  one.error === other.error &&
  one.device?.name === other.device?.name &&
  typeof one.value?.value === typeof other.value?.value;

interface DevicesOfWidget {
  /** Those whose data are known, with the keys that the widget shows of them. */
  readonly devices: readonly Compared[];
  readonly isKnown: boolean;
  /** Why a device cannot be asked; null where each can. */
  readonly error: string | null;
}

/** The devices of a widget, and what they have; the same list for as long as they are the same, whatever they store. */
export function useDevicesOf(project_id: string, sources: readonly LiveSource[]): DevicesOfWidget {
  const lives = useLive(sources, hasSameFacts);
  const ids = useMemo(() => [...new Set(sources.map(({ device_id }) => device_id))], [sources]);
  const known = summaries.useEach(ids.map((id) => deviceKey(project_id, id)));
  const found = ids.flatMap((device_id): Compared[] => {
    const own = sources.flatMap((source, at): [LiveSource, Live][] => {
      const live = lives[at];
      return live && source.device_id === device_id ? [[source, live]] : [];
    });
    const device = own[0]?.[1].device;
    const summary = known.get(deviceKey(project_id, device_id))?.value;
    if (!device || !summary) return [];
    const only = own.map(([{ key }]) => key);
    const { name } = device;
    return [{ project_id, device_id, name, label: name, summary: withKeys(summary, own), only }];
  });
  // As text: what is read anew and is the same draws nothing anew.
  const text = JSON.stringify(found);
  const counted = useMemo(() => JSON.parse(text) as readonly Compared[], [text]);
  const apart = useBooleansApartOfEach(counted);
  const devices = useMemo(
    () =>
      counted.flatMap((device, at): Compared[] => {
        const summary = apart[at];
        return summary ? [{ ...device, summary }] : [];
      }),
    [counted, apart],
  );
  const failed = ids.flatMap((id) => known.get(deviceKey(project_id, id))?.error ?? []);
  const error = lives.find((live) => live.error !== null)?.error ?? failed[0] ?? null;
  const gone = new Set(
    sources.flatMap(({ device_id }, at) => (lives[at]?.isKnown && !lives[at].device ? device_id : [])),
  );
  return { devices, isKnown: devices.length + gone.size === ids.length, error };
}
