import { Skeleton, type SkeletonProps } from '@mantine/core';

/** Stands where something will be once it has been read; a progress bar of no known end to who cannot see it (WAI-ARIA 1.2). */
export const Loading = ({
  label,
  ...size
}: Pick<SkeletonProps, 'h' | 'w' | 'flex' | 'mih' | 'mah' | 'my' | 'mt' | 'mb'> & {
  /** Label, such as "Loading the keys". */
  readonly label: string;
}) => <Skeleton role="progressbar" aria-label={label} {...size} />;
