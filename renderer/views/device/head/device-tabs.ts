import {
  IconAdjustmentsCheck,
  IconArrowsVertical,
  IconBell,
  IconBinary,
  IconChartLine,
  IconClock,
  IconFlag,
  IconList,
  IconPlugConnected,
  IconTable,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { OperationId } from '#shared/operations/index.ts';
import { may, useDistant } from '../../../bridge/distant.ts';
import type { DeviceTab } from '../device-address.ts';

interface TabLabel {
  readonly tab: DeviceTab;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number }>;
  /** Where the service has it not, there is no such tab. */
  readonly needs?: OperationId;
}

const ALL: readonly TabLabel[] = [
  { tab: 'chart', label: 'Chart', icon: IconChartLine },
  { tab: 'table', label: 'Table', icon: IconTable },
  { tab: 'keys', label: 'Keys', icon: IconList, needs: 'key-facts.list' },
  { tab: 'notes', label: 'Notes', icon: IconFlag, needs: 'notes.list' },
  { tab: 'corrections', label: 'Corrections', icon: IconAdjustmentsCheck, needs: 'corrections.list' },
  { tab: 'times', label: 'Times', icon: IconClock, needs: 'times.get' },
  { tab: 'excursions', label: 'Excursions', icon: IconArrowsVertical, needs: 'excursions.get' },
  { tab: 'rules', label: 'Rules', icon: IconBell, needs: 'functions.list' },
  { tab: 'decoder', label: 'Decoder', icon: IconBinary, needs: 'functions.list' },
  { tab: 'connect', label: 'Connect', icon: IconPlugConnected, needs: 'requests.list' },
];

/** Returns the labels of a device's tabs, in order: those that there are here. `decodes`: it sends bytes, or is to. */
export function useTabLabels(decodes: boolean): readonly TabLabel[] {
  useDistant();
  return ALL.filter(
    ({ tab, needs }) => (needs === undefined || may(needs)) && (tab !== 'decoder' || decodes),
  );
}
