import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { nameOfKey } from '../../components/facts/key-words.ts';
import type { SettingsOf } from '../../stores/key-settings.ts';
import type { CompareMode } from '../../chart/compare/modes.ts';
import type { Compared } from '../../chart/compare/compared.ts';
import { lacksOf } from './lacks.ts';

interface CompareLacksProps {
  readonly devices: readonly Compared[];
  readonly keys: readonly string[];
  readonly mode: CompareMode;
  readonly settingsOf: SettingsOf;
}

/** Says which devices have no numbers of the chosen keys, and why there is no difference. */
export function CompareLacks({ devices, keys, mode, settingsOf }: CompareLacksProps) {
  const nameOf = (key: string) => nameOfKey(key, settingsOf(devices[0]?.device_id ?? '', key));
  const lines = lacksOf(devices, keys, mode, nameOf);
  if (lines.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" role="note" icon={<IconInfoCircle size={18} />} p="sm">
      {lines.map((line) => (
        <div key={line} style={{ overflowWrap: 'anywhere' }}>
          {line}
        </div>
      ))}
    </Alert>
  );
}
