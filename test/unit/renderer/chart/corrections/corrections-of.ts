import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { formatMicros } from '#shared/values/time.ts';

let made = 0;

/** A correction as an answer has it, made after those before it. */
export function correction(
  kind: ShownCorrection['kind'],
  {
    from,
    to,
    ...fields
  }: Partial<Omit<ShownCorrection, 'from' | 'to'>> & { from?: number; to?: number } = {},
): ShownCorrection {
  const id = `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;
  const at = formatMicros(made * 1e6);
  return {
    id,
    device_id: 'd',
    kind,
    version: 1,
    created: at,
    changed: at,
    by: 'app',
    ...(from !== undefined && { from: formatMicros(from) }),
    ...(to !== undefined && { to: formatMicros(to) }),
    ...fields,
  };
}
