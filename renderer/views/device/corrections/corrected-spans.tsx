import type { View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { Device } from '#shared/schema/schemas.ts';
import { may } from '../../../bridge/distant.ts';
import { CorrectionBands } from '../../../chart/corrections/correction-bands-overlay.tsx';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { useCalled } from '../../../components/corrections/use-called.ts';
import { goTo } from '../../../router.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import type { Zone } from '../../../time.ts';
import { openCorrection } from './open-correction.ts';

interface CorrectedSpansProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly corrections: readonly ShownCorrection[];
  readonly window: TimeSpan;
  readonly zone: Zone;
  readonly view: View;
  readonly settingsOf: SettingsOf;
}

/** The corrected spans of a device over its chart: pressed, one is changed; of several the list is shown. */
export function CorrectedSpans({ project_id, device, zone, settingsOf, ...shown }: CorrectedSpansProps) {
  const called = useCalled({ project_id, device_id: device.id }, settingsOf, zone);
  return (
    <CorrectionBands
      {...shown}
      called={called}
      onOpen={(all) => {
        const [correction, ...others] = all;
        if (correction && others.length === 0 && may('corrections.update'))
          openCorrection({ project_id, device, zone, correction });
        else goTo({ screen: 'device', project_id, device_id: device.id, tab: 'corrections' });
      }}
    />
  );
}
