import { Switch, Text } from '@mantine/core';
import { IconAlertTriangle, IconBellOff, IconTrash } from '@tabler/icons-react';
import { ruleOf } from '#shared/domain/rules.ts';
import { actsWords, ruleWords } from '#shared/domain/words/rule-words.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { ruleCalled } from '../components/alarms/rule-called.ts';
import type { TableColumn } from '../components/table/column.ts';
import { RowAction } from '../components/table/row-action.tsx';
import { actionsColumn } from '../components/table/usual-columns.ts';
import { countOf } from '../format.ts';
import { compareNames } from '../order.ts';
import { formatLocal } from '../time.ts';
import classes from './rules.module.css';
import { SilenceMenu } from './silence-menu.tsx';

export interface RuleColumnsOf {
  readonly now: Micros;
  /** Settings of a key as a rule speaks of it. */
  readonly settingsOf: (rule: DeviceFunction, key: string) => KeySettings;
  /** Of which devices a rule is, where a list has rules of several; absent: not said. */
  readonly placeOf?: (rule: DeviceFunction) => string;
  /** Address where a rule is written. */
  readonly hrefOf: (rule: DeviceFunction) => string;
  /** How many open alarms of a rule there are, and where they are listed. */
  readonly openOf: (rule: DeviceFunction) => number;
  readonly alarmsHref: (rule: DeviceFunction) => string;
  /** Each null where it is not offered. */
  readonly turn: ((rule: DeviceFunction, isOn: boolean) => void) | null;
  readonly remove: ((rule: DeviceFunction) => void) | null;
  readonly maySilence: boolean;
}

/** Until when a rule is silenced, µs; null where it is not. */
export function silencedUntil(
  { silenced_until }: Pick<DeviceFunction, 'silenced_until'>,
  now: Micros,
): Micros | null {
  const until = parseInstant(silenced_until ?? '');
  return until !== null && until > now ? until : null;
}

/** The condition of a saved rule in words; what is no rule says what is wrong with it by its problem. */
export function wordsOf(rule: DeviceFunction, of: Pick<RuleColumnsOf, 'settingsOf'>): string {
  const read = ruleOf(rule.condition);
  return typeof read === 'string'
    ? read
    : ruleWords(
        read,
        ruleCalled((key) => of.settingsOf(rule, key)),
      );
}

function doesOf({ condition }: DeviceFunction): string {
  const read = ruleOf(condition);
  return typeof read === 'string' ? '' : `Then: ${actsWords(read.acts)}`;
}

/** The columns of a list of rules. */
export function ruleColumns(of: RuleColumnsOf): readonly TableColumn<DeviceFunction>[] {
  const { now, placeOf, hrefOf, openOf, alarmsHref, turn, remove, maySilence } = of;
  return [
    {
      id: 'on',
      header: 'On',
      width: '64px',
      compare: (a, b) => Number(b.enabled) - Number(a.enabled),
      cell: (rule) => (
        <Switch
          size="sm"
          aria-label={`“${rule.name}” is on`}
          checked={rule.enabled}
          disabled={turn === null}
          onChange={({ currentTarget }) => turn?.(rule, currentTarget.checked)}
        />
      ),
    },
    {
      id: 'name',
      header: 'Rule',
      width: 'minmax(150px, 1.2fr)',
      compare: (a, b) => compareNames(a.name, b.name),
      cell: (rule) => (
        <>
          <a
            href={hrefOf(rule)}
            className={`${classes['link']} ${classes['one']}`}
            title={rule.name}
            dir="auto"
          >
            {rule.name}
          </a>
          {placeOf && (
            <Text inherit span c="dimmed" className={classes['one'] ?? ''} title={placeOf(rule)} dir="auto">
              {placeOf(rule)}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'condition',
      header: 'When',
      width: 'minmax(200px, 3fr)',
      compare: (a, b) => compareNames(wordsOf(a, of), wordsOf(b, of)),
      cell: (rule) => (
        <>
          <span className={classes[rule.problem === null ? 'two' : 'one']} title={wordsOf(rule, of)}>
            <bdi>{wordsOf(rule, of)}</bdi>
          </span>
          <Below rule={rule} now={now} />
        </>
      ),
    },
    {
      id: 'alarms',
      header: 'Open alarms',
      width: '118px',
      rank: 2,
      greatestFirst: true,
      compare: (a, b) => openOf(a) - openOf(b),
      cell: (rule) => {
        const open = openOf(rule);
        return open > 0 ? <a href={alarmsHref(rule)}>{countOf(open, 'alarm')}</a> : 'none';
      },
    },
    actionsColumn('92px', (rule) => (
      <>
        {maySilence && <SilenceMenu rule={rule} isSilenced={silencedUntil(rule, now) !== null} />}
        {remove && (
          <RowAction label={`Delete rule “${rule.name}”`} onClick={() => remove(rule)}>
            <IconTrash size={16} />
          </RowAction>
        )}
      </>
    )),
  ];
}

/** State of a rule: what is amiss, that it is silenced, or what it does. */
function Below({ rule, now }: { readonly rule: DeviceFunction; readonly now: Micros }) {
  const until = silencedUntil(rule, now);
  if (rule.problem !== null)
    return (
      <span className={`${classes['two']} ${classes['fault']}`} title={rule.problem}>
        <IconAlertTriangle size={14} aria-hidden /> {rule.problem}
      </span>
    );
  if (until !== null)
    return (
      <Text inherit span c="dimmed" className={classes['one'] ?? ''}>
        <IconBellOff size={13} aria-hidden /> Silenced until {formatLocal(Math.floor(until / 1e6) * 1e6)}
      </Text>
    );
  return (
    <Text inherit span c="dimmed" className={classes['one'] ?? ''} title={doesOf(rule)}>
      {doesOf(rule)}
    </Text>
  );
}
