import { Badge, CloseButton } from '@mantine/core';
import { shortened } from '../../../format.ts';
import { conditionText, type DeviceFilter } from '../shown/device-filter.ts';

interface FilterChipsProps {
  readonly filter: DeviceFilter;
  readonly onChange: (filter: DeviceFilter) => void;
}

/** Chips of the filter beside words; each can be taken away. */
export function FilterChips({ filter, onChange }: FilterChipsProps) {
  const { conditions, words } = filter;
  return conditions.map((condition) => {
    const text = conditionText(condition);
    return (
      <Badge
        key={text}
        variant="light"
        tt="none"
        fw={500}
        size="lg"
        maw={300}
        pr={4}
        title={text}
        rightSection={
          <CloseButton
            size={18}
            iconSize={14}
            aria-label={`Remove the filter ${text}`}
            onClick={() => onChange({ conditions: conditions.filter((each) => each !== condition), words })}
          />
        }
      >
        <bdi>{shortened(text, 60)}</bdi>
      </Badge>
    );
  });
}
