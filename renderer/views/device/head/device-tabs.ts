import {
  IconChartLine,
  IconClock,
  IconFlag,
  IconList,
  IconPlugConnected,
  IconTable,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { DeviceTab } from '../device-address.ts';

/** What a device's tabs are called, in their order. */
export const TAB_LABELS: readonly {
  readonly tab: DeviceTab;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number }>;
}[] = [
  { tab: 'chart', label: 'Chart', icon: IconChartLine },
  { tab: 'table', label: 'Table', icon: IconTable },
  { tab: 'keys', label: 'Keys', icon: IconList },
  { tab: 'notes', label: 'Notes', icon: IconFlag },
  { tab: 'times', label: 'Times', icon: IconClock },
  { tab: 'connect', label: 'Connect', icon: IconPlugConnected },
];
