import type { View } from '#shared/domain/corrections.ts';
import { lensesOf, lensOf } from '../../store/metadata/lens-of.ts';
import type { Lens, Viewed } from '../../store/store.ts';
import type { Context } from '../context.ts';

type Metadata = Pick<Context, 'metadata'>;

/** Resolves with a device as a view shows it; one without corrections is as it was stored in both. */
export async function viewed(id: string, view: View, { metadata }: Metadata): Promise<Viewed> {
  const lens = view === 'raw' ? null : await lensOf(metadata, { id });
  return lens === null ? id : { device: id, lens };
}

/** A view with the values that are flagged `fail` or `test`, which no figure counts: for charts, which draw them pale. */
export function withFlagged(of: Viewed): Viewed {
  return typeof of === 'string' ? of : { ...of, lens: unflagged(of.lens) };
}

const unflagged = ({ corrections, formers }: Lens): Lens => ({
  corrections: corrections.filter(({ kind }) => kind !== 'quality'),
  formers: formers.map((former) => ({ ...former, lens: former.lens && unflagged(former.lens) })),
});

/** As a view shows devices of a project, in the order given. */
export async function viewedOf(
  project_id: string,
  devices: readonly string[],
  view: View,
  { metadata }: Metadata,
): Promise<readonly Viewed[]> {
  if (view === 'raw' || devices.length === 0) return devices;
  const lenses = await lensesOf(metadata, project_id);
  return devices.map((device) => {
    const lens = lenses.get(device);
    return lens === undefined ? device : { device, lens };
  });
}
