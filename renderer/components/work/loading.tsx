import { Skeleton, type SkeletonProps } from '@mantine/core';

/** Placeholder while reading; an indeterminate progress bar for screen readers (WAI-ARIA 1.2). */
export const Loading = ({
  label,
  ...size
}: Pick<SkeletonProps, 'h' | 'w' | 'flex' | 'mih' | 'mah' | 'my' | 'mt' | 'mb'> & {
  /** Label, such as "Loading the keys". */
  readonly label: string;
}) => <Skeleton role="progressbar" aria-label={label} {...size} />;
