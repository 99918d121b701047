import { Anchor } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleHalf2 } from '@tabler/icons-react';
import { CorrectedSign } from '../../components/corrections/corrected-sign.tsx';
import { shownName } from '../../components/facts/shown-name.ts';
import { hrefTo, type Route } from '../../router.ts';
import type { AlertRow as Row } from './alert-words.ts';
import classes from './alerts.module.css';
import { alertsTray } from '../../stores/trays/alerts-tray.ts';

const SIGNS = {
  late: IconCircleHalf2,
  back: IconCircleCheck,
  outside: IconAlertTriangle,
  inside: IconCircleCheck,
} as const;

/** One change or state of a device; it leads to the device's chart at that time. */
export function AlertRow({ row, isFirst }: { readonly row: Row; readonly isFirst: boolean }) {
  const { kind, device, value, words, when } = row;
  const Sign = SIGNS[kind];
  return (
    <li>
      <Anchor
        href={hrefTo(routeOf(row))}
        underline="never"
        className={classes['row'] ?? ''}
        data-autofocus={isFirst || undefined}
        onClick={alertsTray.close}
      >
        <span className={classes['sign']}>
          <Sign size={16} aria-hidden />
        </span>
        <span className={classes['name']} dir="auto">
          {shownName(device.name)} <span>{shownName(device.project)}</span>
        </span>
        <span className={classes['what']}>
          {words}
          {value?.corrected === true && (
            <>
              {' '}
              <CorrectedSign size={13} />
            </>
          )}
        </span>
        <span className={classes['when']}>{when}</span>
      </Anchor>
    </li>
  );
}

function routeOf({ device, value, from, to }: Row): Route {
  const chart = { window: { from, to }, ...(value && { keys: [value.key] }) };
  return { screen: 'device', project_id: device.project_id, device_id: device.id, tab: 'chart', chart };
}
