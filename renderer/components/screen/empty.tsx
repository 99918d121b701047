import { Box, Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';

interface EmptyProps {
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly title: string;
  readonly children: ReactNode;
  /** The next step. */
  readonly action?: ReactNode;
}

/** Empty state: the reason, and the next step. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <Center py={56} px="md">
      <Stack align="center" gap="xs" maw={460}>
        <ThemeIcon variant="light" size={52} radius="xl">
          <Icon size={26} stroke={1.6} />
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" size="sm" ta="center" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        {action && <Box mt="xs">{action}</Box>}
      </Stack>
    </Center>
  );
}
