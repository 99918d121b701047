import { SegmentedControl } from '@mantine/core';
import { SOURCES, SOURCE_WORDS, type Source } from '#shared/domain/sources.ts';

interface SourceChoiceProps {
  readonly value: Source;
  readonly onChange: (source: Source) => void;
  readonly mt?: number;
}

/** Choice of a new device's source. */
export const SourceChoice = (props: SourceChoiceProps) => (
  <SegmentedControl
    aria-label="Source"
    data={SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value].label }))}
    {...props}
  />
);
