import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { messageOf } from '../bridge/ask.ts';
import { useMay } from '../bridge/distant.ts';
import { useNow } from '../components/facts/use-now.ts';
import { VirtualTable, type TableHandle } from '../components/table/virtual-table.tsx';
import { Problem } from '../components/work/problem.tsx';
import { goTo, hrefTo, type Route } from '../router.ts';
import { dueAlarms, openOf } from '../stores/alarms/alarms.ts';
import { removeRule, switchRule } from './change-rules.ts';
import { ruleColumns, type RuleColumnsOf } from './rule-columns.tsx';

interface RuleListProps extends Pick<RuleColumnsOf, 'settingsOf' | 'placeOf'> {
  readonly rules: readonly DeviceFunction[];
  readonly routeOf: (rule: DeviceFunction) => Route;
  /** Rule that was just written: its row gets the focus. */
  readonly written: string | null;
}

/** Rules as rows: switched, silenced, opened, deleted. */
export function RuleList({ rules, settingsOf, placeOf, routeOf, written }: RuleListProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const mayChange = useMay('functions.update');
  const mayRemove = useMay('functions.delete');
  const maySilence = useMay('functions.silence');
  const due = dueAlarms.useValue('all').value;
  const now = useNow(true);
  const columns = useMemo(() => {
    const attempt = (work: Promise<void>) => {
      setProblem(null);
      work.catch((reason: unknown) => setProblem(messageOf(reason)));
    };
    return ruleColumns({
      now,
      settingsOf,
      ...(placeOf && { placeOf }),
      hrefOf: (rule) => hrefTo(routeOf(rule)),
      openOf: ({ id }) => openOf(due, id),
      alarmsHref: ({ id, project_id }) =>
        hrefTo({ screen: 'alarms', project: project_id, rule: id, state: 'open' }),
      turn: mayChange ? (rule, isOn) => attempt(switchRule(rule, isOn)) : null,
      remove: mayRemove ? (rule) => attempt(removeRule(rule)) : null,
      maySilence,
    });
  }, [now, settingsOf, placeOf, routeOf, due, mayChange, mayRemove, maySilence]);
  const table = useRef<TableHandle>(null);
  const goBack = useEffectEvent(() => {
    if (written === null || document.activeElement !== document.body) return;
    table.current?.focusRow(rules.findIndex(({ id }) => id === written));
  });
  useEffect(() => goBack(), []);
  return (
    <>
      {problem !== null && <Problem message={problem} />}
      <VirtualTable
        label="Rules"
        rows={rules}
        columns={columns}
        rowKey={({ id }) => id}
        density="tall"
        onOpen={(rule) => goTo(routeOf(rule))}
        ref={table}
      />
    </>
  );
}
