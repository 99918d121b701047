import type { KeyFacts } from '#shared/operations/records/key-facts.ts';
import { isOutside } from '#shared/operations/metadata/key-defaults.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { parseInstant } from '#shared/values/time.ts';
import { shortNumber, shortValue } from '../../../components/facts/key-words.ts';
import { KeyName } from '../../../components/facts/key-name.tsx';
import { Moment } from '../../../components/facts/moment.tsx';
import { OutsideMark } from '../../../components/facts/outside-mark.tsx';
import type { TableColumn } from '../../../components/table/column.ts';
import { formatCount } from '../../../format.ts';
import { decimalsOf, exactNumber } from '../../../numbers.ts';
import { compareNames, compareTexts } from '../../../order.ts';
import classes from './keys-panel.module.css';

export interface KeyRow {
  readonly facts: KeyFacts;
  readonly settings: KeySettings;
}

/** The columns of the list of keys. `open` is the key whose settings stand beside it. */
export function keyColumns(
  hrefOf: (key: string) => string,
  open: string | undefined,
): readonly TableColumn<KeyRow>[] {
  return [
    {
      id: 'key',
      header: 'Key',
      width: 'minmax(142px, 1.4fr)',
      compare: (a, b) => compareNames(nameOf(a), nameOf(b)),
      cell: (row) => <KeyCell row={row} href={hrefOf(row.facts.key)} isOpen={row.facts.key === open} />,
    },
    {
      id: 'unit',
      header: 'Unit',
      width: '72px',
      rank: 4,
      compare: (a, b) => compareNames(a.settings.unit, b.settings.unit),
      cell: ({ settings: { unit } }) => <span title={unit}>{unit}</span>,
    },
    {
      id: 'newest',
      header: 'Newest',
      width: 'minmax(158px, 1fr)',
      align: 'end',
      compare: (a, b) => compareValues(a.facts.value, b.facts.value),
      cell: (row) => <NewestCell {...row} />,
    },
    {
      id: 'range',
      header: 'Min – max',
      width: 'minmax(168px, 1fr)',
      align: 'end',
      compare: (a, b) => (a.facts.max ?? -Infinity) - (b.facts.max ?? -Infinity),
      cell: ({ facts, settings }) =>
        facts.min !== null && facts.max !== null && typeof facts.value !== 'boolean' ? (
          <span className={classes['range']} title={`${exactNumber(facts.min)} – ${exactNumber(facts.max)}`}>
            <span>{shortNumber(facts.min, settings, alikeOf(facts))} –</span>{' '}
            <span>{shortNumber(facts.max, settings, alikeOf(facts))}</span>
          </span>
        ) : (
          <None />
        ),
    },
    {
      id: 'first',
      header: 'First',
      width: '110px',
      rank: 1,
      compare: (a, b) => compareTexts(firstOf(a.facts) ?? '', firstOf(b.facts) ?? ''),
      cell: ({ facts }) => <At text={firstOf(facts)} />,
    },
    {
      id: 'last',
      header: 'Last',
      width: '110px',
      rank: 2,
      compare: (a, b) => compareTexts(a.facts.value_time ?? '', b.facts.value_time ?? ''),
      cell: ({ facts }) => <At text={facts.value_time} />,
    },
    {
      id: 'count',
      header: 'Records',
      width: '96px',
      rank: 3,
      align: 'end',
      compare: (a, b) => a.facts.count - b.facts.count,
      cell: ({ facts }) => formatCount(facts.count),
    },
  ];
}

/** Facts know the first of its numbers: a text may have come before. */
const firstOf = ({ count, numeric, first }: KeyFacts) => (count === numeric ? first : null);

const nameOf = ({ facts, settings }: KeyRow) => (settings.shown_as === '' ? facts.key : settings.shown_as);

function KeyCell({
  row,
  href,
  isOpen,
}: {
  readonly row: KeyRow;
  readonly href: string;
  readonly isOpen: boolean;
}) {
  const { facts, settings } = row;
  return (
    <a href={href} className={classes['key']} aria-current={isOpen}>
      {settings.shown_as !== '' && <span className={classes['name']}>{settings.shown_as}</span>}
      <span className={`mono ${settings.shown_as === '' ? classes['name'] : classes['own']}`}>
        <KeyName name={facts.key} />
      </span>
    </a>
  );
}

/** The newest value as it was stored: a number with its unit, a text as far as there is room. */
function NewestCell({ facts, settings }: KeyRow) {
  const { value } = facts;
  if (value === '') return <span className={classes['none']}>(empty)</span>;
  return (
    <span className={classes['value']}>
      {typeof value === 'number' && isOutside(value, settings) && <OutsideMark settings={settings} />}
      <bdi title={typeof value === 'number' ? exactNumber(value) : String(value)}>
        {typeof value === 'number' ? shortValue(value, settings, alikeOf(facts)) : String(value)}
      </bdi>
    </span>
  );
}

const KINDS: readonly string[] = ['number', 'boolean', 'string'];

/** Numbers by value, then booleans, then texts by their letters. */
function compareValues(a: KeyFacts['value'], b: KeyFacts['value']): number {
  if (typeof a === 'string' && typeof b === 'string') return compareNames(a, b);
  return KINDS.indexOf(typeof a) - KINDS.indexOf(typeof b) || Number(a) - Number(b);
}

const None = () => <span className={classes['none']}>–</span>;

function At({ text }: { readonly text: string | null }) {
  const at = text === null ? null : parseInstant(text);
  return at === null ? <None /> : <Moment at={at} day />;
}

/** The decimals of a key's numbers, as far as its facts tell. */
const alikeOf = ({ min, max, newest }: KeyFacts) =>
  decimalsOf([min, max, newest].filter((one) => one !== null));
