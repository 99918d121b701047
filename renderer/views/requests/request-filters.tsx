import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { REQUEST_DOORS } from '#shared/domain/sources.ts';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { SearchSelect } from '../../components/dialog/search-select.tsx';
import { doorWords, kindOf } from '../../components/facts/requests/request-words.ts';
import { SearchField } from '../../components/screen/search-field.tsx';
import { shortened } from '../../format.ts';
import { compareNames, compareTexts } from '../../order.ts';
import type { Places } from './request-filter.ts';
import { OUTCOMES, type RequestsShown } from './requests-address.ts';
import classes from './requests-screen.module.css';
import type { RequestsChange } from './use-requests-shown.ts';

interface RequestFiltersProps {
  /** All that are known: what they can be narrowed to. */
  readonly requests: readonly SeenRequest[];
  readonly places: Places;
  readonly shown: RequestsShown;
  readonly onChange: (change: RequestsChange) => void;
}

const OUTCOME_LABELS = { accepted: 'Accepted', refused: 'Refused' } as const;
/** Options that a list shows at once; typing finds the others. */
const MOST_OPTIONS = 100;

/** The filter of the list: words, outcome, door, what was asked for, device. */
export function RequestFilters({ requests, places, shown, onChange }: RequestFiltersProps) {
  // As text, so that requests of the same kinds leave the lists as they are.
  const kindsText = JSON.stringify([...new Set([...requests.map(kindOf), ...given(shown.kind)])]);
  const kinds = useMemo(() => (JSON.parse(kindsText) as string[]).toSorted(compareTexts), [kindsText]);
  const idsText = JSON.stringify([
    ...new Set([...requests.flatMap(({ device_id }) => device_id ?? []), ...given(shown.device)]),
  ]);
  const devices = useMemo(
    () =>
      (JSON.parse(idsText) as string[])
        .map((id) => ({ value: id, label: labelOf(id, places) }))
        .toSorted((a, b) => compareNames(a.label, b.label)),
    [idsText, places],
  );
  return (
    <div role="search" aria-label="Filter of the requests" className={classes['filters']}>
      <SearchField
        label="Search requests"
        value={shown.find ?? ''}
        onChange={(find) => onChange({ find: find || null })}
      />
      <Select
        aria-label="Outcome"
        placeholder="Any outcome"
        clearable
        w={140}
        data={OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value] }))}
        value={shown.outcome ?? null}
        onChange={(value) => onChange({ outcome: OUTCOMES.find((one) => one === value) ?? null })}
      />
      <Select
        aria-label="Door"
        placeholder="Any door"
        clearable
        w={140}
        data={REQUEST_DOORS.map((door) => ({ value: door, label: doorWords({ door }) }))}
        value={shown.door ?? null}
        onChange={(value) => onChange({ door: REQUEST_DOORS.find((one) => one === value) ?? null })}
      />
      <SearchSelect
        aria-label="Operation"
        placeholder="Any operation"
        nothingFoundMessage="None of the requests"
        clearable
        w={180}
        limit={MOST_OPTIONS}
        data={kinds}
        value={shown.kind ?? null}
        onChange={(kind) => onChange({ kind })}
      />
      <SearchSelect
        aria-label="Device"
        placeholder="Any device"
        nothingFoundMessage="No such device has sent anything"
        clearable
        w={180}
        limit={MOST_OPTIONS}
        data={devices}
        value={shown.device ?? null}
        onChange={(device) => onChange({ device })}
      />
    </div>
  );
}

const given = (value: string | undefined) => (value === undefined ? [] : [value]);

/** The name; of a device that is not known by now the beginning of its id. */
function labelOf(id: string, places: Places): string {
  return shortened(places.devices.get(id) ?? `Device ${id.slice(0, 8)}`, 60);
}
