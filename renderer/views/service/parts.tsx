import { Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A card of facts. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card withBorder radius="md" padding="lg">
      <Stack gap="sm">
        <Title order={2} size="h5">
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  );
}

export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </div>
  );
}
