import { IconClockPause } from '@tabler/icons-react';
import { useMay } from '../bridge/distant.ts';
import { clock } from '../stores/rig.ts';
import { RigLine } from './rig-line.tsx';

/** Line on every screen while the service's clock is set by a rig: nothing that is shown as late, or due, is so by the machine's. */
export function ClockLine() {
  return useMay('clock.get') ? <Watched /> : null;
}

function Watched() {
  clock.useWatch('service');
  const { value } = clock.useValue('service');
  if (value === null || value.mode === 'system') return null;
  const at = value.now.replace('T', ' ').slice(0, 19);
  const text =
    value.mode === 'frozen'
      ? `The clock of this service stands at ${at} UTC.`
      : `The clock of this service says ${at} UTC and goes ${value.rate} times as fast.`;
  return <RigLine label="Clock of the service" icon={IconClockPause} text={text} />;
}
