import { CorrectedMark } from '../../../components/corrections/corrected-mark.tsx';
import { ofKey } from '../../../components/corrections/of-keys.ts';
import { useCalled } from '../../../components/corrections/use-called.ts';
import { hrefTo } from '../../../router.ts';
import { useCorrections } from '../../../stores/corrections.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import type { Zone } from '../../../time.ts';

interface KeyMarkProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly dataKey: string;
  readonly zone: Zone;
}

/** Mark of a key of a device whose values are corrected; nothing where they are not. */
export function KeyMark({ project_id, device_id, dataKey, zone }: KeyMarkProps) {
  const { list } = useCorrections(project_id, device_id);
  const called = useCalled({ project_id, device_id }, useKeySettings(project_id), zone);
  const href = hrefTo({ screen: 'device', project_id, device_id, tab: 'corrections' });
  return <CorrectedMark list={ofKey(list, dataKey)} called={called} href={href} />;
}
