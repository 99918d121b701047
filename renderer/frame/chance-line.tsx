import { IconDice5 } from '@tabler/icons-react';
import { useMay } from '../bridge/distant.ts';
import { chance } from '../stores/rig.ts';
import { RigLine } from './rig-line.tsx';

/** Line on every screen while what the service draws follows from a seed: its secrets can be guessed. */
export function ChanceLine() {
  return useMay('chance.get') ? <Watched /> : null;
}

function Watched() {
  chance.useWatch('service');
  const { value } = chance.useValue('service');
  if (!value?.seeded || value.warning === null) return null;
  return <RigLine label="Seed of the service" icon={IconDice5} text={value.warning} />;
}
