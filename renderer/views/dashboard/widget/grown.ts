import type { DeviceSummary, FoundDevice } from '#shared/operations/metadata/devices.ts';

/** What a device has stored by now: as it was when somebody began to look, with what came since. */
export function grown(summary: DeviceSummary, device: FoundDevice | null): DeviceSummary {
  if (device === null || device.records <= summary.records) return summary;
  const { records, newest } = device;
  const isLater = newest !== null && (summary.last === null || newest > summary.last);
  return { ...summary, records, first: summary.first ?? newest, last: isLater ? newest : summary.last };
}
