import { IconBug } from '@tabler/icons-react';
import { useMay } from '../bridge/distant.ts';
import { faults } from '../stores/rig.ts';
import { RigLine } from './rig-line.tsx';

/** Rules that are named. */
const MOST_NAMES = 3;

/** Line on every screen while something goes wrong on purpose. */
export function FaultsLine() {
  return useMay('faults.get') ? <Watched /> : null;
}

function Watched() {
  faults.useWatch('service');
  const { value } = faults.useValue('service');
  if (value === null || value.rules.length === 0) return null;
  const names = value.rules.slice(0, MOST_NAMES).map(({ name }) => `“${name}”`);
  const more = value.rules.length - names.length;
  const named = names.join(', ') + (more > 0 ? ` and ${more} more` : '');
  return (
    <RigLine
      label="Faults of the service"
      icon={IconBug}
      text={`Faults are switched on, for tests: ${named}. What they are about goes wrong on purpose.`}
    />
  );
}
