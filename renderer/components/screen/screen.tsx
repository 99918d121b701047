import { Box, Group, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { shownName } from '../facts/shown-name.ts';
import classes from './screen.module.css';

interface ScreenProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Facts on lines of their own, below a title that is then shown whole. */
  readonly facts?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Puts the focus where a screen begins: who came by keyboard goes on from there, and a screen reader says where. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** A screen: what it is, what can be done, and the rest of the window for its content. */
export function Screen({ title, description, facts, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${shownName(title)} – Fieldbench`;
  }, [title]);
  return (
    <Box component="main" className={classes['screen'] ?? ''}>
      <header>
        <Group justify="space-between" className={classes['head'] ?? ''} data-whole={facts !== undefined}>
          <Title
            order={1}
            size="h3"
            lineClamp={facts === undefined ? 2 : 4}
            title={title}
            className={classes['title'] ?? ''}
            tabIndex={-1}
          >
            {shownName(title)}
          </Title>
          <Group gap="xs" justify="flex-end" wrap={facts === undefined ? 'wrap' : 'nowrap'}>
            {actions}
          </Group>
        </Group>
        {facts !== undefined && (
          <Text component="div" c="dimmed" size="sm" className={classes['facts'] ?? ''}>
            {facts}
          </Text>
        )}
        {description && (
          <Text component="div" c="dimmed" size="sm" mt={4} className={classes['description'] ?? ''}>
            {description}
          </Text>
        )}
      </header>
      {children}
    </Box>
  );
}
