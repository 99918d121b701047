import { SegmentedControl } from '@mantine/core';
import { SOURCES, SOURCE_WORDS, type Source } from '#shared/domain/sources.ts';

interface SourceChoiceProps {
  readonly value: Source;
  readonly onChange: (source: Source) => void;
  readonly mt?: number;
}

/** How a new device sends its readings. */
export const SourceChoice = (props: SourceChoiceProps) => (
  <SegmentedControl
    aria-label="Source"
    data={SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value].label }))}
    {...props}
  />
);
