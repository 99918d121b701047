import { Text } from '@mantine/core';
import { IconList } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { matches } from '#shared/values/text.ts';
import { useMay } from '../../../bridge/distant.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { SearchField } from '../../../components/screen/search-field.tsx';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf } from '../../../format.ts';
import { goTo, hrefTo, keepAddress } from '../../../router.ts';
import { viewOf, type ShownView } from '../../../chart/view.ts';
import { deviceKey } from '../../../stores/devices.ts';
import { keyFacts } from '../../../stores/key-facts.ts';
import { keySettings, useKeySettings } from '../../../stores/key-settings.ts';
import { ViewLine } from '../corrections/view-line.tsx';
import type { DeviceShown, ListShown } from '../device-address.ts';
import { keyColumns } from './key-columns.tsx';
import { KeyEditor } from './key-editor.tsx';
import classes from './keys-panel.module.css';
import { Loading } from '../../../components/work/loading.tsx';

interface KeysPanelProps extends Pick<DeviceShown, 'chart'> {
  readonly project_id: string;
  readonly device_id: string;
  readonly list: ListShown;
  readonly shown: ShownView;
}

/** The data keys that the device has stored, what they hold, and beside them how one of them is shown. */
export function KeysPanel({ project_id, device_id, chart, list, shown: view }: KeysPanelProps) {
  const of = deviceKey(project_id, device_id, viewOf(view));
  keyFacts.useWatch(of);
  const { value: keys, error } = keyFacts.useValue(of);
  const settingsOf = useKeySettings(project_id);
  const { value: settings, error: problem } = keySettings.useValue(project_id);
  const [search, setSearch] = useState(list.find ?? '');
  const frame = useRef<HTMLDivElement>(null);
  const mayEdit = useMay('key-settings.set');
  const open = mayEdit && keys?.some(({ key }) => key === list.open) === true ? list.open : undefined;

  // A table sorts anew for other rows and other columns.
  const rows = useMemo(
    () => (keys ?? []).map((facts) => ({ facts, settings: settingsOf(device_id, facts.key) })),
    [keys, settingsOf, device_id],
  );
  const shown = useMemo(
    () =>
      rows.filter(({ facts, settings: { shown_as, unit } }) => matches(search, facts.key, shown_as, unit)),
    [rows, search],
  );
  const columns = useMemo(() => {
    const at = { screen: 'device', project_id, device_id, tab: 'keys', ...(chart && { chart }) } as const;
    const find = search === '' ? {} : { find: search };
    const inChart = (key: string) => hrefTo({ ...at, tab: 'chart', chart: { ...chart, keys: [key] } });
    const edit = (key: string) => hrefTo({ ...at, list: { ...find, open: key } });
    return keyColumns(mayEdit ? edit : inChart, open);
  }, [project_id, device_id, chart, search, open, mayEdit]);

  const show = (next: ListShown, keep = false) => {
    const at = { screen: 'device', project_id, device_id, tab: 'keys', ...(chart && { chart }) } as const;
    const route = { ...at, ...(Object.keys(next).length > 0 && { list: next }) };
    if (keep) keepAddress(route);
    else goTo(route);
  };
  const close = () => {
    show(search === '' ? {} : { find: search });
    // Back to the row that it was opened from, which is in sight.
    frame.current?.querySelector<HTMLElement>('a[aria-current="true"]')?.focus();
  };

  if (error !== null && !keys) return <Problem message={error} onRetry={keyFacts.reload} />;
  if (!keys) return <Loading flex={1} label="Loading the keys" />;
  if (keys.length === 0)
    return (
      <Empty icon={IconList} title="No keys">
        Every name that a record carries becomes a key. There are no records now.
      </Empty>
    );
  const opened = rows.find(({ facts }) => facts.key === open);
  return (
    <>
      {error !== null && <Problem message={error} onRetry={keyFacts.reload} />}
      {problem !== null && <Problem message={problem} onRetry={keySettings.reload} />}
      <ViewLine {...{ project_id, device_id }} shown={view} zone={chart?.zone ?? 'local'} isChosen />
      <div className={classes['panel']} data-open={opened !== undefined} ref={frame}>
        <div className={classes['list']}>
          <div className={classes['search']}>
            <SearchField
              label="Search keys"
              value={search}
              onChange={(next) => {
                setSearch(next);
                show({ ...(next !== '' && { find: next }), ...(open !== undefined && { open }) }, true);
              }}
            />
            <Text size="sm" c="dimmed" role="status">
              {shown.length === keys.length
                ? countOf(keys.length, 'key')
                : `${shown.length} of ${countOf(keys.length, 'key')}`}
            </Text>
            {!opened && (
              <Text size="sm" c="dimmed" truncate>
                Open one to set its name, unit and normal range.
              </Text>
            )}
          </div>
          {shown.length === 0 && <Text c="dimmed">No key matches “{search}”.</Text>}
          {shown.length > 0 && (
            <VirtualTable
              label="Keys"
              rows={shown}
              columns={columns}
              rowKey={({ facts }) => facts.key}
              sort={{ column: 'key', descending: false }}
              onOpen={({ facts }) => show({ ...(search !== '' && { find: search }), open: facts.key })}
            />
          )}
        </div>
        {opened && settings && (
          <KeyEditor
            key={opened.facts.key}
            project_id={project_id}
            device_id={device_id}
            facts={opened.facts}
            settings={opened.settings}
            onClose={close}
          />
        )}
      </div>
    </>
  );
}
