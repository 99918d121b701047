import { Button, Group, Text } from '@mantine/core';
import { IconBell, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { matches } from '#shared/values/text.ts';
import { ask } from '../../bridge/ask.ts';
import { useMay } from '../../bridge/distant.ts';
import { nameWithUnit } from '../../components/facts/key-words.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { SearchField } from '../../components/screen/search-field.tsx';
import { useShortcuts } from '../../components/screen/use-shortcuts.ts';
import { Loading } from '../../components/work/loading.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { useRead } from '../../components/work/use-read.ts';
import { countOf } from '../../format.ts';
import { compareNames } from '../../order.ts';
import { goTo, hrefTo, keepAddress } from '../../router.ts';
import { windowAround } from '../../rules/firing-window.ts';
import { wordsOf } from '../../rules/rule-columns.tsx';
import { tagOf } from '../../rules/rule-draft.ts';
import { RuleEditor } from '../../rules/rule-editor.tsx';
import { isFullOf, NoRoomForRules } from '../../rules/no-room-for-rules.tsx';
import { RuleList } from '../../rules/rule-list.tsx';
import { devices } from '../../stores/devices.ts';
import { devicesOf } from '../../stores/found-devices.ts';
import { useKeySettings, useUsualSettings } from '../../stores/key-settings.ts';
import { projects } from '../../stores/projects.ts';
import { rules } from '../../stores/rules/rules.ts';
import { nowMicros } from '../../time.ts';
import type { RulesShown } from './rules-address.ts';

const NO_DEVICES: readonly FoundDevice[] = [];
const NO_KEYS: readonly string[] = [];

interface RulesScreenProps extends RulesShown {
  readonly project_id: string;
}

/** The rules of a project: of single devices, and of those with a tag. */
export function RulesScreen({ project_id, find, open }: RulesScreenProps) {
  rules.useWatch(project_id);
  const { value, error } = rules.useValue(project_id);
  const of = devicesOf(project_id);
  devices.useWatch(of);
  const all = devices.useValue(of).value ?? NO_DEVICES;
  const settingsOf = useKeySettings(project_id);
  const usual = useUsualSettings(project_id);
  const project = projects.useValue('all').value?.find(({ id }) => id === project_id);
  const [search, setSearch] = useState(find ?? '');
  const [made, setMade] = useState<string | null>(null);
  const [last, setLast] = useState(open);
  if (open !== undefined && open !== last) setLast(open);
  const mayCreate = useMay('functions.create');
  const here = { screen: 'rules', project_id } as const;
  const add = () => goTo({ ...here, open: 'new' });
  const isFull = isFullOf(value);
  useShortcuts(mayCreate && open === undefined && !isFull ? { n: add } : {});
  const names = useMemo(() => new Map(all.map(({ id, name }) => [id, name])), [all]);
  const nameOf = (id: string) => names.get(id) ?? `Device ${id.slice(0, 8)}`;
  const settingsOfRule = ({ device_id }: DeviceFunction, key: string) =>
    device_id === null ? usual(key) : settingsOf(device_id, key);
  const placeOf = (rule: DeviceFunction) =>
    rule.device_id === null
      ? `Devices with the tag “${tagOf(rule.condition) ?? ''}”`
      : nameOf(rule.device_id);
  const found = value?.filter((rule) =>
    matches(search, rule.name, placeOf(rule), wordsOf(rule, { settingsOf: settingsOfRule })),
  );
  const routeOf = ({ id, device_id }: DeviceFunction) =>
    device_id === null
      ? ({ ...here, open: id } as const)
      : ({ screen: 'device', project_id, device_id, tab: 'rules', list: { open: id } } as const);
  const opened = value?.find(({ id }) => id === open) ?? null;
  const isWritten = open !== undefined && (open === 'new' || opened !== null);
  return (
    <Screen
      title={project ? `Rules of ${project.name}` : 'Rules'}
      description={
        isWritten
          ? 'It watches each device that has the tag, each by itself.'
          : 'What they find is an alarm. Rules of one device are on its page, too.'
      }
    >
      {error !== null && <Problem message={error} onRetry={rules.reload} />}
      {!value && error === null && <Loading h={220} label="Loading the rules" />}
      {value && isWritten && (
        <TagRule key={open} {...{ project_id, all, usual, nameOf }} rule={opened} onMade={setMade} />
      )}
      {value && open !== undefined && !isWritten && (
        <Text c="dimmed">
          This rule is not there any more. <a href={hrefTo(here)}>All rules</a>
        </Text>
      )}
      {value && open === undefined && value.length === 0 && (
        <Empty
          icon={IconBell}
          title="No rules yet"
          action={mayCreate && <Button onClick={add}>New rule by tag</Button>}
        >
          A rule says what is wrong, such as “supply above 85 °C for 10 min”. One by tag watches all devices
          that have it; one of a single device is made on that device’s page, under Rules.
        </Empty>
      )}
      {value && open === undefined && value.length > 0 && (
        <>
          <Group gap="sm">
            <SearchField
              label="Search rules"
              value={search}
              onChange={(next) => {
                setSearch(next);
                keepAddress({ ...here, ...(next !== '' && { find: next }) });
              }}
            />
            <Text size="sm" c="dimmed" role="status">
              {found?.length === value.length
                ? countOf(value.length, 'rule')
                : `${found?.length ?? 0} of ${countOf(value.length, 'rule')}`}
            </Text>
            {mayCreate && (
              <Button ml="auto" leftSection={<IconPlus size={16} />} disabled={isFull} onClick={add}>
                New rule by tag
              </Button>
            )}
          </Group>
          {mayCreate && isFull && <NoRoomForRules />}
          {found?.length === 0 && <Text c="dimmed">No rule matches “{search}”.</Text>}
          {found && found.length > 0 && (
            <RuleList
              rules={found}
              settingsOf={settingsOfRule}
              {...{ placeOf, routeOf }}
              written={last === 'new' ? made : (last ?? null)}
            />
          )}
        </>
      )}
    </Screen>
  );
}

interface TagRuleProps {
  readonly project_id: string;
  readonly all: readonly FoundDevice[];
  readonly usual: ReturnType<typeof useUsualSettings>;
  readonly nameOf: (device_id: string) => string;
  /** Null: a new one. */
  readonly rule: DeviceFunction | null;
  readonly onMade: (id: string) => void;
}

/** A rule of the devices with a tag, as it is written. */
function TagRule({ project_id, all, usual, nameOf, rule, onMade }: TagRuleProps) {
  const read = useMemo(() => () => ask('projects.keys', { project_id }), [project_id]);
  const { value: known } = useRead(read);
  const tags = useMemo(() => [...new Set(all.flatMap((one) => one.tags))].toSorted(compareNames), [all]);
  const keys = useMemo(
    () => (known?.keys ?? NO_KEYS).map((key) => ({ key, label: nameWithUnit(key, usual(key)) })),
    [known, usual],
  );
  const here = { screen: 'rules', project_id } as const;
  if (known === null) return <Loading h={220} label="Loading the keys" />;
  return (
    <RuleEditor
      {...{ project_id, rule, keys, tags, nameOf }}
      device_id={null}
      settingsOf={usual}
      recordsOf={(tag) =>
        all.reduce((sum, one) => sum + (tag !== null && one.tags.includes(tag) ? one.records : 0), 0)
      }
      hrefOf={(firing, drawn) =>
        hrefTo({
          screen: 'device',
          project_id,
          device_id: firing.device_id,
          tab: 'chart',
          chart: { window: windowAround(firing, nowMicros()), ...(drawn.length > 0 && { keys: drawn }) },
        })
      }
      onClose={() => goTo(here)}
      onSaved={({ id }) => {
        onMade(id);
        goTo(here);
      }}
    />
  );
}
