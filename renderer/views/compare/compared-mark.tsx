import { CorrectedMark } from '../../components/corrections/corrected-mark.tsx';
import { useCalled } from '../../components/corrections/use-called.ts';
import { hrefTo } from '../../router.ts';
import { useCorrections } from '../../stores/corrections.ts';
import { useKeySettings } from '../../stores/key-settings.ts';
import type { Compared } from './compared.ts';

/** Mark of a compared device whose values are corrected: by what, and the way there; nothing of one that is as it was stored. */
export function ComparedMark({ project_id, device_id }: Pick<Compared, 'project_id' | 'device_id'>) {
  const { list } = useCorrections(project_id, device_id);
  const called = useCalled({ project_id, device_id }, useKeySettings(project_id), 'local');
  const href = hrefTo({ screen: 'device', project_id, device_id, tab: 'corrections' });
  return <CorrectedMark list={list} called={called} href={href} />;
}
