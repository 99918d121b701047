import { CorrectedMark } from '../../components/corrections/corrected-mark.tsx';
import { touching } from '../../components/corrections/of-keys.ts';
import { useCalled } from '../../components/corrections/use-called.ts';
import { hrefTo } from '../../router.ts';
import { useCorrections } from '../../stores/corrections.ts';
import { useKeySettings } from '../../stores/key-settings.ts';
import type { Compared } from '../../chart/compare/compared.ts';

interface ComparedMarkProps extends Pick<Compared, 'project_id' | 'device_id'> {
  /** Compared keys. */
  readonly keys: readonly string[];
}

/** Mark of a compared device of whose compared keys any is corrected: by what, and the way there; nothing of one that is as it was stored. */
export function ComparedMark({ project_id, device_id, keys }: ComparedMarkProps) {
  const { list } = useCorrections(project_id, device_id);
  const called = useCalled({ project_id, device_id }, useKeySettings(project_id), 'local');
  const href = hrefTo({ screen: 'device', project_id, device_id, tab: 'corrections' });
  return <CorrectedMark list={touching(list, keys)} called={called} href={href} />;
}
