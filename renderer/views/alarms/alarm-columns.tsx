import { Text } from '@mantine/core';
import { IconBell, IconBellOff, IconBellRinging, IconBellX, IconCheck } from '@tabler/icons-react';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import {
  actsTold,
  conditionOf,
  heldWords,
  momentWords,
  revisedWords,
  seenWords,
  STATE_WORDS,
} from '../../components/alarms/alarm-words.ts';
import { ruleCalled } from '../../components/alarms/rule-called.ts';
import { shownName } from '../../components/facts/shown-name.ts';
import type { TableColumn } from '../../components/table/column.ts';
import { RowAction } from '../../components/table/row-action.tsx';
import { actionsColumn } from '../../components/table/usual-columns.ts';
import { compareNames } from '../../order.ts';
import { hrefTo, type Route } from '../../router.ts';
import { silencedUntil } from '../../rules/rule-columns.tsx';
import { keysIn } from '../../rules/rule-draft.ts';
import { SilenceMenu } from '../../rules/silence-menu.tsx';
import { windowAround } from '../../rules/firing-window.ts';
import type { SettingsOf } from '../../stores/key-settings.ts';
import classes from './alarms-screen.module.css';

interface ColumnsOf {
  readonly now: Micros;
  readonly settingsOf: SettingsOf;
  /** Id of the alarm that is pointed out. */
  readonly open: string | undefined;
  /** Null where it is not offered. */
  readonly acknowledge: ((alarm: Alarm) => void) | null;
  readonly maySilence: boolean;
}

const SIGNS = { open: IconBellRinging, ended: IconBell, withdrawn: IconBellX } as const;
const ORDER: readonly Alarm['state'][] = ['open', 'ended', 'withdrawn'];
const startOf = ({ start }: Alarm): Micros => parseInstant(start) ?? 0;

/** The columns of the list of alarms. */
export function alarmColumns(of: ColumnsOf): readonly TableColumn<Alarm>[] {
  const { now, settingsOf, open, acknowledge, maySilence } = of;
  return [
    {
      id: 'state',
      header: 'State',
      width: '106px',
      compare: (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state),
      cell: ({ state, id }) => {
        const Sign = SIGNS[state];
        return (
          <span className={classes['state']} data-state={state} data-open={id === open || undefined}>
            <Sign size={15} aria-hidden /> {STATE_WORDS[state]}
          </span>
        );
      },
    },
    {
      id: 'since',
      header: 'Since',
      width: 'minmax(184px, 0.8fr)',
      greatestFirst: true,
      compare: (a, b) => startOf(a) - startOf(b),
      cell: (alarm, isActive) => (
        <>
          <a
            href={hrefTo(chartOf(alarm, now))}
            className={`${classes['time']} ${classes['one']}`}
            title={alarm.end === null ? alarm.start : `${alarm.start} – ${alarm.end}`}
            tabIndex={isActive ? 0 : -1}
          >
            {momentWords(startOf(alarm), now)}
          </a>
          <Dimmed words={heldWords(alarm, now)} />
        </>
      ),
    },
    {
      id: 'device',
      header: 'Device',
      width: 'minmax(116px, 1fr)',
      compare: (a, b) => compareNames(a.device, b.device) || compareNames(a.project, b.project),
      cell: ({ device, project }) => (
        <>
          <span className={classes['one']} title={device} dir="auto">
            {shownName(device)}
          </span>
          <Dimmed words={shownName(project)} />
        </>
      ),
    },
    {
      id: 'rule',
      header: 'Rule',
      width: 'minmax(190px, 2.4fr)',
      compare: (a, b) => compareNames(a.rule, b.rule),
      cell: (alarm) => {
        const words = conditionOf(
          alarm,
          ruleCalled((key) => settingsOf(alarm.device_id, key)),
        );
        return (
          <>
            <span className={`${classes['name']} ${classes['one']}`} title={alarm.rule} dir="auto">
              {alarm.rule}
            </span>
            <Dimmed words={words} />
            <Revised alarm={alarm} now={now} />
          </>
        );
      },
    },
    {
      id: 'seen',
      header: 'Seen, and done',
      width: 'minmax(150px, 1.6fr)',
      rank: 3,
      cell: (alarm) => <Told alarm={alarm} now={now} />,
    },
    actionsColumn('92px', (alarm) => (
      <>
        {acknowledge && (
          <RowAction
            label={`Acknowledge “${alarm.rule}” of “${alarm.device}”…`}
            onClick={() => acknowledge(alarm)}
          >
            <IconCheck size={16} />
          </RowAction>
        )}
        {maySilence && alarm.condition !== null && (
          <SilenceMenu
            rule={{
              project_id: alarm.project_id,
              id: alarm.function_id,
              name: alarm.rule,
              silenced_until: alarm.silenced_until,
            }}
            isSilenced={silencedUntil(alarm, now) !== null}
          />
        )}
      </>
    )),
  ];
}

/** The chart of the device at the time of an alarm, with the keys that its rule speaks of. */
export function chartOf(alarm: Alarm, now: Micros): Route {
  const { project_id, device_id, condition } = alarm;
  const keys = keysIn(condition);
  const chart = { window: windowAround(alarm, now), ...(keys.length > 0 && { keys }) };
  return { screen: 'device', project_id, device_id, tab: 'chart', chart };
}

function Dimmed({ words }: { readonly words: string }) {
  return (
    <Text inherit span c="dimmed" className={classes['one'] ?? ''} title={words} dir="auto">
      {words}
    </Text>
  );
}

function Revised({ alarm, now }: { readonly alarm: Alarm; readonly now: Micros }) {
  const words = revisedWords(alarm, now);
  if (words === null) return null;
  return (
    <span className={`${classes['revised']} ${classes['one']}`} title={words}>
      {words}
    </span>
  );
}

function Told({ alarm, now }: { readonly alarm: Alarm; readonly now: Micros }) {
  const seen = seenWords(alarm, now);
  const done = actsTold(alarm, now);
  const silent = silencedUntil(alarm, now);
  return (
    <>
      <span className={classes['one']} title={seen ?? ''} dir="auto">
        {seen ?? 'Seen by nobody'}
      </span>
      {done && (
        <span
          className={
            done.isAmiss ? `${classes['two']} ${classes['amiss']}` : `${classes['one']} ${classes['dimmed']}`
          }
          title={done.words}
        >
          {done.words}
        </span>
      )}
      {silent !== null && (
        <span className={`${classes['one']} ${classes['dimmed']}`}>
          <IconBellOff size={13} aria-hidden /> Rule silenced until {momentWords(silent, now)}
        </span>
      )}
    </>
  );
}
