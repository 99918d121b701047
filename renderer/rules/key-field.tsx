import { useState } from 'react';
import { SearchSelect } from '../components/dialog/search-select.tsx';

export interface KnownKey {
  readonly key: string;
  /** With its unit: `Supply (°C)`. */
  readonly label: string;
}

interface KeyFieldProps {
  readonly label: string;
  readonly value: string;
  readonly keys: readonly KnownKey[];
  /** What no key means; absent where there has to be one. */
  readonly none?: string;
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (key: string) => void;
}

/** Options that the list shows at once; typing finds the others. */
const MOST_OPTIONS = 100;

/** A key of those that are known, or one that is typed: a rule may be there before its first record. */
export function KeyField({ label, value, keys, none, error, disabled, onChange }: KeyFieldProps) {
  const [search, setSearch] = useState('');
  const typed = search.trim();
  const known = keys.map(({ key, label: text }) => ({ value: key, label: text }));
  const isKnown = (key: string) => keys.some((one) => one.key === key || one.label === key);
  const data = [
    ...known,
    ...(value !== '' && !isKnown(value) ? [{ value, label: value }] : []),
    ...(typed !== '' && typed !== value && !isKnown(typed) ? [{ value: typed, label: `“${typed}”` }] : []),
  ];
  return (
    <SearchSelect
      label={label}
      placeholder={none ?? 'Key'}
      clearable={none !== undefined}
      limit={MOST_OPTIONS}
      data={data}
      value={value === '' ? null : value}
      onChange={(key) => onChange(key ?? '')}
      onSearchChange={setSearch}
      error={error}
      disabled={disabled}
    />
  );
}
